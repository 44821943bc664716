"""What pages say in their consoles fails the test that opened them."""

import pytest
from tests.browser.playwright import Browser

from tests.browser.conftest import visit
from tests.running import Running


def test_errors_of_every_page_are_told_with_its_address(browser: Browser, slipway: Running) -> None:
    with (
        pytest.raises(AssertionError, match=r"/pricing: one(.|\n)*/search: (.*)two"),
        visit(browser, slipway.base_url, noted=("expected",)) as page,
    ):
        page.goto("/pricing")
        page.evaluate("console.error('one')")
        page.evaluate("console.error('expected')")
        other = page.context.new_page()
        other.goto("/search")
        other.evaluate("setTimeout(() => { throw new Error('two') })")
        other.evaluate("new Promise(done => setTimeout(done))")


def test_a_test_that_fails_says_what_was_in_the_console(browser: Browser, slipway: Running) -> None:
    with pytest.raises(ZeroDivisionError) as raised, visit(browser, slipway.base_url) as page:
        page.goto("/pricing")
        page.evaluate("console.error('one')")
        raise ZeroDivisionError
    assert raised.value.__notes__ == [f"In the console of {slipway.base_url}/pricing: one"]
