"""A key's life in a browser: asked for the password, made, copied, used, rotated, revoked."""

import re
from datetime import UTC, datetime, timedelta

import httpx2

from apps.core.api.scopes import SCOPE_TEXTS, Scope
from apps.core.text.dates import date_text
from tests.browser.playwright import Page, expect
from tests.installation import Account
from tests.running import Running
from tests.waiting import PATIENCE_SECONDS


def status_with(slipway: Running, secret: str) -> int:
    answer = httpx2.get(
        f"{slipway.up['api_url']}/me/listings", headers={"Authorization": f"Bearer {secret}"}, timeout=PATIENCE_SECONDS
    )
    return answer.status_code


def shown_secret(page: Page, *, has_script: bool) -> str:
    """The secret on the page; with a script it is what the button put into the clipboard, too."""
    field = page.get_by_label("API key", exact=True)
    expect(field).to_have_value(re.compile(r"^slip_\w{38}$"))
    secret: str = field.input_value()
    button = page.get_by_role("button", name="Copy API key")
    if has_script:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        button.click()
        expect(page.get_by_role("region", name="New key").get_by_role("status")).to_have_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()") == secret
    else:
        expect(button).to_be_hidden()
        expect(field).not_to_be_editable()
    return secret


def test_make_copy_rotate_and_revoke(signed_in: Page, slipway: Running, account: Account, has_script: bool) -> None:
    page, name = signed_in, "For the browser"
    page.goto("/account/keys")
    page.get_by_role("link", name="Create key").first.click()
    page.get_by_label("Password").fill(account.password)
    page.get_by_role("main").get_by_role("button").first.click()

    page.get_by_label("Name").fill(name)
    page.get_by_label(SCOPE_TEXTS[Scope.LISTINGS_WRITE]).uncheck()
    expect(page.get_by_label("Last day")).to_be_hidden()
    page.get_by_label("It expires").select_option(label="Custom date")
    last = datetime.now(UTC).date() + timedelta(days=100)
    page.get_by_label("Last day").fill(last.isoformat())
    page.get_by_role("button", name="Create key").click()
    old = shown_secret(page, has_script=has_script)
    assert status_with(slipway, old) == 200

    page.get_by_role("link", name="Done").click()
    expect(page.get_by_role("main")).not_to_contain_text(old)
    row = page.get_by_role("listitem").filter(has_text=name)
    expect(row).to_contain_text("Active")
    expect(row).to_contain_text(f"Expires {date_text(last + timedelta(days=1))}, 00:00 UTC")
    expect(row).not_to_contain_text(SCOPE_TEXTS[Scope.LISTINGS_WRITE])
    row.get_by_role("link", name="Rotate").click()
    page.get_by_label("Immediately").check()
    page.get_by_role("button", name="Rotate key").click()
    new = shown_secret(page, has_script=has_script)
    assert (status_with(slipway, old), status_with(slipway, new)) == (401, 200)

    page.get_by_role("link", name="Done").click()
    row = page.get_by_role("listitem").filter(has_text=name).first
    row.get_by_role("button", name=f"Revoke {name}").click()
    page.get_by_role("button", name="Cancel").click()
    assert status_with(slipway, new) == 200
    row.get_by_role("button", name=f"Revoke {name}").click()
    page.get_by_role("button", name="Revoke key").click()
    expect(page.get_by_text(f"Key {name} revoked")).to_be_visible()
    assert status_with(slipway, new) == 401
    page.get_by_text("Expired and revoked keys").click()
    ended = page.get_by_role("listitem").filter(has_text=name)
    expect(ended.filter(has_text="Revoked")).to_have_count(1)
    expect(ended.filter(has_text="Replaced by")).to_have_count(1)


def test_the_setup_page_opens_one_assistant_at_a_time(page: Page, has_script: bool) -> None:
    page.goto("/connect")
    expect(page.get_by_text("Add custom connector")).to_be_visible()
    page.get_by_text("Claude Code", exact=True).first.click()
    expect(page.get_by_text("Add custom connector")).to_be_hidden()
    command = page.get_by_text(re.compile(r"^claude mcp add --transport http --scope user slipway http://.+/mcp$"))
    expect(command).to_be_visible()
    copy = page.get_by_role("button", name="Copy Command for Claude Code")
    if has_script:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        copy.click()
        expect(page.get_by_role("button", name="Copied Command for Claude Code")).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()") == command.inner_text()
    else:
        expect(copy).to_be_hidden()
