"""What pages say in their consoles fails the test that opened them."""

import pytest

from tests.browser.conftest import visit
from tests.browser.playwright import Browser
from tests.running import Running


def test_errors_of_every_page_are_told_with_its_address(browser: Browser, slipway: Running) -> None:
    def see() -> None:
        with visit(browser, slipway.base_url, noted=("expected",)) as page:
            page.goto("/pricing")
            page.evaluate("console.error('one')")
            page.evaluate("console.error('expected')")
            other = page.context.new_page()
            other.goto("/search")
            other.evaluate("setTimeout(() => { throw new Error('two') })")
            other.evaluate("new Promise(done => setTimeout(done))")

    with pytest.raises(AssertionError, match=r"/pricing: one(.|\n)*/search: (.*)two"):
        see()


def test_a_test_that_fails_says_what_was_in_the_console(browser: Browser, slipway: Running) -> None:
    def see() -> None:
        with visit(browser, slipway.base_url) as page:
            page.goto("/pricing")
            page.evaluate("console.error('one')")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as raised:
        see()
    assert raised.value.__notes__ == [f"In the console of {slipway.base_url}/pricing: one"]
