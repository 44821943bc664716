"""Cookies that a website sets on the way to a page, kept for as long as one client is open."""

from http.cookiejar import Cookie, DefaultCookiePolicy
from typing import Any

import httpx2

from apps.core.web.urls import registrable_domain

MAX_COOKIE_CHARACTERS = 4096
MAX_COOKIES = 50


class _Policy(DefaultCookiePolicy):
    """Accept what browsers accept: small cookies, and none for all hosts of a suffix such as co.uk or github.io."""

    def __init__(self, cookies: httpx2.Cookies) -> None:
        super().__init__(strict_ns_domain=DefaultCookiePolicy.DomainStrictNonDomain)
        self._cookies = cookies

    def set_ok(self, cookie: Cookie, request: Any) -> bool:
        text = f"{cookie.name}={cookie.value or ''}"
        if len(text) > MAX_COOKIE_CHARACTERS or len(self._cookies) >= MAX_COOKIES:
            return False
        # A request couldn't contain it.
        if not (text.isascii() and text.isprintable()):
            return False
        is_for_all = cookie.domain_specified and registrable_domain(cookie.domain.strip(".").lower()) is None
        return not is_for_all and super().set_ok(cookie, request)


def new_cookies() -> httpx2.Cookies:
    """Return an empty jar. It sends each cookie only to the host or domain that set it."""
    cookies = httpx2.Cookies()
    cookies.jar.set_policy(_Policy(cookies))
    return cookies
