"""The review of a draft in a browser: what was read, another reading, saving, submitting, and how it looks."""

import re

from tests.browser.axe import complaints
from tests.browser.conftest import remember
from tests.browser.folds import unfold
from tests.browser.playwright import FilePayload, Page, expect
from tests.installation import Account
from tests.pages_server import Website
from tests.pictures import picture
from tests.running import Running

HOME = """<!doctype html>
<html lang="en">
<head>
  <title>Tidewell: bookings that fill themselves</title>
  <meta name="description" content="Tidewell keeps the calendar of a small harbour, takes bookings for its berths and
  tells the crew who arrives when, on every phone.">
  <meta property="og:site_name" content="Tidewell">
  <meta property="og:title" content="Bookings for small harbours">
  <meta property="og:image" content="/share.png">
  <link rel="icon" href="/icon.svg" type="image/svg+xml">
  <script type="application/ld+json">{"@context": "https://schema.org", "@type": "Organization", "name": "Tidewell",
  "foundingDate": "2019", "address": {"@type": "PostalAddress", "addressLocality": "Kiel", "addressCountry": "DE"},
  "founder": {"@type": "Person", "name": "Ada Muster"}}</script>
</head>
<body>
  <nav><a href="/about">About us</a> <a href="/pricing">Pricing</a> <a href="/faq">FAQ</a>
  <a href="/changelog">Changelog</a> <a href="https://github.com/tidewell-app">GitHub</a></nav>
  <h1>Bookings that fill themselves</h1>
  <p>Tidewell keeps the calendar of a small harbour and takes bookings for its berths. The crew sees on the phone who
  arrives when, and nobody writes lists on paper any more. Guests pay when they arrive, and the harbour master closes
  the month with one click instead of a weekend of sums.</p>
</body>
</html>
"""
FAQ = """<html lang="en"><head><title>Questions about Tidewell</title></head><body><h1>Frequently asked questions</h1>
<details><summary>Does it work offline?</summary>
<p>Yes, the calendar stays on the phone, and is sent later.</p></details>
<details><summary>Can guests cancel?</summary><p>Guests can cancel until the evening before they arrive.</p></details>
<p>These are the questions that harbours ask before they start to work with the calendar and its bookings.</p>
</body></html>"""
CHANGELOG = """<html lang="en"><head><title>Changelog of Tidewell</title></head><body><h1>Changelog</h1>
<article><h2>Version 2 with a map of the berths</h2><time datetime="2025-03-04">4 March 2025</time>
<p>The map shows which berth is free, and guests choose one themselves when they book it.</p></article>
<article><h2>Version 1 for the first harbours</h2><time datetime="2024-02-01">1 February 2024</time>
<p>Three harbours on the Baltic use the calendar for their bookings from now on.</p></article>
</body></html>"""
PRICING = """<html lang="en"><head><title>Pricing of Tidewell</title></head><body><h1>Pricing</h1>
<h2>Small</h2><p>$19 per month for up to thirty berths, with every feature that the calendar has.</p>
<h2>Large</h2><p>$49 per month for any number of berths, with help on the phone on every day of the week.</p>
</body></html>"""
ABOUT = """<html lang="en"><head><title>About Tidewell</title></head><body><h1>About us</h1>
<p>Tidewell was founded in 2019 in Kiel by people who had waited too long for a free berth in too many harbours, and
who wanted to spend their evenings on deck and not on the phone with a harbour master.</p></body></html>"""


def draft_of(account: Account, website: Website) -> str:
    """The path of a draft of a website with every kind of page; it may still be read."""
    paths = {"/": HOME, "/faq": FAQ, "/changelog": CHANGELOG, "/pricing": PRICING, "/about": ABOUT}
    for path, page in paths.items():
        website.serve(path, page)
    return f"/drafts/{account.rest.post('drafts', json={'url': website.url()}).raise_for_status().json()['id']}"


def test_pictures_are_uploaded_beside_the_preview(
    signed_in: Page, account: Account, website: Website, has_script: bool
) -> None:
    page = signed_in
    page.goto(draft_of(account, website))
    pictures = page.locator("#pictures")
    expect(pictures.get_by_text("None yet")).to_be_visible()
    shots: list[FilePayload] = [
        {"name": f"{height}.png", "mimeType": "image/png", "buffer": picture("PNG", size=(800, height))}
        for height in (500, 600)
    ]
    page.get_by_label("Upload screenshots").set_input_files(shots)
    if not has_script:
        pictures.get_by_role("button", name="Upload", exact=True).click()
    expect(pictures.get_by_text("No logo yet")).to_be_visible()
    expect(page.locator("#preview .shot img")).to_have_count(2)
    unfold(page)
    tiles = page.locator("#arrange .picture-tile")
    second = tiles.nth(1).locator("img").get_attribute("src")
    page.get_by_label("Description of screenshot 2").fill("The plan")
    page.get_by_role("button", name="Move screenshot 2 earlier").click()
    if has_script:
        expect(page.get_by_role("button", name="Move screenshot 1 earlier")).to_be_focused()
        page.get_by_role("button", name="Save for later").click()
        expect(page.get_by_role("status").filter(has_text="Draft saved.")).to_be_visible()
    expect(tiles.first.locator("img")).to_have_attribute("src", second or "")
    unfold(page)
    expect(page.get_by_label("Description of screenshot 1")).to_have_value("The plan")
    if has_script:
        # Together they are more than a request can hold.
        large = picture("PNG", size=(800, 500)) + bytes(2 * 2**20)
        more: list[FilePayload] = [
            {"name": f"{number}.png", "mimeType": "image/png", "buffer": large} for number in range(7)
        ]
        page.get_by_label("Upload screenshots").set_input_files(more)
        expect(pictures.get_by_text("8/8 screenshots")).to_be_attached()
        expect(pictures.get_by_text("6.png: Use up to 8 screenshots.")).to_be_visible()
        unfold(page)
    small = page.locator(".shots img").first.bounding_box()
    assert small is not None
    assert small["width"] > small["height"]


def test_a_draft_is_reviewed_saved_and_submitted(
    signed_in: Page, account: Account, website: Website, has_script: bool
) -> None:
    page, path = signed_in, draft_of(account, website)
    page.goto(path)
    expect(page.get_by_role("button", name="Submit listing")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("Tidewell")
    expect(page.get_by_label("City")).to_be_hidden()
    main = page.get_by_role("main")
    expect(page.get_by_label("Headline")).to_be_hidden()
    unfold(page)
    headline, preview = page.get_by_label("Headline"), page.get_by_role("complementary", name="Preview")
    read = headline.input_value()
    others = page.get_by_role("group", name="Other suggestions").filter(has=page.locator("[name=pick_headline]"))
    other = others.get_by_role("radio").last
    picked = other.get_attribute("data-entry") or ""
    assert picked not in {"", read}
    other.check()
    if has_script:
        expect(headline).to_have_value(picked)
        others.get_by_role("radio").first.check()
        expect(headline).to_have_value(read)
        other.check()
        headline.press_sequentially("!")
        expect(preview).to_contain_text(f"!{picked}")
        expect(others.get_by_role("radio").first).to_be_checked()
        other.check()
    expect(preview).to_contain_text("Kiel")
    page.get_by_label("City").fill("Lübeck")
    if has_script:
        expect(preview).to_contain_text("Lübeck")
    page.get_by_label("Question 1", exact=True).fill("Does it work without a network?")
    page.get_by_role("button", name="Add milestone").click()
    expect(page.get_by_label("City")).to_have_value("Lübeck")
    expect(page.get_by_label("Day").last).to_be_visible()
    page.get_by_label("Day").last.fill("2025-06-07")
    page.get_by_label("Milestone title").last.fill("A hundred harbours")
    # The Enter key saves, and submits nothing.
    unfold(page)
    page.get_by_label("City").press("Enter")
    expect(page.get_by_role("status").filter(has_text="Draft saved.")).to_be_visible()
    expect(headline).to_have_value(picked)
    expect(page.get_by_label("City")).to_have_value("Lübeck")
    expect(main).to_contain_text("Edited by you")
    page.get_by_role("button", name="Submit listing").click()
    expect(main).to_contain_text("Listing submitted")
    expect(page).to_have_url(re.compile("/launch$"))
    page.goto(path)
    expect(main).to_contain_text("A hundred harbours")
    page.get_by_role("link", name="Manage listing").click()
    expect(page).to_have_url(re.compile("/manage$"))


def test_the_review_is_accessible(reader: Page, slipway: Running, account: Account, website: Website) -> None:
    remember(reader, slipway.base_url, account.session)
    reader.goto(draft_of(account, website))
    expect(reader.get_by_role("button", name="Submit listing")).to_be_visible()
    unfold(reader)
    assert complaints(reader) == []
    reader.get_by_label("Headline").fill("word " * 30)
    reader.get_by_role("button", name="Save for later").click()
    expect(reader.get_by_role("alert").first).to_be_visible()
    assert complaints(reader) == []
