"""Cookies that a website sets on the way to a page, kept for as long as one client is open."""

import re
from http.cookiejar import Cookie, DefaultCookiePolicy
from typing import Any

import httpx2

from apps.core.web.urls import registrable_domain

MAX_COOKIE_CHARACTERS = 4096
MAX_COOKIES = 50

_SECONDS = re.compile(r"-?[0-9]{1,15}")


class _Policy(DefaultCookiePolicy):
    """Accept what browsers accept: small cookies, and none for all hosts of a suffix such as co.uk or github.io."""

    def __init__(self, cookies: httpx2.Cookies) -> None:
        super().__init__(strict_ns_domain=DefaultCookiePolicy.DomainStrictNonDomain)
        self._cookies = cookies

    def set_ok(self, cookie: Cookie, request: Any) -> bool:
        text = f"{cookie.name}={cookie.value or ''}"
        if len(text) > MAX_COOKIE_CHARACTERS:
            return False
        if len(self._cookies) >= MAX_COOKIES and cookie.name not in {stored.name for stored in self._cookies.jar}:
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


def keep_cookies(cookies: httpx2.Cookies, response: httpx2.Response) -> None:
    """Add the cookies of a response.

    As in RFC 6265, 5.2 and 5.3, ignore invalid attributes, and use the last of repeated ones. The standard library
    drops cookies with invalid attributes, and uses the first of repeated ones.
    """
    sent = response.headers.get_list("set-cookie")
    if sent:
        headers = [(b"Set-Cookie", _with_sound_attributes(cookie).encode()) for cookie in sent]
        cookies.extract_cookies(httpx2.Response(response.status_code, headers=headers, request=response.request))


def _with_sound_attributes(cookie: str) -> str:
    pair, *attributes = cookie.split(";")
    sound = filter(_is_sound, (attribute.replace('"', "") for attribute in attributes))
    # Of repeated ones the last counts. A proxy in front of a website may add one.
    kept = {attribute.partition("=")[0].strip().lower(): attribute for attribute in sound}
    return ";".join([pair, *kept.values()])


def _is_sound(attribute: str) -> bool:
    name, _, value = (part.strip() for part in attribute.partition("="))
    match name.lower():
        case "max-age":
            return _SECONDS.fullmatch(value) is not None
        case "path":
            return value.startswith("/")
        case "domain" | "expires":
            return value != ""
        case "version" | "port":
            return False
    return True
