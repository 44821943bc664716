"""A person saves listings and puts them in order, with the script and without."""

from tests.browser.playwright import Page, expect

NUMBER = 3


def order(page: Page) -> list[str]:
    return page.locator("[data-ordered] > li strong").all_inner_texts()


def test_listings_are_saved_and_ordered(signed_in: Page, has_script: bool) -> None:
    page, name = signed_in, f"Tools of {'scripts' if has_script else 'forms'}"
    page.goto("/collections/new")
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Create collection").click()
    expect(page.get_by_text("Collection created")).to_be_visible()
    edit = page.url
    page.goto("/")
    listings = [link.get_attribute("href") or "" for link in page.locator(".row h2 a").all()[:NUMBER]]
    for listing in listings:
        page.goto(listing)
        page.get_by_role("link", name="Save").click()
        page.get_by_label(name).check()
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_text("is in 1 of your collections")).to_be_visible()
    page.goto(edit)
    first, second, third = order(page)
    entries = page.locator("[data-ordered] > li")
    entries.nth(0).get_by_label("Note").fill("The first I saved")
    entries.nth(0).get_by_role("button", name=f"Move {first} down").click()
    if has_script:
        # Nothing is saved yet.
        expect(page.get_by_text("Listing 2 of 3")).to_be_attached()
        entries.nth(2).locator("strong").drag_to(entries.nth(0).locator("strong"))
        page.get_by_role("button", name="Save collection").click()
    expect(page.get_by_text("Collection saved")).to_be_visible()
    expected = [third, second, first] if has_script else [second, first, third]
    assert order(page) == expected
    page.get_by_role("link", name="View collection").click()
    assert page.locator(".row h2").all_inner_texts() == expected
    expect(page.get_by_text("The first I saved")).to_be_visible()
