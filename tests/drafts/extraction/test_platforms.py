"""Where the product runs, by declarations, app stores and requirements."""

import pytest

from tests.drafts.extraction.pages import field, home, json_ld

APP_STORE = "https://apps.apple.com/us/app/acme-invoices/id1234567"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f'<a href="{APP_STORE}">App Store</a>', ["iOS"]),
        (f'<a href="{APP_STORE}?mt=12">Mac App Store</a>', ["macOS"]),
        ('<a href="https://play.google.com/store/apps/details?id=com.acme">Google Play</a>', ["Android"]),
        ('<a href="https://chromewebstore.google.com/detail/acme/abc">Chrome</a>', ["Chrome"]),
        ("<p>Requires macOS 14 or Windows 11.</p>", ["macOS", "Windows"]),
        ("<p>Available for iPhone and Android.</p>", ["iOS", "Android"]),
        ("<p>We fix your windows, and android dreams.</p>", None),
        ("<blockquote>Available for Linux!</blockquote>", None),
        ('<a href="https://apps.apple.com/app/one/id1">1</a><a href="https://apps.apple.com/app/two/id2">2</a>', None),
        ('<a href="https://apps.apple.com/developer/acme">Developer</a>', None),
    ],
)
def test_platforms_of_a_page(body: str, expected: list[str] | None) -> None:
    assert field("platforms", home(body)) == expected


def test_of_several_apps_the_one_with_the_site_s_name_counts() -> None:
    other = '<a href="https://apps.apple.com/app/expo-go/id98">Expo</a>'
    assert field("platforms", home(f'{other}<a href="{APP_STORE}">Get it</a>')) == ["iOS"]


def test_declared_systems_come_first() -> None:
    node = {"@type": "SoftwareApplication", "name": "Acme", "operatingSystem": "Windows, macOS"}
    link = '<a href="https://play.google.com/store/apps/details?id=com.acme">Google Play</a>'
    assert field("platforms", home(link, head=json_ld(node))) == ["Windows", "macOS", "Android"]
    anywhere = json_ld({**node, "operatingSystem": "Any"})
    assert field("platforms", home(head=anywhere)) is None
