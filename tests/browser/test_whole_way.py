"""One person's whole way in a browser, step by step: from the sign-up to an assistant that works for them.

All of it with JavaScript, and without it but for the passkey, which needs it.
"""

import asyncio
import re
import secrets
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from queue import Queue
from typing import Any

import httpx2

from apps.core.api.scopes import SCOPE_TEXTS, Scope
from tests.browser.folds import unfold
from tests.browser.playwright import FilePayload, Locator, Page, expect
from tests.browser.reloading import reload_when_it_says
from tests.browser.test_consent import sending_on
from tests.browser.test_sign_in import PASSWORD, code_for, press, sign_in, virtual_device
from tests.email_server import EmailServer
from tests.mcp.assistants import Assistant
from tests.mcp.clients import VERSIONS, session_of
from tests.pages_server import Website
from tests.pictures import picture
from tests.real_pages import real_pages
from tests.running import Running
from tests.waiting import PATIENCE_SECONDS

BIO = "Keeps boats and their calendars in order, and wrote the programs for it on winter evenings at the harbour."
SECTIONS = ("how_started", "problem", "what_built", "hard_parts", "milestones", "whats_next")
VOTE_FOR = re.compile("^[0-9]+ votes? for ")


@dataclass
class Way:
    """A person at a browser, and what they have by now."""

    page: Page
    slipway: Running
    website: Website
    content: bytes
    mailbox: EmailServer
    email: str = field(default_factory=lambda: f"person-{secrets.token_hex(4)}@example.com")
    slug: str = ""
    name: str = ""

    @property
    def main(self) -> Locator:
        return self.page.get_by_role("main")


def test_the_whole_way(page: Page, slipway: Running, website: Website, mailbox: EmailServer, has_script: bool) -> None:
    way = Way(page, slipway, website, real_pages(2)[0 if has_script else 1], mailbox)
    website.serve("/", way.content)
    sign_up_and_verify(way)
    if has_script:
        add_a_passkey(way)
    draft_from_a_real_page(way)
    review_and_submit(way)
    complete_the_profile(way)
    queue_for_free_with_the_badge(way, has_script)
    vote_and_take_it_back(way)
    follow_and_unfollow(way)
    buy_a_launch(way)
    pay_on_the_test_gateway(way, has_script)
    publish_the_story(way)
    make_a_key(way)
    connect_an_assistant(way)


def sign_up_and_verify(way: Way) -> None:
    page = way.page
    page.goto("/")
    page.get_by_role("banner").get_by_role("link", name="Sign in").click()
    way.main.get_by_role("link", name="Create an account").click()
    page.get_by_label("Email").fill(way.email)
    page.get_by_label("Password").fill(PASSWORD)
    press(page, "Create account")
    page.get_by_label("Code").fill(code_for(way.email, way.mailbox, subject="Your code for"))
    press(page, "Continue")
    page.goto("/account")
    expect(way.main).to_contain_text("No listings yet")


def add_a_passkey(way: Way) -> None:
    """Passkeys need a name of the place, so the page leads to it; the way goes on at the address of before."""
    page = way.page
    virtual_device(page)
    page.goto("/account/passkeys")
    way.main.get_by_role("link", name="Open this page on localhost").click()
    sign_in(page, way.email)
    way.main.get_by_role("link", name="Add passkey").click()
    prove_it_is_you(page)
    page.get_by_label("Name").fill("The test’s device")
    press(page, "Create passkey")
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    banner = page.get_by_role("banner")
    banner.get_by_role("button", name="Account menu").click()
    banner.get_by_role("button", name="Sign out").click()
    banner.get_by_role("link", name="Sign in").click()
    press(page, "Use a passkey")
    expect(banner.get_by_role("button", name="Account menu")).to_be_visible()


def prove_it_is_you(page: Page) -> None:
    page.get_by_label("Your password").fill(PASSWORD)
    press(page, "Confirm")


def draft_from_a_real_page(way: Way) -> None:
    page = way.page
    page.goto("/")
    page.get_by_label("Website URL").fill(way.website.url())
    page.get_by_role("button", name="Draft my listing").click()
    expect(page.get_by_role("button", name="Submit listing")).to_be_visible()
    expect(way.main).to_contain_text(way.website.host)


def review_and_submit(way: Way) -> None:
    page = way.page
    way.name = f"Way {secrets.token_hex(4)}"
    unfold(page)
    page.get_by_label("Name", exact=True).fill(way.name)
    page.get_by_label("City").fill("Lübeck")
    page.get_by_role("button", name="Save for later").click()
    expect(page.get_by_role("status").filter(has_text="Draft saved.")).to_be_visible()
    expect(page.get_by_label("City")).to_have_value("Lübeck")
    page.get_by_role("button", name="Submit listing").click()
    expect(way.main).to_contain_text("Listing submitted")
    expect(page).to_have_url(re.compile("/listings/[^/]+/launch$"))
    steps = way.main.get_by_role("list", name="Steps to launch")
    expect(steps.locator("[aria-current=step]")).to_have_text(re.compile("Launch"))
    way.slug = page.url.split("/")[-2]
    expect(way.main.get_by_role("heading", level=1)).to_have_text(way.name)


def complete_the_profile(way: Way) -> None:
    page = way.page
    page.goto("/account")
    way.main.get_by_role("link", name="Complete profile").click()
    page.get_by_label("Real name").fill("Ada Example")
    page.get_by_label("Role").fill("Founder")
    page.get_by_label("Bio").fill(BIO)
    photo = FilePayload(name="me.jpg", mimeType="image/jpeg", buffer=picture(size=(600, 400)))
    page.get_by_label("Photo file").set_input_files(photo)
    page.get_by_role("button", name="Upload photo").click()
    expect(page.get_by_text("Photo saved")).to_be_visible()
    press(page, "Save profile")
    expect(way.main).to_contain_text("Profile complete")


def queue_for_free_with_the_badge(way: Way, has_script: bool) -> None:
    """Queue, see what is missing, put the badge's code on the website, and have it looked for."""
    page, tabs = way.page, way.page.get_by_role("navigation", name="This listing")
    page.goto(f"/listings/{way.slug}/manage")
    tabs.get_by_role("link", name="Launch").click()
    expect(way.main.get_by_role("region", name="Free")).to_contain_text("Next free week")
    page.get_by_role("button", name="Launch for free").click()
    reload_when_it_says(page, "Last check")
    way.main.get_by_role("link", name="Add the badge").click()
    for scheme in ("light", "dark"):
        shown = way.main.get_by_role("img", name=f"Launching on Slipway, {scheme}")
        drawn = page.request.get(shown.get_attribute("src") or "")
        assert (drawn.status, drawn.headers["content-type"]) == (200, "image/svg+xml; charset=utf-8")
    code = way.main.locator("code").filter(has_text="<img").first.inner_text()
    assert code.startswith(f'<a href="{way.slipway.base_url}/listings/{way.slug}">')
    way.website.serve("/", way.content + code.encode())
    way.main.get_by_role("button", name="Check badge now").click()
    if not has_script:
        page.goto(f"/listings/{way.slug}/launch")
        reload_when_it_says(page, "Goes live in Week")
        way.main.get_by_role("link", name="Prepare your launch").click()
    expect(way.main.get_by_role("heading", name="You’re scheduled")).to_be_visible()
    expect(page).to_have_url(re.compile("/share$"))


def vote_and_take_it_back(way: Way) -> None:
    page = way.page
    page.goto("/")
    button = page.get_by_role("button", name=VOTE_FOR).first
    before = int(button.inner_text().split()[0])
    expect(button).to_have_attribute("aria-pressed", "false")
    for is_pressed, votes in (("true", before + 1), ("false", before)):
        button.click()
        expect(button).to_have_attribute("aria-pressed", is_pressed)
        expect(button).to_have_text(re.compile(f"^{votes} ?vote"))
        page.reload()
        expect(button).to_have_attribute("aria-pressed", is_pressed)
        expect(button).to_have_text(re.compile(f"^{votes} ?vote"))


def follow_and_unfollow(way: Way) -> None:
    page = way.page
    page.goto("/updates")
    page.locator(".update-title a").first.click()
    name = page.get_by_role("heading", level=1).inner_text()
    page.get_by_role("button", name=re.compile("^Follow updates")).click()
    expect(page.get_by_role("button", name=re.compile("^Following"))).to_have_attribute("aria-pressed", "true")
    page.goto("/account/following")
    page.get_by_role("button", name=f"Unfollow {name}").click()
    expect(page.get_by_role("status")).to_contain_text(f"Unfollowed {name}")
    expect(page.get_by_role("button", name=f"Unfollow {name}")).to_have_count(0)


def buy_a_launch(way: Way) -> None:
    page = way.page
    page.goto(f"/listings/{way.slug}/launch")
    paid = way.main.get_by_role("region", name="Paid")
    paid.get_by_label("Launch week").select_option("now")
    paid.get_by_role("button", name="Buy launch").click()
    expect(page).to_have_url(re.compile("/checkout/"))
    page.wait_for_load_state()
    expect(way.main).to_contain_text(way.name)


def pay_on_the_test_gateway(way: Way, has_script: bool) -> None:
    page = way.page
    expect(page.get_by_text("no money moves").first).to_be_visible()
    for label, value in {"Name": "Ada Example", "Address": "1 Quay", "City": "Berlin"}.items():
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_label("Country").select_option("DE")
    page.get_by_role("button", name="Update total").last.click()
    expect(way.main).to_contain_text("19% Germany")
    page.get_by_label("I accept the terms").check()
    page.get_by_role("button", name=re.compile(r"^Pay \$")).click()
    page.get_by_role("button", name="Pay now").click()
    expect(page).to_have_url(re.compile("/orders/SL-"))
    expect(way.main).to_contain_text("Payment received.")
    if not has_script:
        reload_when_it_says(page, "You’re live")
    expect(way.main.get_by_role("heading", name="You’re live")).to_be_visible()
    expect(way.main.get_by_role("button", name="Copy").first).to_be_visible(visible=has_script)
    expect(way.main.get_by_role("link", name="View your listing")).to_have_attribute(
        "href", f"{way.slipway.base_url}/listings/{way.slug}"
    )
    answer = page.goto(f"/listings/{way.slug}")
    assert answer is not None
    assert answer.status == 200
    expect(page.get_by_role("heading", level=1)).to_have_text(way.name)


def publish_the_story(way: Way) -> None:
    page = way.page
    page.goto(f"/listings/{way.slug}/manage")
    page.get_by_role("navigation", name="This listing").get_by_role("link", name="Story", exact=True).click()
    page.locator("[name=title]").fill("How a harbour learned to keep time")
    for section in SECTIONS:
        page.locator(f"[name={section}]").fill(f"Of {section}: {'we sailed on and wrote it down, ' * 16}and went home.")
    page.get_by_role("button", name="Publish").click()
    way.main.get_by_role("link", name="View story").click()
    expect(page).to_have_url(re.compile(f"/stories/{way.slug}$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("How a harbour learned to keep time")
    expect(way.main).to_contain_text("Ada Example")


def make_a_key(way: Way) -> None:
    page = way.page
    page.goto("/account/keys")
    page.get_by_role("link", name="Create key").first.click()
    prove_it_is_you(page)
    page.get_by_label("Name").fill("The way’s key")
    page.get_by_role("button", name="Create key").click()
    secret = page.get_by_label("API key", exact=True).input_value()
    address = f"{way.slipway.up['api_url']}/me/listings"
    answer = httpx2.get(
        address, headers={"Authorization": f"Bearer {secret}"}, timeout=PATIENCE_SECONDS
    ).raise_for_status()
    assert [item["slug"] for item in answer.json()["items"]] == [way.slug]


@dataclass
class AtTheBrowser:
    """Passes what an assistant asks for on to the thread of the browser, and its answer back."""

    asked: Queue[str] = field(default_factory=Queue)
    sent_back_to: Queue[str] = field(default_factory=Queue)

    def allow(self, url: str) -> str:
        self.asked.put(url)
        return self.sent_back_to.get(timeout=PATIENCE_SECONDS)


def connect_an_assistant(way: Way) -> None:
    """It wants to access when it needs it; the person allows it; then it posts an update that everybody sees."""
    with sending_on(None) as port:
        _connect(way, f"http://127.0.0.1:{port}/callback")


def _connect(way: Way, callback: str) -> None:
    page, person, title = way.page, AtTheBrowser(), f"Update {secrets.token_hex(4)}"
    name = f"Assistant {secrets.token_hex(4)}"
    assistant = Assistant(way.slipway.up["mcp_url"], person, name=name, callback=callback)

    async def use() -> str:
        async with session_of(assistant.url, version=VERSIONS[-1], auth=assistant.provider()) as session:
            mine: Any = await session.call_tool("list_my_listings", {})
            [listing] = mine.structured_content["items"]
            words = {"title": title, "body": "It was allowed to, and so it did."}
            posted: Any = await session.call_tool("post_listing_update", {"listing_id": listing["id"], **words})
            assert not posted.is_error, posted.content
            return str(listing["slug"])

    # Playwright keeps the loop of this thread.
    with ThreadPoolExecutor(1) as elsewhere:
        used = elsewhere.submit(asyncio.run, use())
        page.goto(person.asked.get(timeout=PATIENCE_SECONDS))
        expect(way.main).to_contain_text("An unverified app on your computer wants to access")
        expect(way.main).to_contain_text(f"Self-reported name: {assistant.name}")
        expect(way.main).to_contain_text(way.email)
        expect(way.main).to_contain_text("a program on this computer")
        press(page, "Allow access")
        page.wait_for_url(lambda url: url.startswith(callback))
        person.sent_back_to.put(page.url)
        assert used.result(PATIENCE_SECONDS) == way.slug
    page.goto("/updates")
    expect(way.main).to_contain_text(title)
    page.goto("/account/apps")
    expect(way.main.get_by_role("listitem").filter(has_text=assistant.name)).to_contain_text(
        SCOPE_TEXTS[Scope.LISTINGS_WRITE]
    )
