"""robots.txt as websites have it: with marks, in other character sets, with any line ends."""

import pytest

from apps.drafts.crawl.robots import MAX_BYTES, parse_robots, read_robots
from apps.sites.models import Site
from tests.drafts.crawl.test_crawl import crawled, failure
from tests.pages_server import Answer, PagesServer

RULES = "User-agent: *\nDisallow: /closed\n"


def forbids(body: bytes, content_type: str = "text/plain", path: str = "/closed") -> bool:
    robots = parse_robots(read_robots(body, content_type=content_type), agent="SlipwayBot")
    assert robots.allows("https://acme.example/open")
    return not robots.allows(f"https://acme.example{path}")


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "latin-1"]
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_the_rules_count_in_every_encoding(encoding: str, line_end: str) -> None:
    comment = "# Grüße" if encoding not in {"utf-16-le", "utf-32-le"} else "#"
    assert forbids(f"{comment}\n{RULES}".replace("\n", line_end).encode(encoding))
    assert forbids(RULES.replace("\n", line_end).encode(encoding))


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffUser-agent: *\nDisallow: /closed",
        "\ufeff\ufeffUser-agent: *\nDisallow: /closed",
        "# one file\n\ufeffUser-agent: *\n\ufeffDisallow: /closed",
        "\ufeff\nUser-agent:*\nDisallow:/closed",
        "USER-AGENT : *\n\tdisallow :\t/closed # all of it",
        "User-agent: other\nDisallow: /\r\rUser-agent: slipwaybot/1.0\rDisallow: /closed",
        "\0User-agent: *\0\n\0Disallow: /closed\0",
        "\u200bUser-agent: *\n\u200bDisallow:\u200e /closed",
        "<!doctype html>\nUser-agent: *\nDisallow: /closed",
        "\u00ef\u00bb\u00bfUser-agent: *\nDisallow: /closed",
        "User‑agent: *\nDisallow: /closed",
        "User–agent：＊\nDisallow：／closed",
        "User-agent:\u3000*\nDisallow:\u3000/closed",
        'User-agent: "*"\nDisallow: /closed',
    ],
)
def test_what_is_around_a_rule_does_not_matter(text: str) -> None:
    assert forbids(text.encode())


@pytest.mark.parametrize(
    "written",
    [
        "SlipwayBot/0.1 (+https://slipway.example/bot)",
        "SlipwayBot (+https://slipway.example/bot)",
        "Mozilla/5.0 (compatible; SlipwayBot/0.1; +https://slipway.example/bot)",
        "OtherBot, SlipwayBot",
        '"SlipwayBot"',
        "SlipwayBot*",
    ],
)
def test_the_crawler_finds_its_name_however_it_is_written(written: str) -> None:
    assert forbids(f"User-agent: {written}\nDisallow: /closed\n\nUser-agent: *\nAllow: /".encode())


@pytest.mark.parametrize("written", ["OtherBot", "SlipwayBotX", "bot*", "Mozilla/5.0 (compatible; OtherBot/1.0)"])
def test_rules_for_others_do_not_count(written: str) -> None:
    assert not forbids(f"User-agent: {written}\nDisallow: /closed\n\nUser-agent: *\nAllow: /".encode())


@pytest.mark.parametrize(
    "content_type", ["text/plain; charset=shift_jis", "text/plain; charset=utf-16", "text/html", ""]
)
def test_the_declared_charset_may_be_wrong(content_type: str) -> None:
    assert forbids(RULES.encode(), content_type)


def test_a_path_is_read_in_its_charset() -> None:
    rules = "User-agent: *\nDisallow: /価格\n"
    for encoding in ("utf-8", "shift_jis"):
        assert forbids(rules.encode(encoding), f"text/plain; charset={encoding}", "/%E4%BE%A1%E6%A0%BC")


def test_bytes_of_no_charset_hide_no_rule() -> None:
    assert forbids(bytes(range(128, 256)) * 9 + b"\n" + RULES.encode())


def test_the_first_part_counts() -> None:
    comment = b"#" * (MAX_BYTES - len(RULES) - 1) + b"\n"
    assert forbids(comment + RULES.encode() + b"Disallow: /\n" + comment * 4)


@pytest.mark.django_db
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_website_that_forbids_all_with_a_mark_is_not_read(encoding: str, acme: PagesServer, site: Site) -> None:
    acme.serve("acme.localhost", "/robots.txt", Answer("User-agent: *\nDisallow: /\n".encode(encoding)))
    assert failure(acme, site) == "robots"
    assert acme.paths("acme.localhost") == ["/robots.txt"]


@pytest.mark.django_db
def test_a_page_that_is_forbidden_with_a_mark_is_not_read(acme: PagesServer, site: Site) -> None:
    acme.serve("acme.localhost", "/robots.txt", Answer(b"\xef\xbb\xbfUser-agent: *\rDisallow: /pricing\r"))
    crawled(acme, site)
    assert "/about" in acme.paths("acme.localhost")
    assert "/pricing" not in acme.paths("acme.localhost")
