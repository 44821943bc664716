"""Unsubscribe without signing in: a signed URL, the email program's button, and the page behind it.

Each kind of email has an `UnsubscribeLink` next to its services, and its URL in `urls.py` routes to `unsubscribe` with
an `UnsubscribePage`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

_Second = TypeVar("_Second")


def one_click(url: str) -> dict[str, str]:
    """Return the headers for unsubscribing with one POST to `url`, without cookies or a question. Source: RFC 8058."""
    return {"List-Unsubscribe": f"<{url}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}


@dataclass(frozen=True, slots=True)
class UnsubscribeLink(Generic[_Second]):
    """Unsubscribe URLs of one kind of email, each for two things such as a listing and an account. They never expire.

    `second` parses the second thing and raises ValueError if it is invalid. The first is a number.
    """

    url_name: str
    salt: str
    second: Callable[[str], _Second]

    def path(self, first: int, second: _Second) -> str:
        return reverse(self.url_name, args=[self._signer().sign(f"{first}-{second}")])

    def read(self, token: str) -> tuple[int, _Second] | None:
        """Return the two things in a valid token, or None."""
        try:
            first, _, second = self._signer().unsign(token).partition("-")
            return int(first), self.second(second)
        except (signing.BadSignature, ValueError):
            return None

    def _signer(self) -> signing.Signer:
        return signing.Signer(salt=self.salt, sep=".")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsubscribing:
    """The unsubscribe page: what will stop or has stopped, and where to go next."""

    title: str
    is_subscribed: bool
    question: str
    reason: str
    done: str
    done_title: str = "Unsubscribed"
    links: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class UnsubscribePage(Generic[_Second]):
    """How to stop one kind of email, and the page about it. Both get the two parts of the link."""

    link: UnsubscribeLink[_Second]
    stop: Callable[[int, _Second], object]
    text: Callable[[int, _Second], Unsubscribing]


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str, page: UnsubscribePage[Any]) -> HttpResponse:
    """Stop a kind of email through the link in one. Its token is the proof, and only a POST changes anything.

    Email programs send the POST without cookies, so there is no CSRF token (RFC 8058).
    """
    meant = page.link.read(token)
    if meant is None:
        raise Http404
    if request.method == "POST":
        page.stop(*meant)
    response = render(request, "emails/unsubscribe.html", {"page": page.text(*meant)})
    response["X-Robots-Tag"] = "noindex"
    # The URL acts for its reader, so links on the page must not leak it.
    response["Referrer-Policy"] = "no-referrer"
    return response
