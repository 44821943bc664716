"""The only error of a fetch: a code to act on, and nothing about the network behind it."""

from enum import StrEnum


class FetchFailure(StrEnum):
    """Why a fetch failed. Callers store the code and choose their own wording for people."""

    BAD_ADDRESS = "bad_address"
    PRIVATE_ADDRESS = "private_address"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    TOO_LARGE = "too_large"
    HEADERS_TOO_LARGE = "headers_too_large"
    TOO_MANY_REDIRECTS = "too_many_redirects"
    NOT_HTML = "not_html"
    BAD_RESPONSE = "bad_response"
    BLOCKED = "blocked"


WHY_CUT = {
    FetchFailure.TOO_LARGE: "it is over 2 MB",
    FetchFailure.BAD_RESPONSE: "its connection broke off",
}
"""Why only the first part of a page arrived, as the end of a sentence."""


class FetchError(Exception):
    """A fetch that was refused or failed.

    The message is the same for every cause, because numeric addresses, resolver errors and banners would let a stranger
    map the internal network. `retryable` says whether trying again soon may help: after a timeout or a failed lookup,
    but not after a refused or broken connection.
    """

    def __init__(self, code: FetchFailure, *, retryable: bool | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.retryable = code == FetchFailure.TIMEOUT if retryable is None else retryable

    def __str__(self) -> str:
        return "The URL couldn't be fetched."
