"""What a person does with folded fields."""

from tests.browser.playwright import Page


def unfold(page: Page) -> None:
    """Open every folded field of a draft's review, and the empty ones."""
    folded = page.locator("main .fold:not([open]) > summary")
    while folded.count():
        folded.first.click()
