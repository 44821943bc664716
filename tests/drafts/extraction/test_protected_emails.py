"""Email addresses that a content network hides in hexadecimal."""

import pytest

from tests.drafts.extraction.pages import field, home

NETWORK = "/cdn-cgi/l/email-protection"


def hidden(email: str, key: int = 0x5A) -> str:
    return bytes([key, *(byte ^ key for byte in email.encode())]).hex()


@pytest.mark.parametrize(
    ("body", "email"),
    [
        (
            f'<a href="{NETWORK}" data-cfemail="{hidden("info@acme.com")}">[email&#160;protected]</a>',
            "info@acme.com",
        ),
        (f'<a href="{NETWORK}#{hidden("info@acme.com")}">Write to us</a>', "info@acme.com"),
        (
            f'<a href="{NETWORK}"><span data-cfemail="{hidden("info@acme.com", 1)}">[<i>email</i>]</span></a>',
            "info@acme.com",
        ),
        (f'<a href="{NETWORK}#{hidden("info@customer.com")}">Write to us</a>', None),
        (f'<a href="{NETWORK}#{hidden("no address")}">Write to us</a>', None),
        (f'<a href="{NETWORK}#zz">Write to us</a>', None),
        (f'<a href="{NETWORK}#5a">Write to us</a><b data-cfemail="5a{"00" * 400}">x</b>', None),
    ],
)
def test_the_address_is_read_as_readers_see_it(body: str, email: str | None) -> None:
    assert field("contact_email", home(body)) == email


def test_an_answer_holds_the_address() -> None:
    body = f"""
        <div class="faq"><h3>What if I am not happy?</h3>
        <p>Write to <span data-cfemail="{hidden("info@acme.com")}">[email]</span> and we pay you back.</p>
        </div>
    """
    [faq] = field("faqs", home(body))
    assert faq["answer"] == "Write to info@acme.com and we pay you back."
