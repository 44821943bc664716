"""Why a website could not be drafted from, in words that say what its owner can do."""

from apps.core.fetch import FetchError, FetchFailure
from apps.drafts.extraction.recognition import Reason
from apps.drafts.models import Draft

Failure = Draft.Failure

AGAIN = "Pages are kept for an hour; start a new draft after that."


class CrawlError(Exception):
    """The crawl ends here: `code` is one of Draft.Failure, `message` a sentence of at most 300 characters."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message[:300]


_FETCH = {
    FetchFailure.BAD_ADDRESS: (Failure.UNREACHABLE, "The website redirects to an address that cannot be read."),
    FetchFailure.PRIVATE_ADDRESS: (
        Failure.PRIVATE_ADDRESS,
        "The website's name leads to a private network. It must be reachable from the internet.",
    ),
    FetchFailure.UNREACHABLE: (
        Failure.UNREACHABLE,
        f"The website could not be reached. Check its name, server and certificate. {AGAIN}",
    ),
    FetchFailure.TIMEOUT: (Failure.UNREACHABLE, f"The website took longer than ten seconds to answer. {AGAIN}"),
    FetchFailure.TOO_LARGE: (Failure.UNREACHABLE, "The home page is larger than 2 MB. Send a smaller page."),
    FetchFailure.TOO_MANY_REDIRECTS: (
        Failure.UNREACHABLE,
        "The website redirects more than five times. Send the address where it ends.",
    ),
    FetchFailure.NOT_HTML: (Failure.TOO_THIN, "The address gives no web page. Send that of the home page."),
    FetchFailure.BAD_RESPONSE: (Failure.UNREACHABLE, f"The website's answer broke the rules of HTTP. {AGAIN}"),
    FetchFailure.BLOCKED: (Failure.BLOCKED, "The website refuses our crawler. Allow SlipwayBot and try again."),
}


def of_fetch(error: FetchError) -> CrawlError:
    """The failure that a home page's fetch error stands for."""
    return CrawlError(*_FETCH[error.code])


def of_recognition(reason: Reason, status: int) -> CrawlError:
    """The failure that a home page is recognised as."""
    if reason == "unreachable":
        what = f"status {status}" if status >= 300 else "an error page"
        return CrawlError(Failure.UNREACHABLE, f"The website answers with {what}. Repair it first. {AGAIN}")
    if reason == "blocked":
        message = "The website shows our crawler a challenge or refuses it. Allow SlipwayBot in its protection."
        return CrawlError(Failure.BLOCKED, f"{message} {AGAIN}")
    if reason == "not_html":
        return of_fetch(FetchError(FetchFailure.NOT_HTML))
    message = "The home page has hardly any text that can be read without running scripts, or is only a placeholder."
    return CrawlError(Failure.TOO_THIN, f"{message} Put a title and a description into its HTML.")


def of_robots_status(status: int) -> CrawlError:
    """robots.txt cannot be read, which forbids everything (RFC 9309)."""
    message = f"The website's robots.txt answers with status {status}, so nothing else was read."
    return CrawlError(Failure.UNREACHABLE, f"{message} {AGAIN}")


def robots_forbids() -> CrawlError:
    message = (
        "The website's robots.txt forbids SlipwayBot to read this page. Allow it there; we look again after a day."
    )
    return CrawlError(Failure.ROBOTS, message)


def too_slow() -> CrawlError:
    return CrawlError(Failure.UNREACHABLE, f"The website took longer than a minute to read. {AGAIN}")
