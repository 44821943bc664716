"""Why a website could not be drafted from, in words that say what its owner can do."""

from apps.core.fetch import FetchError, FetchFailure
from apps.drafts.extraction import UnreadablePage
from apps.drafts.extraction.site.unusable_pages import Reason
from apps.drafts.models import Draft

Failure = Draft.Failure

AGAIN = "Then start a new draft."


class CrawlError(Exception):
    """The crawl ends here: `code` is one of Draft.Failure, `message` a sentence of at most 300 characters.

    The message has no text of the website, since assistants take it for ours. `website` is where the address led, if
    that is why.
    """

    def __init__(self, code: str, message: str, *, website: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message[:300]
        self.website = website


_FETCH = {
    FetchFailure.BAD_ADDRESS: (
        Failure.UNREACHABLE,
        f"The website redirects to an address that cannot be read. Send the address where it should end. {AGAIN}",
    ),
    FetchFailure.PRIVATE_ADDRESS: (
        Failure.PRIVATE_ADDRESS,
        "The website's name or a redirect leads to a private network. Make it reachable from the internet. " + AGAIN,
    ),
    FetchFailure.UNREACHABLE: (
        Failure.UNREACHABLE,
        f"The website could not be reached. Check its name, server and certificate. {AGAIN}",
    ),
    FetchFailure.TIMEOUT: (
        Failure.UNREACHABLE,
        f"The website took longer than ten seconds. Make it answer faster. {AGAIN}",
    ),
    FetchFailure.TOO_LARGE: (Failure.UNREACHABLE, f"The page is larger than 2 MB. Send a smaller one. {AGAIN}"),
    FetchFailure.TOO_MANY_REDIRECTS: (
        Failure.UNREACHABLE,
        "The website redirects more than five times. Send the address where it ends.",
    ),
    FetchFailure.NOT_HTML: (Failure.TOO_THIN, "The address gives no web page. Send that of the home page."),
    FetchFailure.BAD_RESPONSE: (
        Failure.UNREACHABLE,
        f"The website's answer breaks the rules of HTTP. Repair its server. {AGAIN}",
    ),
    FetchFailure.BLOCKED: (Failure.BLOCKED, f"The website refuses our crawler. Allow SlipwayBot there. {AGAIN}"),
}


# Why a page beside the home page was not used, as get_draft and the draft's page say it.
FORBIDDEN = "robots.txt forbids it."
NO_ROBOTS = "Its robots.txt cannot be read, which forbids it."
ELSEWHERE = "It leads to another website."
KNOWN = "It leads to a page that was read already."
ENOUGH = "The website asked for fewer requests."
NO_TIME = "The minute that a website has was over."
NO_ROOM = "The 10 MB that a website has were read."
_SKIPPED = {
    FetchFailure.BAD_ADDRESS: "It leads to an address that cannot be read.",
    FetchFailure.PRIVATE_ADDRESS: "It leads to a private network.",
    FetchFailure.UNREACHABLE: "It could not be reached.",
    FetchFailure.TIMEOUT: "It took longer than ten seconds.",
    FetchFailure.TOO_LARGE: "It is larger than 2 MB.",
    FetchFailure.TOO_MANY_REDIRECTS: "It redirects more than five times.",
    FetchFailure.NOT_HTML: "It is no web page.",
    FetchFailure.BAD_RESPONSE: "The answer breaks the rules of HTTP.",
    FetchFailure.BLOCKED: "It refuses our crawler.",
}


def skipped_for_fetch(error: FetchError) -> str:
    """Why a page was not used that could not be fetched."""
    return _SKIPPED[error.code]


def skipped_as_unusable(reason: Reason, status: int) -> str:
    """Why a page was not used that is recognised as something else."""
    if reason == "unreachable":
        return f"It answers with status {status}." if status >= 300 else "It is an error page."
    if reason == "blocked":
        return "It shows our crawler a challenge or refuses it."
    return "It is no web page." if reason == "not_html" else "It has hardly any text."


def from_fetch(error: FetchError) -> CrawlError:
    """The failure that a home page's fetch error stands for."""
    return CrawlError(*_FETCH[error.code])


def from_unusable(reason: Reason, status: int) -> CrawlError:
    """The failure that a home page is recognised as."""
    if reason == "unreachable":
        what = f"status {status}" if status >= 300 else "an error page"
        return CrawlError(Failure.UNREACHABLE, f"The website answers with {what}. Repair it first. {AGAIN}")
    if reason == "blocked":
        message = "The website shows our crawler a challenge or refuses it. Allow SlipwayBot in its protection."
        return CrawlError(Failure.BLOCKED, f"{message} {AGAIN}")
    if reason == "not_html":
        return from_fetch(FetchError(FetchFailure.NOT_HTML))
    message = "The home page has hardly any text that can be read without running scripts, or is only a placeholder."
    return CrawlError(Failure.TOO_THIN, f"{message} Put a title and a description into its HTML. {AGAIN}")


def from_unreadable(problem: UnreadablePage) -> CrawlError:
    """The home page is beyond what is parsed of strangers' pages; `problem` says which limit."""
    message = f"The address gives no web page that can be read ({problem}). Send that of the home page. {AGAIN}"
    return CrawlError(Failure.TOO_THIN, message)


def skipped_as_unreadable(problem: UnreadablePage) -> str:
    """Why a page was not used that is beyond what is parsed."""
    return f"It cannot be read ({problem})."


def listed_by_another(website: str) -> CrawlError:
    """The address leads to the website of another account's company."""
    message = "The address leads to a website that another account lists. Claim it if it is yours."
    return CrawlError(Failure.DUPLICATE, message, website=website)


def listed_already(website: str) -> CrawlError:
    """The address leads to a website that the account itself lists on this site."""
    message = "The address leads to a website that you list already. Change that listing instead."
    return CrawlError(Failure.DUPLICATE, message, website=website)


def from_robots(error: FetchError) -> CrawlError:
    """robots.txt could not be fetched, which forbids everything (RFC 9309)."""
    if error.code != FetchFailure.TOO_LARGE:
        return from_fetch(error)
    message = "The website's robots.txt is too large to be read, so nothing else was read. Shorten it."
    return CrawlError(Failure.UNREACHABLE, f"{message} {AGAIN}")


def from_robots_status(status: int) -> CrawlError:
    """robots.txt cannot be read, which forbids everything (RFC 9309)."""
    message = f"The website's robots.txt answers with status {status}, so nothing else was read. Repair it first."
    return CrawlError(Failure.UNREACHABLE, f"{message} {AGAIN}")


def robots_forbids() -> CrawlError:
    """robots.txt forbids our crawler the home page."""
    message = "The website's robots.txt forbids SlipwayBot to read this page. Allow it there."
    return CrawlError(Failure.ROBOTS, f"{message} {AGAIN}")


def too_slow() -> CrawlError:
    """The home page did not come within the minute that a website has, or the crawl did not end."""
    message = "The website took longer than a minute to read. Make it answer faster."
    return CrawlError(Failure.UNREACHABLE, f"{message} {AGAIN}")


def unexpected() -> CrawlError:
    """A defect of ours, which another attempt would meet again; the log has the cause."""
    message = "Reading the website failed on our side, and the fault is logged. Start a new draft later."
    return CrawlError(Failure.UNREACHABLE, message)
