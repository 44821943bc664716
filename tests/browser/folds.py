"""What a person does with folded fields."""

from tests.browser.playwright import Page, expect


def unfold(page: Page) -> None:
    """Open every folded field of a draft's review or of the editor."""
    folded = page.locator("main :is(.fold, .folded):not([open]) > summary")
    for _ in range(folded.count()):
        folded.first.click()
    expect(folded).to_have_count(0)
