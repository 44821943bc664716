"""Somebody with a browser, who signs in and allows what an assistant asks for."""

import httpx2

from tests.running import Running, pressed
from tests.waiting import PATIENCE_SECONDS


class Person:
    """The demo owner in a browser of their own, without JavaScript. `consents` counts the presses on Allow access."""

    def __init__(self, slipway: Running) -> None:
        self._demo = slipway.up["demo"]
        self._origin = slipway.base_url
        self._browser = httpx2.Client(timeout=PATIENCE_SECONDS)
        self.consents = 0

    def close(self) -> None:
        self._browser.close()

    def allow(self, url: str) -> str:
        """Open an assistant's request for access, sign in where asked to, allow it; the address led back to."""
        page = self._open(self._browser.build_request("GET", url))
        if "Allow access" not in page.text:
            asked = {"[email]": self._demo["email"], "[password]": self._demo["password"]}
            page = self._open(pressed(self._browser, page, "Sign in", asked))
        page = self._open(pressed(self._browser, page, "Allow access", {}))
        self.consents += 1
        assert page.next_request is not None, page.text
        return str(page.next_request.url)

    def _open(self, request: httpx2.Request) -> httpx2.Response:
        """Follow redirects as far as they stay on the site."""
        page = self._browser.send(request)
        while page.next_request is not None and str(page.next_request.url).startswith(f"{self._origin}/"):
            page = self._browser.send(page.next_request)
        assert page.status_code < 400, page.text
        return page
