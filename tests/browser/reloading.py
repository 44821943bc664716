"""Pages that say what a worker has done only when they are loaded again."""

from tests.browser.playwright import Page, expect
from tests.waiting import wait_for


def reload_when_it_says(page: Page, words: str) -> None:
    """Wait until the open page would have these words if it was loaded anew, and load it."""
    wait_for(lambda: words in page.request.get(page.url).text(), pause=0.3)
    page.reload()
    expect(page.get_by_role("main")).to_contain_text(words)
