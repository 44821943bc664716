"""A founder fills in the profile: neither the photo nor the words get lost, and the count is the server's."""

import pytest

from apps.core.api.serializers import clean_text
from tests.browser.conftest import with_script
from tests.browser.playwright import FilePayload, Page, expect
from tests.faults.shop import Team
from tests.installation import Account
from tests.pictures import picture, png_that_claims

TYPED = (
    "",
    "  blanks  ",
    "e\u0301 becomes one",
    "\u202eturned\u0000 round",
    "\U0001f469\u200d\U0001f4bb works",
    "two\n\nlines\n",
    "\u6f22\u5b57",
    "x" * 80,
    "x" * 1001,
)


@pytest.fixture
def profile(signed_in: Page, account: Account, console: Team) -> Page:
    """The owner's profile page, with everything on it."""
    console.do("make_profile", account_id=account.account_id)
    signed_in.goto("/account/profile")
    return signed_in


def choose(page: Page, content: bytes) -> None:
    file = FilePayload(name="me.jpg", mimeType="image/jpeg", buffer=content)
    page.get_by_label("Photo file").set_input_files(file)


def test_a_photo_and_words(profile: Page) -> None:
    photo = profile.get_by_role("img", name="Your photo")
    before = photo.get_attribute("src") or ""
    bio, words = profile.get_by_label("Bio"), "Typed and not saved yet."
    bio.fill(words)
    choose(profile, png_that_claims(60_000, 60_000))
    profile.get_by_role("button", name="Replace photo").click()
    expect(profile.locator("#photo").get_by_text("up to 8,000 pixels per side")).to_be_visible()
    expect(bio).to_have_value(words)
    choose(profile, picture(size=(600, 400)))
    profile.get_by_role("button", name="Replace photo").click()
    expect(profile.get_by_text("Photo saved")).to_be_visible()
    expect(bio).to_have_value(words)
    expect(photo).not_to_have_attribute("src", before)
    assert photo.evaluate("image => image.decode().then(() => image.naturalWidth)") == 192
    assert str(photo.evaluate("image => image.currentSrc")).endswith("/192.webp")
    text = f"Words {len(before)} and \u00e4\U0001f469\u200d\U0001f4bb"
    bio.fill(text)
    # The Enter key saves, although the photo's button stands before that one.
    profile.get_by_label("Role").press("Enter")
    expect(profile.get_by_text("Profile saved")).to_be_visible()
    expect(bio).to_have_value(text)
    expect(profile.locator("[data-count-of]")).to_have_text(f"{len(text)}/1,000 (minimum 80)")


@with_script
def test_the_count_while_typing(profile: Page) -> None:
    count = profile.locator("[data-count-of]")
    for typed in TYPED:
        # As pasting and dictation do: the browser's own limit only holds back keys.
        profile.get_by_label("Bio").evaluate(
            "(field, typed) => { field.value = typed; field.dispatchEvent(new Event('input')); }", typed
        )
        length = len(clean_text(typed, multiline=True))
        expect(count).to_have_text(f"{length:,}/1,000 (minimum 80)")


def test_a_file_that_is_too_large(profile: Page, has_script: bool) -> None:
    choose(profile, bytes(5 * 2**20 + 1))
    if not has_script:
        profile.get_by_role("button", name="Replace photo").click()
    expect(profile.locator("#photo").get_by_text("5.1 MB. Use one of up to 5 MB.")).to_be_visible()
