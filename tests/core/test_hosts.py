"""International host names as people see them, and look-alikes as nobody mistakes them."""

import idna
import pytest

from apps.core.web.hosts import ascii_host, display_host, display_url, unicode_host


def ace(host: str) -> str:
    return ".".join(
        label if label.isascii() else f"xn--{label.encode('punycode').decode()}" for label in host.split(".")
    )


@pytest.mark.parametrize(
    "host",
    [
        "acme.example", "bücher.example", "www.bücher.example", "krümel.de", "straße.example", "smørrebrød.dk",
        "æbler.dk", "łódź.pl", "þór.is", "ısı.com.tr", "cà-phê.vn", "пекарня.example", "пример.рф", "оса.рф",
        "ёлка.com", "τιμολόγια.gr", "日本語.jp", "日本語abc.jp", "カレー.jp", "東京タワー.jp", "한국어.kr", "中文.中国",
        "ใบแจ้งหนี้.th", "חשבון.co.il", "فاتورة.example", "हिन्दी.भारत", "127.0.0.1", "localhost", "",
    ],
)  # fmt: skip
def test_a_name_is_shown_in_its_own_script(host: str) -> None:
    assert display_host(ace(host)) == host
    assert unicode_host(ace(host)) == host


@pytest.mark.parametrize(
    "host",
    [
        "аррӏе.com",
        "pаypal.com",
        "ооо.com",
        "рассу.ru",
        "gοοgle.com",
        "ɡoogle.com",
        "facebооk.example",
        "lınkedin.com",
        "օոս.com",
        "οοο.gr",
        "bank丿login.com",
        "bank一login.com",
        "пример1google.com",
        "日本語кто.jp",
        "кафеcafe.ru",
    ],
)
def test_a_name_that_looks_like_another_is_shown_in_ascii(host: str) -> None:
    assert display_host(ace(host)) == ace(host)


def test_only_the_label_that_misleads_stays_in_ascii() -> None:
    assert display_host(ace("аррӏе.bücher.example")) == f"{ace('аррӏе')}.bücher.example"


@pytest.mark.parametrize(
    "host", ["xn--", "xn--a", "xn--99999999", "xn--bcher-kva9.example", "XN--BCHER-KVA.example", "xn--acme-"]
)
def test_what_is_no_international_name_stays(host: str) -> None:
    shown = display_host(host)
    assert shown == host or ascii_host(shown) == host.lower()


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://xn--bcher-kva.example/a?b=xn--c#d", "https://bücher.example/a?b=xn--c#d"),
        ("http://xn--bcher-kva.example:8080/", "http://bücher.example:8080/"),
        ("https://XN--bcher-kva.example", "https://bücher.example"),
        (f"https://{ace('аррӏе.com')}/", f"https://{ace('аррӏе.com')}/"),
        ("https://аррӏе.com/", f"https://{ace('аррӏе.com')}/"),
        ("https://bücher.example/", "https://bücher.example/"),
        ("https://acme.example/xn--bcher-kva.example", "https://acme.example/xn--bcher-kva.example"),
        ("https://[xn--bcher-kva", "https://[xn--bcher-kva"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("Badge on xn--x", "Badge on xn--x"),
        ("", ""),
    ],
)
def test_a_url_shows_its_host(url: str, shown: str) -> None:
    assert display_url(url) == shown


def test_the_ascii_form_is_the_one_that_browsers_look_up() -> None:
    assert ascii_host("BÜCHER.example") == "xn--bcher-kva.example"
    assert ascii_host("acme.example") == "acme.example"
    with pytest.raises(idna.IDNAError):
        ascii_host("bü cher.example")
