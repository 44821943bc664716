import pytest

from apps.core.fetch import FetchError, FetchFailure, normalise_address
from apps.core.fetch.addresses import redirect_address

LISTED = frozenset({"acme.test:8123", "127.0.0.1:9000", "web:8000", "[::1]:8000"})


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("Example.com", "https://example.com/"),
        ("https://www.example.com/path ", "https://www.example.com/path"),
        ("  http://example.com", "http://example.com/"),
        ("HTTPS://EXAMPLE.com/Path", "https://example.com/Path"),
        ("example.com.", "https://example.com/"),
        ("example.com:443/a", "https://example.com/a"),
        ("example.com:80", "https://example.com:80/"),
        ("http://example.com:80/", "http://example.com/"),
        ("http://example.com:/", "http://example.com/"),
        ("https://example.com/a?b=c#d", "https://example.com/a?b=c"),
        ("https://example.com?b=@c", "https://example.com/?b=@c"),
        ("https://example.com/#@evil.example/", "https://example.com/"),
        ("https://example.com/a b/ü", "https://example.com/a%20b/%C3%BC"),
        ("münchen.de", "https://xn--mnchen-3ya.de/"),
        ("straße.de", "https://xn--strae-oqa.de/"),
        ("例え.jp", "https://xn--r8jz45g.jp/"),
        ("example。com", "https://example.com/"),
        ("my_site.example.com", "https://my_site.example.com/"),
        ("http://93.184.215.14/", "http://93.184.215.14/"),
        ("https://[2606:4700:0::1111]/", "https://[2606:4700::1111]/"),
        ("acme.test:8123", "http://acme.test:8123/"),
        ("ACME.test:8123/pricing", "http://acme.test:8123/pricing"),
        ("https://acme.test:8123", "https://acme.test:8123/"),
        ("127.0.0.1:9000", "http://127.0.0.1:9000/"),
        ("web:8000", "http://web:8000/"),
        ("[::1]:8000", "http://[::1]:8000/"),
    ],
)
def test_what_people_type_becomes_one_canonical_address(typed: str, expected: str) -> None:
    once = normalise_address(typed, allow_private=LISTED)

    assert once == expected
    assert normalise_address(once, allow_private=LISTED) == expected


@pytest.mark.parametrize(
    "typed",
    [
        "",
        " ",
        "https://",
        "https:///",
        "https:///example.com",
        "//example.com",
        "/path",
        "?",
        "example",
        "intranet/start",
        "https://example",
        "https:example.com",
        "https:/example.com",
        "ftp://example.com",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/html,hello",
        "mailto:someone@example.com",
        "gopher://example.com",
        "https://user@example.com",
        "https://user:secret@example.com",
        "https://@example.com",
        "https://example.com:443@evil.example",
        "user:80@example.com",
        "https://example.com\\@evil.example",
        "https:\\\\example.com",
        "https://example.com/a\\b",
        "https://example.com/\n",
        "https://exam\tple.com",
        "https://example.com\r\nHost: evil.example",
        "https://example.com/\x00",
        "https://example.com/\x7f",
        "https://example.com/\x85",
        "https://example.com/\ud800",
        "https://exam ple.com",
        "https://ex%61mple.com",
        "https://example.com%2f@evil.example",
        "https://example..com",
        "https://.example.com",
        "https://-example.com",
        "https://example-.com",
        f"https://{'a' * 64}.com",
        f"https://{'a.' * 130}com",
        f"https://example.com/{'a' * 2048}",
        "https://☃.net",
        "https://example.com／@evil.example",
        "https://example.com：8080",
        "https://[",
        "https://[]",
        "https://[::1",
        "https://[::1%25lo]",
        "https://[v1.a]",
        "https://[1.2.3.4]",
        "https://example.com:8080",
        "https://example.com:0",
        "https://example.com:22",
        "https://example.com:65616",
        "https://example.com:-80",
        "https://example.com:8o",
        "https://example.com:٨٠",
        "https://93.184.215.14.:8080",
        "https://0x5db8d70e/",
        "https://1572394766/",
        "https://93.184.55054/",
        "https://093.184.215.14/",
        "https://example.123/",
        "https://example.0x1f/",
        "acme.test:8124",
        "https://[fe80::1%lo]/",
        "https://example.com/a%00b",
        "https://example.com/%0D%0Aa",
    ],
)
def test_what_is_no_address_of_a_website_is_refused(typed: str) -> None:
    with pytest.raises(FetchError) as refusal:
        normalise_address(typed, allow_private=LISTED)

    assert refusal.value.code is FetchFailure.BAD_ADDRESS
    assert refusal.value.retryable is False


@pytest.mark.parametrize("typed", ["localhost", "localhost:3000", "shop.localhost", "https://localhost./"])
def test_names_of_this_machine_are_private(typed: str) -> None:
    with pytest.raises(FetchError) as refusal:
        normalise_address(typed, allow_private=LISTED)

    assert refusal.value.code is FetchFailure.PRIVATE_ADDRESS


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("/next", "https://example.com/next"),
        ("next?x=1#top", "https://example.com/a/next?x=1"),
        ("//other.example/", "https://other.example/"),
        ("http://other.example", "http://other.example/"),
        (" /next ", "https://example.com/next"),
        ("?page=2", "https://example.com/a/b?page=2"),
        ("../../up", "https://example.com/up"),
    ],
)
def test_redirects_are_read_as_browsers_do(location: str, expected: str) -> None:
    assert redirect_address("https://example.com/a/b", location, allow_private=frozenset()) == expected


@pytest.mark.parametrize(
    "location",
    [
        "",
        "\\\\evil.example",
        "/\\evil.example",
        "/a\tb",
        "http://[",
        "http:",
        "ftp://example.com",
        "//a@b.example",
        "/a%00b",
    ],
)
def test_redirects_to_what_is_no_address_are_refused(location: str) -> None:
    with pytest.raises(FetchError) as refusal:
        redirect_address("https://example.com/a/b", location, allow_private=frozenset())

    assert refusal.value.code is FetchFailure.BAD_ADDRESS
