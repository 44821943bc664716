"""How often passwords may be tried, without letting strangers lock an owner out.

allauth counts wrong passwords by address, and by account and address. Guessing from many addresses is counted here, by
account alone. A browser that an account signed in from is not part of that count, so its owner gets in meanwhile.
"""

from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

from apps.core.valkey.counters import Limit

# Wrong passwords for one account from browsers that are new to it, whatever their addresses.
FROM_ANYWHERE = Limit("wrong-passwords", 100, 3600)
_COOKIE = "known_browser"
_COOKIE_SECONDS = 365 * 24 * 3600


def is_known_browser(request: HttpRequest, email: str) -> bool:
    """Whether the account with this address signed in from this browser within a year."""
    return constant_time_compare(request.COOKIES.get(_COOKIE, ""), _mark(email))


def remember_browser(response: HttpResponse, email: str, *, is_secure: bool) -> None:
    """Note in the browser that this account signed in there; the address can't be read from the note."""
    response.set_cookie(_COOKIE, _mark(email), max_age=_COOKIE_SECONDS, secure=is_secure, httponly=True, samesite="Lax")


def _mark(email: str) -> str:
    return salted_hmac(__name__, email.lower(), algorithm="sha256").hexdigest()
