"""The one error of a fetch: a code to act on, and nothing about the network behind it."""

from enum import StrEnum


class FetchFailure(StrEnum):
    """Why nothing came back. Callers store the code; people get their own wording from it."""

    BAD_ADDRESS = "bad_address"
    PRIVATE_ADDRESS = "private_address"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    TOO_LARGE = "too_large"
    TOO_MANY_REDIRECTS = "too_many_redirects"
    NOT_HTML = "not_html"
    BAD_RESPONSE = "bad_response"
    BLOCKED = "blocked"


class FetchError(Exception):
    """A fetch that was refused or failed.

    The message is the same for every cause: numeric addresses, resolver answers and banners would let
    a stranger map the network from inside. `retryable` says whether trying again soon may help: after a timeout or a
    lookup that failed, and not where a server refuses or breaks off.
    """

    def __init__(self, code: FetchFailure, *, retryable: bool | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.retryable = code == FetchFailure.TIMEOUT if retryable is None else retryable

    def __str__(self) -> str:
        return "The URL could not be fetched."
