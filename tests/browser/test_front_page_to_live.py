"""From the front page to a paid, live listing as a new person: no more pages, clicks and typed fields than needed."""

import re
import secrets
from dataclasses import dataclass, field

from tests.browser.playwright import Locator, Page, expect
from tests.browser.test_sign_in import PASSWORD, code_for
from tests.email_server import EmailServer
from tests.pages_server import Website
from tests.real_pages import real_pages

MOST_PAGES, MOST_CLICKS, MOST_FIELDS = 8, 9, 7
# Without JavaScript, the total with VAT is shown before it can be paid.
MORE_WITHOUT_SCRIPT = 1


@dataclass
class Effort:
    """What it takes a person. A page that loads itself again, once a draft or a payment is ready, counts once."""

    page: Page
    pages: set[str] = field(default_factory=set)
    clicks: list[str] = field(default_factory=list)
    fields: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("domcontentloaded", lambda page: self.pages.add(page.url))

    @property
    def main(self) -> Locator:
        return self.page.get_by_role("main")

    def fill(self, label: str, value: str) -> None:
        self.fields.append(label)
        self.main.get_by_label(re.compile(f"^{label}\\b")).first.fill(value)

    def press(self, name: str | re.Pattern[str]) -> None:
        self.click(self.main.get_by_role("button", name=name).first)

    def click(self, target: Locator) -> None:
        self.clicks.append(target.inner_text())
        target.click()


def test_a_new_person_pays_for_a_live_listing(
    page: Page, website: Website, mailbox: EmailServer, has_script: bool
) -> None:
    email, effort = f"short-way-{secrets.token_hex(4)}@example.com", Effort(page)
    website.serve("/", real_pages(1)[0])
    page.goto("/")
    effort.fill("Website URL", website.url())
    effort.press("Draft my listing")
    effort.fill("Email", email)
    effort.fill("Password", PASSWORD)
    effort.press("Create account")
    effort.fill("Code", code_for(email, mailbox, subject="Your code for"))
    effort.press("Continue")
    expect(page.get_by_role("button", name="Submit listing")).to_be_visible()
    effort.press("Submit listing")
    effort.press(re.compile("^Buy launch"))
    for label, value in {"Name": "Ada Example", "Address": "1 Quay", "City": "Berlin"}.items():
        effort.fill(label, value)
    effort.clicks.append("Country")
    page.get_by_label("Country").select_option("DE")
    if has_script:
        expect(effort.main).to_contain_text("19% Germany")
    effort.clicks.append("Terms")
    page.get_by_label("I accept the terms").check()
    effort.press(re.compile(r"^Pay \$"))
    if not has_script:
        expect(effort.main).to_contain_text("19% Germany")
        effort.press(re.compile(r"^Pay \$"))
    effort.press("Pay now")
    # Other tests may have bought the last spots of this week.
    paid = effort.main.get_by_role("heading", name=re.compile("^You’re (live|scheduled)$"))
    expect(paid).to_be_visible()
    counts = len(effort.pages), len(effort.clicks), len(effort.fields)
    more = 0 if has_script else MORE_WITHOUT_SCRIPT
    most = MOST_PAGES + more, MOST_CLICKS + more, MOST_FIELDS
    assert all(one <= limit for one, limit in zip(counts, most, strict=True)), (counts, effort)
