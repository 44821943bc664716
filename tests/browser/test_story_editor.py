"""Writing a founder story in a browser: whatever happens to connection, page or sign-in, no word is lost."""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from apps.core.api.serializers import clean_text
from apps.core.editing.plain_text import count_words
from tests.browser.axe import complaints
from tests.browser.conftest import remember, visit
from tests.browser.line import Line
from tests.browser.playwright import Browser, Locator, Page, expect
from tests.browser.test_sign_in import sign_in
from tests.installation import Account
from tests.running import Running
from tests.waiting import wait_for

SECTIONS = ("how_started", "problem", "what_built", "hard_parts", "milestones", "whats_next")
# What Chromium notes when a connection is lost, when somebody is signed out, and signed in anew with another token.
LOST = ("net::ERR_", "a status of 401 ", "a status of 403 ")
LEFT_BEHIND = "Object.keys(localStorage).filter((key) => key.startsWith('slipway-editor:'))"


@dataclass(frozen=True)
class Story:
    """The story of a listing, as its owner and their assistants have it."""

    account: Account
    listing: dict[str, Any]

    @property
    def editor(self) -> str:
        return f"/listings/{self.listing['slug']}/story"

    def put(self, **fields: str) -> None:
        """What an assistant does with an API key."""
        self.account.rest.put(f"me/listings/{self.listing['id']}/story", json=fields).raise_for_status()

    def saved(self) -> dict[str, Any]:
        """Return the saved story: title and sections."""
        answer = self.account.rest.get(f"me/listings/{self.listing['id']}", params={"include": "founder_story"})
        result = answer.raise_for_status().json()["founder_story"]
        return {"title": result["title"], **result["sections"]}


@pytest.fixture
def story(account: Account, listing: dict[str, Any]) -> Story:
    """A draft, with words in every section."""
    made = Story(account, listing)
    made.put(title="A draft in the making", **{name: fresh(f"Saved in {name}.") for name in SECTIONS})
    return made


@pytest.fixture
def writer(browser: Browser, slipway: Running, story: Story) -> Iterator[Page]:
    """The editor, with JavaScript."""
    with visit(browser, slipway.base_url, session=story.account.session, noted=LOST) as page:
        page.goto(story.editor)
        yield page


def fresh(text: str) -> str:
    return f"{text} {secrets.token_hex(4)}"


def field(page: Page, name: str) -> Locator:
    return page.locator(f"[name={name}]")


def expect_state(page: Page, state: str) -> None:
    expect(page.locator("[data-state]")).to_have_attribute("data-state", state)


def expect_told(page: Page, text: str) -> None:
    """The message at the top of the page that a form leads to."""
    expect(page.get_by_role("status").filter(has_text=text)).to_be_visible()


def conflict(page: Page, name: str) -> Locator:
    return page.locator(f"#at-{name} [data-conflict]")


def type_on(page: Page, name: str, text: str) -> str:
    """Write behind what is in a field, as a person does; returns all that is in it then."""
    place = field(page, name)
    place.press("Control+End")
    place.press_sequentially(text)
    return str(place.input_value())


def fill_all(page: Page, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        field(page, name).fill(text)


def expect_all(page: Page, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        expect(field(page, name)).to_have_value(text)


def everything() -> dict[str, str]:
    """A text for every field, of the kinds that are easily lost."""
    return {
        "title": fresh("A title of my own"),
        "how_started": fresh("One paragraph.\n\nAnother one, with <b>no markup</b> & an ampersand"),
        "problem": fresh(
            "\u05d4\u05db\u05dc \u05d4\u05ea\u05d7\u05d9\u05dc \u05d1\u05d2\u05d9\u05dc\u05d9\u05d5\u05df"
        ),
        "what_built": fresh("\u6211\u4eec\u5148\u505a\u4e86\u4e00\u4e2a\u8868\u683c\u3002"),
        "hard_parts": fresh("Nobody answered \U0001f9d1\u200d\U0001f680 for weeks"),
        "milestones": fresh("word " * 400),
        "whats_next": fresh("</textarea><script>alert(1)</script>"),
    }


def test_every_word_is_there_after_the_connection_was_lost(
    writer: Page, slipway: Running, story: Story, browser: Browser
) -> None:
    before, texts = story.saved(), everything()
    fill_all(writer, {name: texts[name] for name in ("title", "how_started")})
    expect_state(writer, "kept")
    writer.context.set_offline(True)
    fill_all(writer, {name: text for name, text in texts.items() if name != "title"})
    texts["how_started"] = type_on(writer, "how_started", " and more of it")
    expect_state(writer, "offline")
    expect_told(writer, "No connection")
    writer.close()
    writer.context.set_offline(False)

    again = writer.context.new_page()
    again.goto(story.editor)
    expect_all(again, texts)
    expect_state(again, "kept")
    assert again.evaluate(LEFT_BEHIND) == []
    assert again.locator("[data-conflict]").count() == 0
    assert story.saved() == before

    with visit(browser, slipway.base_url, script=False, session=story.account.session) as elsewhere:
        elsewhere.goto(story.editor)
        expect_all(elsewhere, texts)
        elsewhere.get_by_role("button", name="Save draft").click()
        expect_told(elsewhere, "Draft saved")
    assert story.saved() == {name: clean_text(text, multiline=True) for name, text in texts.items()}


def test_the_connection_comes_back_while_the_page_is_open(writer: Page, story: Story) -> None:
    writer.context.set_offline(True)
    text = type_on(writer, "problem", fresh(" Without a connection"))
    expect_state(writer, "offline")
    writer.context.set_offline(False)
    expect_state(writer, "kept")
    assert writer.evaluate(LEFT_BEHIND) == []
    writer.goto("about:blank")
    writer.goto(story.editor)
    expect(field(writer, "problem")).to_have_value(text)


def test_a_server_that_is_gone_takes_no_word_along(browser: Browser, slipway: Running, story: Story) -> None:
    # Cookies are the same for each port.
    with (
        Line(slipway.base_url) as line,
        visit(browser, line.base_url, session=story.account.session, noted=LOST) as page,
    ):
        page.goto(story.editor)
        line.cut()
        text = type_on(page, "problem", fresh(" Nobody listens"))
        expect_state(page, "offline")
        # Saving does not send the words into the void: the page stays, with all of them.
        page.get_by_role("button", name="Save draft").click()
        expect(field(page, "problem")).to_have_value(text)
        expect_state(page, "offline")
        page.close()
        line.mend()
        again = page.context.new_page()
        again.goto(story.editor)
        expect(field(again, "problem")).to_have_value(text)
        expect_state(again, "kept")
        again.get_by_role("button", name="Save draft").click()
        expect_told(again, "Draft saved")
        assert again.evaluate(LEFT_BEHIND) == []
    assert story.saved()["problem"] == text


def test_a_page_closed_at_once_loses_nothing(writer: Page, story: Story) -> None:
    text = type_on(writer, "hard_parts", fresh(" Typed, and gone"))
    writer.close()
    again = writer.context.new_page()
    again.goto(story.editor)
    expect(field(again, "hard_parts")).to_have_value(text)
    expect_state(again, "kept")


def test_a_page_closed_while_it_waits_for_an_answer_is_no_other_window(writer: Page, story: Story) -> None:
    """The server has a text that the page was never told of; one's own words do not stand against oneself."""
    arrived: list[int] = []

    def answer_nothing(route: Any) -> None:
        arrived.append(route.fetch().status)

    def has_arrived() -> bool:
        # Meanwhile Playwright calls the function above.
        writer.wait_for_timeout(50)
        return bool(arrived)

    writer.route("**/story/autosave", answer_nothing)
    type_on(writer, "hard_parts", fresh(" The beginning"))
    expect_state(writer, "saving")
    wait_for(has_arrived)
    text = type_on(writer, "hard_parts", fresh(" and the end"))
    writer.close()
    again = writer.context.new_page()
    again.goto(story.editor)
    expect(field(again, "hard_parts")).to_have_value(text)
    expect_state(again, "kept")
    expect(conflict(again, "hard_parts")).to_have_count(0)


def test_an_answer_that_never_came_makes_nobody_another_window(writer: Page, story: Story) -> None:
    """The connection breaks after the server has the text; what is typed since goes on from it."""
    arrived: list[int] = []

    def break_off(route: Any) -> None:
        arrived.append(route.fetch().status)
        route.abort("connectionreset")

    writer.route("**/story/autosave", break_off, times=1)
    type_on(writer, "problem", fresh(" The beginning"))
    expect_state(writer, "offline")
    assert arrived == [200]
    text = type_on(writer, "problem", fresh(" and the end"))
    expect_state(writer, "kept")
    expect(conflict(writer, "problem")).to_have_count(0)
    assert writer.evaluate(LEFT_BEHIND) == []
    writer.goto("about:blank")
    writer.goto(story.editor)
    expect(field(writer, "problem")).to_have_value(text)


def test_a_text_past_every_limit_keeps_no_other_from_the_server(
    browser: Browser, slipway: Running, story: Story
) -> None:
    """Text too large for a request stays in the browser, with a message. Everything else is kept as always."""
    with visit(browser, slipway.base_url, session=story.account.session, noted=("a status of 413 ",)) as page:
        page.goto(story.editor)
        long = "word " * 80_000
        page.evaluate("(text) => { document.querySelector('[name=how_started]').value = text; }", long)
        field(page, "how_started").dispatch_event("input")
        text = type_on(page, "whats_next", fresh(" Next to it"))
        expect_state(page, "refused")
        expect(page.locator("#at-how_started")).to_contain_text("too long")
        page.get_by_role("button", name="Save draft").click()
        expect(field(page, "how_started")).to_be_focused()
        page.goto("about:blank")
        page.goto(story.editor)
        expect(field(page, "whats_next")).to_have_value(text)
        expect(field(page, "how_started")).to_have_value(long)
        expect_state(page, "refused")
        field(page, "how_started").fill("Short again")
        expect_state(page, "kept")
        assert page.evaluate(LEFT_BEHIND) == []


def test_two_windows_lose_neither_text(writer: Page, story: Story) -> None:
    other = writer.context.new_page()
    other.goto(story.editor)
    first, elsewhere = fresh("Of the first window"), fresh("In another section")
    field(writer, "how_started").fill(first)
    expect_state(writer, "kept")
    second = fresh("Of the second window")
    field(other, "how_started").fill(second)
    field(other, "problem").fill(elsewhere)
    expect(conflict(other, "how_started")).to_contain_text(first)
    expect(field(other, "how_started")).to_have_value(second)
    expect(field(other, "problem")).to_have_value(elsewhere)
    expect(field(writer, "how_started")).to_have_value(first)
    conflict(other, "how_started").get_by_role("button").click()
    expect(field(other, "how_started")).to_have_value(first)
    expect(field(other, "problem")).to_have_value(elsewhere)
    expect(conflict(other, "how_started")).to_have_count(0)
    other.get_by_role("button", name="Save draft").click()
    expect_told(other, "Draft saved")
    now = story.saved()
    assert (now["how_started"], now["problem"]) == (first, elsewhere)


def test_the_text_of_one_window_can_replace_the_others(writer: Page, story: Story) -> None:
    other = writer.context.new_page()
    other.goto(story.editor)
    first, second = fresh("Of the first window"), fresh("Of the second window")
    field(writer, "how_started").fill(first)
    expect_state(writer, "kept")
    field(other, "how_started").fill(second)
    expect(conflict(other, "how_started")).to_contain_text(first)
    conflict(other, "how_started").scroll_into_view_if_needed()
    other.get_by_role("button", name="Save draft").click()
    expect_told(other, "Draft saved")
    assert story.saved()["how_started"] == second
    # The first window still has its own text, and shows a warning before it overwrites the second one's.
    expect(field(writer, "how_started")).to_have_value(first)
    third = type_on(writer, "how_started", " and more")
    expect(conflict(writer, "how_started")).to_contain_text(second)
    expect(field(writer, "how_started")).to_have_value(third)
    assert story.saved()["how_started"] == second


def test_a_text_that_nobody_could_see_is_shown_before_it_is_replaced(writer: Page, story: Story) -> None:
    theirs, mine = fresh("Written by an assistant"), fresh("My own words")
    story.put(whats_next=theirs)
    field(writer, "whats_next").fill(mine)
    writer.evaluate("scrollTo(0, 0)")
    expect(conflict(writer, "whats_next")).to_contain_text(theirs)
    writer.get_by_role("button", name="Save draft").click()
    expect(writer.get_by_role("alert")).to_contain_text("Some texts changed while you were writing")
    assert story.saved()["whats_next"] == theirs
    expect(field(writer, "whats_next")).to_have_value(mine)
    writer.get_by_role("button", name="Save draft").click()
    expect_told(writer, "Draft saved")
    assert story.saved()["whats_next"] == mine


def test_an_edit_after_the_one_that_was_seen_is_shown_as_well(writer: Page, story: Story) -> None:
    first, second, mine = fresh("First by an assistant"), fresh("Then by an assistant"), fresh("My own words")
    story.put(how_started=first)
    field(writer, "how_started").fill(mine)
    expect(conflict(writer, "how_started")).to_contain_text(first)
    conflict(writer, "how_started").scroll_into_view_if_needed()
    story.put(how_started=second)
    writer.get_by_role("button", name="Save draft").click()
    expect(conflict(writer, "how_started")).to_contain_text(second)
    expect(field(writer, "how_started")).to_have_value(mine)
    assert story.saved()["how_started"] == second


def test_an_assistants_edit_is_shown_beside_the_text_and_not_overwritten(signed_in: Page, story: Story) -> None:
    """With JavaScript as one types, without it on saving; the assistant's other section is simply there."""
    page = signed_in
    page.goto(story.editor)
    theirs, quiet = fresh("Written by an assistant"), fresh("Quietly written by it")
    mine, also_mine = fresh("My own words"), fresh("More of mine")
    story.put(hard_parts=theirs, milestones=quiet)
    field(page, "hard_parts").fill(mine)
    field(page, "whats_next").fill(also_mine)
    page.get_by_role("button", name="Save draft").click()
    expect(conflict(page, "hard_parts")).to_contain_text(theirs)
    expect_all(page, {"hard_parts": mine, "whats_next": also_mine})
    now = story.saved()
    assert (now["hard_parts"], now["milestones"]) == (theirs, quiet)

    conflict(page, "hard_parts").get_by_role("button", name="Use this version").click()
    expect(field(page, "hard_parts")).to_have_value(theirs)
    expect(field(page, "whats_next")).to_have_value(also_mine)
    field(page, "hard_parts").fill(mine)
    page.get_by_role("button", name="Save draft").click()
    expect_told(page, "Draft saved")
    now = story.saved()
    assert (now["hard_parts"], now["milestones"], now["whats_next"]) == (mine, quiet, also_mine)


def test_an_assistants_edit_shows_while_one_types(writer: Page, story: Story) -> None:
    theirs = fresh("Written by an assistant")
    story.put(hard_parts=theirs)
    mine = type_on(writer, "hard_parts", fresh(" My own words"))
    expect(conflict(writer, "hard_parts")).to_contain_text(theirs)
    expect_state(writer, "conflict")
    longer = type_on(writer, "hard_parts", " go on")
    assert longer.startswith(mine)
    writer.close()
    again = writer.context.new_page()
    again.goto(story.editor)
    expect(field(again, "hard_parts")).to_have_value(longer)
    expect(conflict(again, "hard_parts")).to_contain_text(theirs)
    assert story.saved()["hard_parts"] == theirs


def test_signed_out_in_between(writer: Page, story: Story) -> None:
    session = next(cookie for cookie in writer.context.cookies() if "session" in cookie.get("name", ""))
    writer.context.clear_cookies(name=session.get("name", ""))
    text = type_on(writer, "whats_next", fresh(" Still writing"))
    expect_state(writer, "signed-out")
    writer.get_by_role("button", name="Save draft").click()
    expect(field(writer, "whats_next")).to_have_value(text)
    with writer.context.expect_page() as opened:
        writer.get_by_role("link", name="Sign in (new window)").click()
    sign_in(opened.value, story.account.email, story.account.password)
    opened.value.wait_for_url(lambda url: "sign-in" not in url)
    opened.value.close()
    writer.bring_to_front()
    writer.evaluate("window.dispatchEvent(new Event('focus'))")
    expect_state(writer, "kept")
    writer.get_by_role("button", name="Save draft").click()
    expect_told(writer, "Draft saved")
    assert story.saved()["whats_next"] == text
    assert writer.evaluate(LEFT_BEHIND) == []


def test_a_text_that_is_too_long_is_refused_with_its_limit_and_kept(signed_in: Page, story: Story) -> None:
    page = signed_in
    page.goto(story.editor)
    before, long = story.saved(), fresh("word " * 2100)
    mine = fresh("Another text that is fine")
    field(page, "problem").fill(long)
    field(page, "hard_parts").fill(mine)
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_role("alert")).to_contain_text("up to 10,000 characters")
    expect_all(page, {"problem": long, "hard_parts": mine})
    assert story.saved() == before
    page.goto(story.editor)
    expect_all(page, {"problem": long, "hard_parts": mine})
    field(page, "problem").fill(mine)
    page.get_by_role("button", name="Save draft").click()
    expect_told(page, "Draft saved")
    now = story.saved()
    assert (now["problem"], now["hard_parts"]) == (mine, mine)


def test_signed_out_without_javascript_the_words_come_back(browser: Browser, slipway: Running, story: Story) -> None:
    with visit(browser, slipway.base_url, script=False, session=story.account.session, noted=LOST) as page:
        page.goto(story.editor)
        text = fresh("Written before the sign-out")
        field(page, "whats_next").fill(text)
        session = next(cookie for cookie in page.context.cookies() if "session" in cookie.get("name", ""))
        page.context.clear_cookies(name=session.get("name", ""))
        page.get_by_role("button", name="Save draft").click()
        expect(page.get_by_role("main")).to_contain_text("You were signed out. Sign in, and your text is still there.")
        sign_in(page, story.account.email, story.account.password)
        expect(field(page, "whats_next")).to_have_value(text)
        page.get_by_role("button", name="Save draft").click()
        expect_told(page, "Draft saved")
        assert story.saved()["whats_next"] == text


TEXTS = (
    "",
    "   \n\n ",
    "one",
    "one two  three\n\nfour",
    "don't stop-gap e\u0301t\u00e9 \u2014 and \u2026 so",
    "\u6211\u4eec\u5148\u505a\u4e86\u4e00\u4e2a\u8868\u683c\u3002Then English\u3002",
    "\u3053\u308c\u306f\u30c6\u30b9\u30c8\u3067\u3059\u3002",
    "\ud55c\uad6d\uc5b4 \ub2e8\uc5b4 \uc138\uae30",
    "\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22",
    "\u0627\u0644\u0639\u0631\u0628\u064a\u0629 \u0644\u063a\u0629",
    "\u0939\u093f\u0928\u094d\u0926\u0940 \u092d\u093e\u0937\u093e",
    "\U0001f680 \U0001f9d1\u200d\U0001f680 rocket",
    "1 2.5 \u00bd \u2163 \u2460 \u0661\u0662\u0663",
    "zero\u200bwidth soft\u00adhyphen no\u00a0break bom\ufeffhere",
    "\u202eright to left override\u202c",
    "tabs\tand\u2003wide\u3000blanks\u2028lines",
    "\U00020000\U0002a6d6 rare \U00010400",
    "https://example.com/a-b?c=d and more",
    "\u3164\u2800",
)


@pytest.mark.parametrize("name", ["how_started", "title"])
def test_counts_on_screen_are_the_servers(writer: Page, name: str) -> None:
    shown = writer.locator(f"[data-count={name}]")
    unit = shown.get_attribute("data-unit")
    told = {}
    for text in TEXTS:
        field(writer, name).fill(text)
        told[text] = int(shown.inner_text())
    # A single line takes no line ends.
    cleaned = {
        text: clean_text(text.replace("\n", " ") if name == "title" else text, multiline=name != "title")
        for text in TEXTS
    }
    assert unit == ("characters" if name == "title" else "words")
    assert told == {text: count_words(clean) if unit == "words" else len(clean) for text, clean in cleaned.items()}


def test_an_answer_of_the_interview_survives_as_well(browser: Browser, slipway: Running, account: Account) -> None:
    with visit(browser, slipway.base_url, session=account.session, noted=LOST) as page:
        # Whole, with its script, before the connection goes.
        page.goto("/account/interview")
        answers = page.locator("textarea[data-field]")
        text = fresh("An answer of my own")
        page.context.set_offline(True)
        answers.last.fill(text)
        expect_state(page, "offline")
        page.close()
        page.context.set_offline(False)
        again = page.context.new_page()
        again.goto("/account/interview")
        expect(again.locator("textarea[data-field]").last).to_have_value(text)
        expect_state(again, "kept")
        again.get_by_role("button", name="Save").last.click()
        expect_state(again, "saved")
        expect(again.locator("textarea[data-field]").last).to_have_value(text)
        assert again.evaluate(LEFT_BEHIND) == []


def test_nothing_covers_the_fields_on_a_phone(browser: Browser, slipway: Running, story: Story) -> None:
    size: Any = {"viewport": {"width": 390, "height": 844}}
    with visit(browser, slipway.base_url, session=story.account.session, noted=LOST, **size) as page:
        page.goto(story.editor)
        title = field(page, "title")
        title.scroll_into_view_if_needed()
        expect(title).to_be_in_viewport(ratio=1)
        top = "box => document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.getAttribute('name')"
        assert page.evaluate(top, title.bounding_box()) == "title"


def test_a_conflict_and_a_text_that_is_too_long(reader: Page, slipway: Running, story: Story) -> None:
    remember(reader, slipway.base_url, story.account.session)
    reader.goto(story.editor)
    theirs = fresh("Written by an assistant")
    story.put(problem=theirs)
    field(reader, "problem").fill(fresh("My own words"))
    field(reader, "milestones").fill("word " * 2001)
    expect(conflict(reader, "problem")).to_contain_text(theirs)
    expect(reader.locator("#milestones-problem")).to_contain_text("up to 10,000 characters")
    assert complaints(reader) == []
    reader.get_by_role("button", name="Save draft").click()
    expect(reader.get_by_role("alert").first).to_be_visible()
    assert complaints(reader) == []
