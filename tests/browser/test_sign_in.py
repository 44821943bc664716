"""What a person does to sign up and in: a code by email, a password, a passkey, a new password."""

import re
import secrets
from collections.abc import Iterator

import pytest

from tests.browser.conftest import visit
from tests.browser.playwright import Browser, Page, expect
from tests.email_server import EmailServer
from tests.running import Running

PASSWORD = "a long password for the browser"


@pytest.fixture
def address(slipway: Running) -> str:
    """The place by its name, which passkeys need."""
    return slipway.base_url.replace("127.0.0.1", "localhost")


@pytest.fixture(params=["script", "no script"])
def visitor(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[Page]:
    with visit(browser, address, script=request.param == "script") as page:
        yield page


@pytest.fixture
def keyholder(browser: Browser, address: str) -> Iterator[Page]:
    """A visitor whose device can keep passkeys and confirms them immediately."""
    with visit(browser, address) as page:
        virtual_device(page)
        yield page


def virtual_device(page: Page) -> None:
    """Give the page a device that keeps passkeys and confirms them immediately."""
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
    }
    device.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def press(page: Page, name: str) -> None:
    page.get_by_role("main").get_by_role("button", name=name).click()


def code_for(email: str, mailbox: EmailServer, *, subject: str) -> str:
    [code] = re.findall(r"^[A-Z]{4}-[A-Z]{4}$", mailbox.newest_text(email, subject=subject), re.MULTILINE)
    return str(code)


def sign_in(page: Page, email: str, password: str = PASSWORD) -> None:
    """Fill in the sign-in page that is open."""
    page.get_by_label(re.compile("^Email")).fill(email)
    page.get_by_label("Password").fill(password)
    press(page, "Sign in")


def sign_up(page: Page, mailbox: EmailServer, *, come_from: str) -> str:
    """Ask for a page that needs an account, make one, and end where one began; returns the address."""
    page.goto(come_from)
    page.get_by_role("link", name="Create an account").click()
    email = make_account(page, mailbox)
    page.wait_for_url(f"**{come_from}")
    return email


def make_account(page: Page, mailbox: EmailServer) -> str:
    """Fill in the sign-up page that is open, and the code; returns the address."""
    email = f"person-{secrets.token_hex(4)}@example.com"
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    press(page, "Create account")
    page.get_by_label("Code").fill(code_for(email, mailbox, subject="Your code for"))
    press(page, "Continue")
    return email


def sign_out(page: Page) -> None:
    page.goto("/account/sign-out")
    press(page, "Sign out")
    expect(page.get_by_role("banner").get_by_role("link", name="Sign in")).to_be_visible()


def test_signing_up_and_in_and_a_forgotten_password(visitor: Page, mailbox: EmailServer) -> None:
    email = sign_up(visitor, mailbox, come_from="/account/profile?from=elsewhere")
    sign_out(visitor)
    visitor.goto("/account/sessions")
    sign_in(visitor, email)
    expect(visitor.get_by_role("main")).to_contain_text("This browser")
    sign_out(visitor)
    visitor.goto("/account/sessions")
    visitor.get_by_role("link", name="Forgot your password?").click()
    visitor.get_by_label("Email").fill(email)
    press(visitor, "Send code")
    visitor.get_by_label("Code").fill(code_for(email, mailbox, subject="Reset your"))
    press(visitor, "Continue")
    visitor.get_by_label("New password").fill(f"{PASSWORD}, the second")
    press(visitor, "Save and sign in")
    visitor.wait_for_url("**/account/sessions")


def test_a_passkey_signs_in_alone_and_is_the_second_step(keyholder: Page, mailbox: EmailServer) -> None:
    email = sign_up(keyholder, mailbox, come_from="/account/passkeys")
    keyholder.get_by_role("link", name="Add passkey").click()
    keyholder.get_by_label("Your password").fill(PASSWORD)
    press(keyholder, "Confirm")
    keyholder.get_by_label("Name").fill("The test’s device")
    press(keyholder, "Create passkey")
    expect(keyholder.get_by_role("heading", name="Recovery codes")).to_be_visible()
    keyholder.goto("/account/passkeys")
    expect(keyholder.get_by_role("main")).to_contain_text("The test’s device")

    sign_out(keyholder)
    keyholder.goto("/account/passkeys")
    press(keyholder, "Use a passkey")
    keyholder.wait_for_url("**/account/passkeys")
    expect(keyholder.get_by_role("main")).to_contain_text("Last used")

    sign_out(keyholder)
    keyholder.goto("/account/passkeys")
    sign_in(keyholder, email)
    expect(keyholder.get_by_role("heading", name="Two-step verification")).to_be_visible()
    press(keyholder, "Use a passkey")
    keyholder.wait_for_url("**/account/passkeys")

    keyholder.goto("/account/reauthenticate/passkey?next=/account/recovery-codes")
    press(keyholder, "Use a passkey")
    expect(keyholder.get_by_role("heading", name="Recovery codes")).to_be_visible()


def test_without_the_persons_consent_the_page_says_what_to_do(keyholder: Page, mailbox: EmailServer) -> None:
    keyholder.goto("/account/sign-in")
    press(keyholder, "Use a passkey")
    expect(keyholder.get_by_role("alert")).to_contain_text("No passkey used")
    expect(keyholder.get_by_role("main").get_by_role("button", name="Use a passkey")).to_be_enabled()


def test_by_an_ip_address_the_page_leads_to_the_name(page: Page) -> None:
    page.goto("/account/sign-in?next=/account/passkeys")
    expect(page.get_by_role("button", name="Use a passkey")).to_have_count(0)
    link = page.get_by_role("link", name="Open this page on localhost")
    expect(link).to_have_attribute(
        "href", re.compile(r"^http://localhost:\d+/account/sign-in\?next=/account/passkeys$")
    )


def test_without_javascript_nothing_is_offered_that_needs_it(browser: Browser, address: str) -> None:
    with visit(browser, address, script=False) as page:
        page.goto("/account/sign-in")
        expect(page.get_by_role("button", name="Use a passkey")).to_have_count(0)
        # Chromium under test keeps the words of <noscript> from the eye.
        assert "Passkeys need JavaScript." in page.content()
