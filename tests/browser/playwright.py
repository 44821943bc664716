"""Playwright's names, so that tests are collected where it is missing: it comes with requirements-interop.lock."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser as Browser
    from playwright.sync_api import ConsoleMessage as ConsoleMessage
    from playwright.sync_api import FilePayload as FilePayload
    from playwright.sync_api import FrameLocator as FrameLocator
    from playwright.sync_api import Locator as Locator
    from playwright.sync_api import Page as Page
    from playwright.sync_api import Request as Request
    from playwright.sync_api import Route as Route
    from playwright.sync_api import ViewportSize as ViewportSize
    from playwright.sync_api import WebError as WebError
    from playwright.sync_api import expect as expect
else:
    # Dictionaries, and names that only annotations use.
    FilePayload = ViewportSize = dict
    Browser = ConsoleMessage = FrameLocator = Locator = Page = Request = Route = WebError = Any

    def expect(*what):
        """Return Playwright's assertions about a page or an element."""
        from playwright.sync_api import expect

        return expect(*what)
