"""Why a crawl failed, in words that tell the owner what to do."""

from apps.core.fetch import FETCH_SECONDS, FetchError, FetchFailure
from apps.drafts.extraction import UnreadablePage
from apps.drafts.extraction.site.unusable_pages import Reason
from apps.drafts.models import Draft

Failure = Draft.Failure

AGAIN = "Then try again."
_ADD_WORDS = f"Add a title and a description to its HTML. {AGAIN}"


class CrawlError(Exception):
    """Ends a crawl. `code` is one of Draft.Failure, `message` a sentence of at most 300 characters.

    The message never quotes the website, because assistants trust it as ours. `website` is where the URL redirected, if
    that is the reason.
    """

    def __init__(self, code: str, message: str, *, website: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message[:300]
        self.website = website


_FETCH = {
    FetchFailure.BAD_ADDRESS: (
        Failure.UNREACHABLE,
        f"The website redirects to an invalid URL. Send the final URL. {AGAIN}",
    ),
    FetchFailure.PRIVATE_ADDRESS: (
        Failure.PRIVATE_ADDRESS,
        f"The website points to a private network. Make it reachable from the internet. {AGAIN}",
    ),
    FetchFailure.UNREACHABLE: (
        Failure.UNREACHABLE,
        f"We couldn't reach the website. Check its domain, server and certificate. {AGAIN}",
    ),
    FetchFailure.TIMEOUT: (
        Failure.UNREACHABLE,
        f"The website took over {FETCH_SECONDS:.0f} seconds to respond. Make it faster. {AGAIN}",
    ),
    FetchFailure.TOO_LARGE: (Failure.UNREACHABLE, f"The page is over 2 MB. Reduce its size. {AGAIN}"),
    FetchFailure.HEADERS_TOO_LARGE: (
        Failure.UNREACHABLE,
        f"The website's HTTP headers are over 64 KB. Reduce their size. {AGAIN}",
    ),
    FetchFailure.TOO_MANY_REDIRECTS: (
        Failure.UNREACHABLE,
        "The website redirects more than 5 times. Send the final URL.",
    ),
    FetchFailure.NOT_HTML: (Failure.TOO_THIN, "This URL isn't a web page. Send the home page."),
    FetchFailure.BAD_RESPONSE: (
        Failure.UNREACHABLE,
        f"The website sent an invalid HTTP response. Fix the server. {AGAIN}",
    ),
    FetchFailure.BLOCKED: (Failure.BLOCKED, f"The website blocks our crawler. Allow SlipwayBot. {AGAIN}"),
}


# Why a page other than the home page was not used, as get_draft and the draft's page show it.
FORBIDDEN = "robots.txt disallows it."
NO_ROBOTS = "robots.txt couldn't be read, so the page was skipped."
ELSEWHERE = "It redirects to another website."
KNOWN = "It redirects to a page we already read."
ENOUGH = "The website asked us to slow down."
NO_TIME = "The 1-minute limit was reached."
NO_ROOM = "The 10 MB limit was reached."
_SKIPPED = {
    FetchFailure.BAD_ADDRESS: "It redirects to an invalid URL.",
    FetchFailure.PRIVATE_ADDRESS: "It points to a private network.",
    FetchFailure.UNREACHABLE: "It couldn't be reached.",
    FetchFailure.TIMEOUT: f"It took over {FETCH_SECONDS:.0f} seconds to respond.",
    FetchFailure.TOO_LARGE: "It is over 2 MB.",
    FetchFailure.HEADERS_TOO_LARGE: "Its HTTP headers are over 64 KB.",
    FetchFailure.TOO_MANY_REDIRECTS: "It redirects more than 5 times.",
    FetchFailure.NOT_HTML: "It isn't a web page.",
    FetchFailure.BAD_RESPONSE: "It sent an invalid HTTP response.",
    FetchFailure.BLOCKED: "It blocks our crawler.",
}


def skipped_for_fetch(error: FetchError) -> str:
    """Return why a page that could not be fetched was not used."""
    return _SKIPPED[error.code]


def skipped_as_unusable(reason: Reason, status: int, *, cut: str = "") -> str:
    """Return why a page that was recognized as something else was not used. `cut` is why its end is missing, or ""."""
    if reason == "unreachable":
        return f"It returned a {status}." if status >= 300 else "It is an error page."
    if reason == "blocked":
        return "It blocks our crawler or shows a bot challenge."
    if reason == "needs_javascript":
        return f"It has almost no text without JavaScript.{_only_part(cut)}"
    return "It isn't a web page." if reason == "not_html" else f"It has almost no text.{_only_part(cut)}"


def _only_part(cut: str) -> str:
    return f" We read only the first part, because {cut}." if cut else ""


def from_fetch(error: FetchError) -> CrawlError:
    """Convert a fetch error of the home page to a crawl failure."""
    return CrawlError(*_FETCH[error.code])


def from_unusable(reason: Reason, status: int, *, cut: str = "") -> CrawlError:
    """Return the failure for an unusable home page. `cut` is why its end is missing, or empty."""
    if reason == "unreachable":
        what = f"a {status}" if status >= 300 else "an error page"
        return CrawlError(Failure.UNREACHABLE, f"Your site returned {what}. Fix the page. {AGAIN}")
    if reason == "blocked":
        saw = f"returned a {status}" if status >= 300 else "showed a bot challenge"
        message = f"The website blocks our crawler: it {saw}. Allow SlipwayBot in its bot protection."
        return CrawlError(Failure.BLOCKED, f"{message} {AGAIN}")
    if reason == "not_html":
        return from_fetch(FetchError(FetchFailure.NOT_HTML))
    if reason == "needs_javascript":
        message = (
            "The home page has no text in its HTML, and its head, manifest and llms.txt don't describe the product."
        )
        return CrawlError(Failure.TOO_THIN, f"{message}{_only_part(cut)} {_ADD_WORDS} We don't run JavaScript.")
    message = f"The home page has almost no text, or is a placeholder.{_only_part(cut)}"
    return CrawlError(Failure.TOO_THIN, f"{message} {_ADD_WORDS}")


def from_unreadable(problem: UnreadablePage) -> CrawlError:
    """Return the failure of a home page without any element. `problem` says what it is instead."""
    message = f"This URL isn't a readable web page ({problem}). Send the home page. {AGAIN}"
    return CrawlError(Failure.TOO_THIN, message)


def skipped_as_unreadable(problem: UnreadablePage) -> str:
    """Return why a page without any element was not used."""
    return f"It couldn't be read ({problem})."


def listed_by_another(website: str) -> CrawlError:
    """The URL redirects to a website that another account's company owns."""
    message = "Another account lists this website. If it is yours, claim it."
    return CrawlError(Failure.DUPLICATE, message, website=website)


def listed_already(website: str) -> CrawlError:
    """The URL redirects to a website that the account already lists on this site."""
    message = "You already list this website. Edit that listing instead."
    return CrawlError(Failure.DUPLICATE, message, website=website)


def from_robots(error: FetchError) -> CrawlError:
    """robots.txt could not be fetched, which forbids everything (RFC 9309)."""
    if error.code != FetchFailure.BAD_RESPONSE:
        return from_fetch(error)
    message = "The website's robots.txt is incomplete or garbled, so we read nothing. Fix it."
    return CrawlError(Failure.UNREACHABLE, f"{message} {AGAIN}")


def from_robots_status(status: int) -> CrawlError:
    """robots.txt cannot be read, which forbids everything (RFC 9309)."""
    message = f"The website's robots.txt returned a {status}, so we read nothing. Fix it."
    return CrawlError(Failure.UNREACHABLE, f"{message} {AGAIN}")


def robots_forbids() -> CrawlError:
    """robots.txt forbids our crawler to read the home page."""
    message = "The website's robots.txt blocks SlipwayBot from this page. Allow it there."
    return CrawlError(Failure.ROBOTS, f"{message} {AGAIN}")


def too_slow() -> CrawlError:
    """The home page took longer than the minute a website has, or the crawl did not end."""
    message = "Reading the website took over a minute. Make it faster."
    return CrawlError(Failure.UNREACHABLE, f"{message} {AGAIN}")


def unexpected() -> CrawlError:
    """Our own bug, which every attempt would hit again. The log has the cause."""
    message = "An internal error stopped us from reading the website. Try again later."
    return CrawlError(Failure.UNREACHABLE, message)
