"""What an owner does with a live listing in a browser: edit it, read it, and find the edit in the history."""

import re
import secrets

import httpx2

from tests.browser.demo_owner import sign_in
from tests.browser.playwright import Page, expect
from tests.running import Running


def live_listing(slipway: Running) -> dict[str, str]:
    """The demo owner's live listing on the site of the address."""
    answer = httpx2.get(f"{slipway.up['api_url']}/me/listings", headers=authorization(slipway))
    return next(item for item in answer.json()["items"] if (item["status"], item["site"]) == ("live", "main"))


def authorization(slipway: Running) -> dict[str, str]:
    return {"Authorization": f"Bearer {slipway.api_key}"}


def edit_by_key(slipway: Running, listing: dict[str, str], **fields: str) -> None:
    address = f"{slipway.up['api_url']}/me/listings/{listing['id']}"
    httpx2.patch(address, json={"fields": fields}, headers=authorization(slipway)).raise_for_status()


def opened_editor(page: Page, slipway: Running) -> dict[str, str]:
    """Sign in, and go from the dashboard to the editor."""
    listing = live_listing(slipway)
    page.goto("/account/sign-in?next=/account")
    sign_in(page, slipway)
    page.get_by_role("link", name=f"Edit {listing['name']}").click()
    expect(page.get_by_label("Headline")).to_have_value(live_listing(slipway)["headline"])
    return listing


def test_an_edit_is_public_and_in_the_history(page: Page, slipway: Running) -> None:
    listing = opened_editor(page, slipway)
    before, after = listing["headline"], f"Written in a browser {secrets.token_hex(4)}"
    question = f"What is {secrets.token_hex(4)}?"
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


def test_what_an_assistant_wrote_meanwhile_is_not_lost(page: Page, slipway: Running) -> None:
    opened_editor(page, slipway)
    listing = live_listing(slipway)
    theirs, mine = (f"{who} {secrets.token_hex(4)}" for who in ("Theirs", "Mine"))
    edit_by_key(slipway, listing, headline=theirs, city=theirs)
    page.get_by_label("Headline").fill(mine)
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_role("main")).to_contain_text(theirs)
    expect(page.get_by_label("Headline")).to_have_value(mine)
    page.get_by_role("button", name="Use saved version").click()
    expect(page.get_by_label("Headline")).to_have_value(theirs)
    page.get_by_label("Headline").fill(mine)
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_role("status").filter(has_text="Saved: Headline.")).to_be_visible()
    shown = httpx2.get(f"{slipway.up['api_url']}/me/listings/{listing['id']}", headers=authorization(slipway)).json()
    assert (shown["headline"], shown["city"]) == (mine, theirs)


def test_a_milestone_comes_and_goes(page: Page, slipway: Running) -> None:
    listing = live_listing(slipway)
    title = f"Milestone {secrets.token_hex(4)}"
    page.goto(f"/account/sign-in?next=/listings/{listing['slug']}/milestones")
    sign_in(page, slipway)
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


def test_an_update_is_posted(page: Page, slipway: Running) -> None:
    listing = live_listing(slipway)
    title = f"Update {secrets.token_hex(4)}"
    page.goto(f"/account/sign-in?next=/listings/{listing['slug']}/updates/new")
    sign_in(page, slipway)
    page.get_by_label("Headline").fill(title)
    page.get_by_label("What’s new").fill("The first paragraph.\n\nThe second one.")
    page.get_by_role("button", name="Post update").click()
    expect(page.get_by_role("status").filter(has_text=" posted")).to_be_visible()
    page.goto("/updates")
    expect(page.get_by_role("main")).to_contain_text(title)
