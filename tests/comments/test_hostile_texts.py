"""Nothing that people write becomes markup, script, or text that is read in another order than it is stored."""

import json
import unicodedata
from typing import Any

import pytest
from django.test import Client
from lxml import html

from apps.comments.models import Comment
from apps.comments.services.writing import MAX_LINKS
from apps.contributions.texts import fingerprint_of, hosts_in
from apps.core.editing.rendering import render_text
from apps.core.editing.written import clean_writing
from apps.listings.models import Listing
from tests.comments.people import comment_on, trusted
from tests.contributions.hostile import STRINGS

ALLOWED = {"div", "p", "br", "a"}


def rendered(text: str) -> Any:
    shown = render_text(clean_writing(text), max_links=MAX_LINKS)
    return html.fragment_fromstring(shown, create_parent="div")


@pytest.mark.parametrize("text", STRINGS)
def test_text_stays_text(text: str) -> None:
    part = rendered(f"Look: {text} end")
    assert {one.tag for one in part.iter()} <= ALLOWED
    for one in part.iter():
        if one.tag == "a":
            assert set(one.attrib) == {"href", "rel", "dir"}
            assert one.get("href").lower().startswith(("http://", "https://"))
            assert {"nofollow", "ugc"} <= set(one.get("rel").split())
        else:
            assert set(one.attrib) <= {"dir"}
    plain = "".join(clean_writing(f"Look: {text} end").split())
    assert "".join(part.text_content().split()) == plain


@pytest.mark.django_db
def test_hostile_comments_over_http(listing: Listing) -> None:
    texts = STRINGS[:: len(STRINGS) // 12]
    made = [
        comment_on(listing, f"{number}: {text}", author=trusted(name=text[:60])) for number, text in enumerate(texts)
    ]
    posted = [one for one in made if one.status == Comment.Status.POSTED]
    client = Client()
    for path in (listing.path, f"{listing.path}/comments", f"{listing.path}/comments/{posted[0].pk}"):
        page: Any = html.document_fromstring(client.get(path).content.decode())
        result = page.xpath("//*[@class='comment-text']//*")
        assert {one.tag for one in result} <= ALLOWED
        handlers = [name for one in page.iter() for name in one.attrib if str(name).startswith("on")]
        assert handlers == []
        for script in page.xpath("//script[@type='application/ld+json']"):
            assert json.loads(script.text)
    answer = client.get(f"/api/v1/listings/{listing.slug}/comments", {"per_page": 100}).json()
    assert {item["text"] for item in answer["items"]} == {one.text for one in posted}


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("a\u202eb\u202cc", "abc"),
        ("\u2066evil\u2069 \u2067text\u2069", "evil text"),
        ("ca\u200bsi\u200cno\u200d ca\u2060si\ufeffno", "casino casino"),
        ("v\u00adi\u00adagra", "viagra"),
        ("x\u034fy\u3164z\u2800w\u115f", "xyzw"),
        ("pay\ufe0epal\U000e0100", "paypal"),
        ("tag\U000e0041\U000e0042", "tag"),
        ("bell\x07 null\x00 escape\x1b", "bell null escape"),
        ("cafe\u0301", "café"),
        ("a\n\n\n \n\n\nb", "a\n\nb"),
        ("line\r\nline\rline", "line\nline\nline"),
    ],
)
def test_invisible_characters_go(text: str, clean: str) -> None:
    assert clean_writing(text) == clean
    assert clean_writing(clean) == clean


@pytest.mark.parametrize(
    "text",
    [
        "👩‍💻 and 👨‍👩‍👧‍👦 and 🏳️‍🌈",
        "می‌خواهم",
        "क्‍ष and क्‌ष",
        "שָׁלוֹם",
        "Đặng Thị Huệ",
        "ไม่ต้อง",
        "日本語のコメント",
        "العربية",
    ],
)
def test_what_scripts_and_emoji_need_stays(text: str) -> None:
    assert clean_writing(text) == unicodedata.normalize("NFC", text)


def test_towers_of_marks_are_cut() -> None:
    clean = clean_writing("z" + "\u0336\u0321\u0353\u0489\u035d" * 40 + "a")
    assert len(clean) <= 6
    assert clean.endswith("a")


@pytest.mark.parametrize(
    "other",
    ["buy now", "BUY, NOW!!!", "b\u200bu\u200dy n\u00adow", "\uff22\uff35\uff39 now", "b.u.y-n.o.w", "buy\n\nnow"],
)
def test_small_changes_keep_the_fingerprint(other: str) -> None:
    assert fingerprint_of(clean_writing(other)) == fingerprint_of("buy now")


def test_links_beyond_the_limit_stay_text_and_hosts_are_found() -> None:
    text = "https://one.blog.example.com/a https://two.example.com http://three.example.org https://four.example.net"
    assert len(rendered(text).xpath(".//a")) == MAX_LINKS
    assert hosts_in(text) == ["example.com", "example.org", "example.net"]
