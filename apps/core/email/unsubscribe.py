"""Leaving emails without signing in: a signed address, the button that email programs offer, and the page behind it.

Each kind of emails has an `UnsubscribeLink` beside its services, and its address in `urls.py` leads to `unsubscribe`
with an `UnsubscribePage`.
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
    """Headers of an email that one leaves by one POST to `url`, without cookies or a question. Source: RFC 8058."""
    return {"List-Unsubscribe": f"<{url}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}


@dataclass(frozen=True, slots=True)
class UnsubscribeLink(Generic[_Second]):
    """Addresses of a kind of emails, each for two things such as a listing and an account. They never expire.

    `second` reads the second of the two and raises ValueError for what it cannot be; the first is a number.
    """

    url_name: str
    salt: str
    second: Callable[[str], _Second]

    def path(self, first: int, second: _Second) -> str:
        return reverse(self.url_name, args=[self._signer().sign(f"{first}-{second}")])

    def read(self, token: str) -> tuple[int, _Second] | None:
        """The two things in a token of ours; None for anything else."""
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
    done_title: str = "You are unsubscribed"
    links: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class UnsubscribePage(Generic[_Second]):
    """How a kind of email is stopped, and the page about it. Both get the two parts of the link."""

    link: UnsubscribeLink[_Second]
    stop: Callable[[int, _Second], object]
    text: Callable[[int, _Second], Unsubscribing]


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str, page: UnsubscribePage[Any]) -> HttpResponse:
    """Stop a kind of emails by the address in one; its token is the proof, and only a POST changes anything.

    An email program presses the button without cookies, so there is no token against forged forms (RFC 8058).
    """
    meant = page.link.read(token)
    if meant is None:
        raise Http404
    if request.method == "POST":
        page.stop(*meant)
    response = render(request, "emails/unsubscribe.html", {"page": page.text(*meant)})
    response["X-Robots-Tag"] = "noindex"
    # The address acts for its reader: a link on the page must not carry it further.
    response["Referrer-Policy"] = "no-referrer"
    return response
