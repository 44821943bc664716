"""What an owner does with a live listing in a browser: edit it, read it, and find the edit in the history."""

import re
import secrets
from typing import Any

import pytest

from tests.browser.folds import unfold
from tests.browser.playwright import Page, expect
from tests.installation import Account


@pytest.fixture
def editor(signed_in: Page, listing: dict[str, Any]) -> Page:
    """The editor of the listing, as the dashboard leads there."""
    signed_in.goto("/account")
    signed_in.get_by_role("link", name=f"Edit {listing['name']}").click()
    expect(signed_in.get_by_label("Headline")).to_have_value(listing["headline"])
    return signed_in


def test_an_edit_is_public_and_in_the_history(editor: Page, listing: dict[str, Any]) -> None:
    page, before, after = editor, listing["headline"], f"Written in a browser {secrets.token_hex(4)}"
    question = f"What is {secrets.token_hex(4)}?"
    unfold(page)
    page.get_by_label("Made for").fill("People with <b>deadlines</b>")
    page.get_by_role("button", name="Add question").click()
    expect(page.get_by_label("Made for")).to_have_value("People with <b>deadlines</b>")
    empty = page.get_by_label(re.compile(r"^Question \d+$")).last
    number = re.findall(r"\d+", empty.get_attribute("name") or "")[0]
    empty.fill(question)
    page.get_by_label("Headline").fill(after)
    # The Enter key saves, whichever buttons stand before that one.
    page.get_by_label("Headline").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Not saved")
    expect(page.get_by_label("Headline")).to_have_value(after)
    # Rows that were left empty are gone, so the question has moved up.
    rows = range(1, int(number) + 2)
    moved = next(row for row in rows if page.get_by_label(f"Question {row}", exact=True).input_value() == question)
    page.get_by_label(f"Answer {moved}", exact=True).fill("A number.")
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_role("status").filter(has_text="Saved:")).to_contain_text("Headline")

    page.get_by_role("link", name="View page").click()
    main = page.get_by_role("main")
    expect(main).to_contain_text(after)
    expect(main).to_contain_text("People with <b>deadlines</b>")
    page.get_by_text(question).click()
    expect(main).to_contain_text("A number.")

    page.goto(f"/listings/{listing['slug']}/history")
    newest = page.get_by_role("article").first
    expect(newest).to_contain_text("You in the browser")
    expect(newest.locator("ins").filter(has_text=after[-8:])).to_be_visible()
    expect(newest.locator("del").filter(has_text=before.split()[-1])).to_be_visible()


def test_what_an_assistant_wrote_meanwhile_is_not_lost(editor: Page, account: Account, listing: dict[str, Any]) -> None:
    page, path = editor, f"me/listings/{listing['id']}"
    theirs, mine = (f"{who} {secrets.token_hex(4)}" for who in ("Theirs", "Mine"))
    account.rest.patch(path, json={"fields": {"headline": theirs, "city": theirs}}).raise_for_status()
    page.get_by_label("Headline").fill(mine)
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_role("main")).to_contain_text(theirs)
    expect(page.get_by_label("Headline")).to_have_value(mine)
    page.get_by_role("button", name="Use saved version").click()
    expect(page.get_by_label("Headline")).to_have_value(theirs)
    page.get_by_label("Headline").fill(mine)
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_role("status").filter(has_text="Saved: Headline.")).to_be_visible()
    shown = account.rest.get(path).json()
    assert (shown["headline"], shown["city"]) == (mine, theirs)


def test_a_milestone_comes_and_goes(signed_in: Page, listing: dict[str, Any]) -> None:
    page, title = signed_in, f"Milestone {secrets.token_hex(4)}"
    page.goto(f"/listings/{listing['slug']}/milestones")
    page.get_by_label("Milestone title").fill(title)
    page.get_by_role("button", name="Add milestone").click()
    expect(page.get_by_role("listitem").filter(has_text=title)).to_be_visible()
    page.goto(f"/listings/{listing['slug']}")
    expect(page.get_by_role("main")).to_contain_text(title)
    page.goto(f"/listings/{listing['slug']}/milestones")
    page.get_by_role("button", name=f"Delete {title}").click()
    page.get_by_role("button", name="Cancel", exact=True).click()
    page.get_by_role("button", name=f"Delete {title}").click()
    page.get_by_role("button", name="Delete milestone", exact=True).click()
    expect(page.get_by_role("listitem").filter(has_text=title)).to_have_count(0)
