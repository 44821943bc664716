"""The pictures that other services show beside a link."""

import unicodedata
from dataclasses import replace
from io import BytesIO
from itertools import combinations
from typing import Any
from unittest.mock import patch

import pytest
from django.core.cache import cache
from django.core.files.storage import Storage
from django.test import Client
from PIL import Image, ImageChops
from redis import RedisError

from apps.accounts.actors import SYSTEM
from apps.accounts.founders import photos
from apps.accounts.models import FounderProfile
from apps.directory.views.leaderboards import board_picture
from apps.launches.leaderboards.periods import Board, period_of
from apps.launches.listing_page import listing_picture
from apps.listings.models import Listing
from apps.sites.models import Site
from apps.sites.seo.preview_images import Picture, draw
from apps.sites.seo.preview_images.drawing import _draw
from apps.sites.seo.preview_images.lettering import Style, balanced, drawable, fit, write
from apps.sites.seo.preview_images.typefaces import Line, _from_left, set_line, writing_of
from apps.sites.seo.site_preview import picture_of_site
from apps.stories.models import FounderStory
from apps.stories.services import stories
from apps.stories.views.article import author_of
from apps.stories.views.preview_image import photo_of, picture_of, picture_of_founder
from tests.factories import ListingFactory
from tests.stories import writing

PATH = "/stories/lathe/preview.png"
STYLE = Style(40, 600, "#000000")


@pytest.fixture
def story(site: Site) -> FounderStory:
    return writing.write(writing.enough(), listing=ListingFactory.create(live=True, slug="lathe"))


def picture(**changes: Any) -> Picture:
    texts = {"title": "How it all began", "instead": "Lathe", "name": "Ada Example", "role": "Founder"}
    return Picture(**{**texts, "site": "Slipway", "hue": 270, **changes})


def opened(content: bytes) -> Image.Image:
    image = Image.open(BytesIO(content), formats=("PNG",))
    image.load()
    return image


def differ(one: bytes, other: bytes) -> bool:
    return ImageChops.difference(opened(one), opened(other)).getbbox() is not None


def test_it_is_a_png_of_the_size_that_services_ask_for(story: FounderStory) -> None:
    answer = Client().get(PATH)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/png"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert opened(answer.content).size == (1200, 630)
    assert opened(answer.content).mode == "RGB"
    assert len(answer.content) < 300_000


def test_it_is_fetched_again_only_when_it_changes(story: FounderStory) -> None:
    first = Client().get(PATH)
    mark = first["ETag"]
    assert "public" in first["Cache-Control"]
    again = Client().get(PATH, headers={"if-none-match": mark})
    assert again.status_code == 304
    assert again.content == b""
    assert again["ETag"] == mark
    assert Client().get(PATH, headers={"if-none-match": '"other"'}).status_code == 200
    FounderProfile.objects.update(role="Carpenter")
    changed = Client().get(PATH, headers={"if-none-match": mark})
    assert changed.status_code == 200
    assert changed["ETag"] != mark


@pytest.mark.parametrize(
    "change",
    [
        *({name: "Other"} for name in ("title", "text", "label", "name", "role", "site", "seed", "address")),
        {"title": "Начало", "instead": "Other"},
        {"ranked": ((1, "Other", "other"),)},
        {"hue": 90},
    ],
    ids=lambda change: next(iter(change)),
)
def test_everything_on_it_is_drawn_and_marked(change: dict[str, object]) -> None:
    assert picture(**change).mark != picture().mark
    assert differ(draw(picture(**change)).content, draw(picture()).content)


def test_it_has_the_photo_of_its_author(story: FounderStory) -> None:
    stream = BytesIO()
    Image.new("RGB", (600, 600), "#00ff00").save(stream, "PNG")
    stored = photos.store_photo(stream.getvalue(), min_pixels=256)
    FounderProfile.objects.update(photo_key=stored.key, photo_pixels=stored.pixels)
    result = opened(draw(picture_of(FounderStory.objects.get()), read_photo=photo_of).content)
    colors = {color for _, color in result.getcolors(maxcolors=1_000_000) or []}
    assert any(isinstance(color, tuple) and color[1] > 245 and color[0] < 20 for color in colors)


class Unreachable(Storage):
    """A bucket that does not answer: its client has errors of its own."""

    def _open(self, name: str, mode: str = "rb") -> Any:
        raise RuntimeError("Could not connect to the endpoint")


@pytest.mark.parametrize("storage", ["django.core.files.storage.InMemoryStorage", f"{__name__}.Unreachable"])
def test_a_photo_that_cannot_be_read_leaves_the_rest(story: FounderStory, settings: Any, storage: str) -> None:
    settings.STORAGES = {**settings.STORAGES, "default": {"BACKEND": storage}}
    whole = picture_of(FounderStory.objects.get())
    assert whole.photo_key
    answer = Client().get(PATH)
    without = draw(replace(whole, photo_key=""))
    assert (answer.status_code, answer.content) == (200, without.content)
    # Once the photo can be read, that mark is not the picture's any more.
    assert answer["ETag"] == f'"{without.mark}"' != f'"{whole.mark}"'
    assert Client().get(PATH, headers={"if-none-match": answer["ETag"]}).status_code == 304


def test_who_asks_for_another_one_is_refused(story: FounderStory) -> None:
    assert Client().get(PATH, headers={"if-match": '"other"'}).status_code == 412


@pytest.mark.parametrize("decide", [stories.take_down_story, stories.unpublish_story])
def test_what_is_taken_down_is_not_drawn_and_not_confirmed(story: FounderStory, decide: Any) -> None:
    mark = Client().get(PATH)["ETag"]
    what = {"story": story} if decide is stories.take_down_story else {"listing": story.listing}
    decide(**what, reason="It names a customer.", by=SYSTEM)
    assert Client().get(PATH).status_code == 404
    assert Client().get(PATH, headers={"if-none-match": mark}).status_code == 404


# A name in each script.
NAMES = {
    "Latin": "Łódź Čačak Šuđo",
    "Vietnamese": "Tiếng Việt",
    "Cyrillic": "Станок Київ",
    "Greek": "Τόρνος",
    "Armenian": "Խառատ",
    "Georgian": "ხარატი",
    "Hebrew": "מַחְרֵטָה",
    "Arabic": "مخرطة",
    "Persian": "می\u200cخواهم",
    "Urdu": "خراد مشین",
    "Devanagari": "खराद मशीन",
    "Bengali": "কুন্দ যন্ত্র",
    "Gurmukhi": "ਖਰਾਦ",
    "Gujarati": "ખરાદ",
    "Oriya": "ଲେଦ",
    "Tamil": "கடைசல்",
    "Telugu": "లేత్ యంత్రం",
    "Kannada": "ಲೇತ್ ಯಂತ್ರ",
    "Malayalam": "ലാത്ത്",
    "Sinhala": "ලේත් යන්ත්‍රය",
    "Thai": "เครื่องกลึง",
    "Lao": "ເຄື່ອງກຶງ",
    "Khmer": "ម៉ាស៊ីន",
    "Myanmar": "ခုံစက် ကြွိုံး",
    "Ethiopic": "ማዞሪያ",
    "Simplified Chinese": "车床",
    "Traditional Chinese": "車床",
    "Japanese": "旋盤アプリ",
    "Korean": "선반",
    "rare Chinese": "𠮷野家",
    "emoji": "🚀",
    "joined emoji": "👩🏽‍🚀",
    "other skin": "👩🏿‍🚀",
    "family": "👨‍👩‍👧‍👦",
    "flag": "🇫🇷",
    "flag of a region": "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "keycap": "1️⃣",
    "signs": "★ → ✓ ™ ½ ∞",
    "several": "旋盤 Станок مخرطة Lathe 🚀",
}
# Names that no font has, or that have no ink.
UNSEEN = ("𓂀𓆣𓏏", "𓂀𓆣", "𐎠𐎡", "Lathe 𓂀", "\ue000", "\u200b\u2060", "\u3164", "\u2800", "\u202e\u202c", "\u0007", "")


@pytest.mark.slow
def test_two_names_never_give_the_same_picture() -> None:
    drawn = {opened(draw(picture(title=name)).content).tobytes() for name in NAMES.values()}
    assert len(drawn) == len(NAMES)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *combinations(UNSEEN[:4], 2),
        ("Lathe", "La\u200bthe"),
        ("Lathe", "Lathe\u202e"),
        ("Lathe", "Lathe\ue000"),
        ("A", "А"),  # noqa: RUF001 - the second is Cyrillic
        ("w" * 400, "w" * 401),
    ],
)
def test_names_that_look_the_same_have_pictures_with_the_addresses_of_their_pages(one: str, other: str) -> None:
    address = f"launch.example/listings/{'a' * 89}"
    first, second = picture(title=one, address=f"{address}1"), picture(title=other, address=f"{address}2")
    assert differ(draw(first).content, draw(second).content)


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_no_letter_of_a_name_is_drawn_as_the_box_of_a_missing_one(name: str) -> None:
    assert drawable(name) == unicodedata.normalize("NFC", name)
    for form in ("NFC", "NFD"):
        shown = drawable(unicodedata.normalize(form, name))
        assert all(glyph.number for glyph in set_line(shown, 700, writing_of(shown)).glyphs)


@pytest.mark.parametrize("name", UNSEEN)
def test_a_name_that_cannot_be_seen_is_replaced(name: str) -> None:
    assert drawable(name) == ""
    assert not differ(draw(picture(title=name)).content, draw(picture(title="Lathe")).content)


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("Cafe\u0301", "Café"),
        ("Two\nlines\tand\u00a0blanks", "Two lines and blanks"),
        ("\u202eevil\u202c \u2066x\u2069\u200f\u061c", "evil x"),
        ("a\u0000b\u00adc\ufeffd\u200be", "abcde"),
        ("Acme \U0001cc00", "Acme"),
        ("𝓛athe", "Lathe"),
        ("x" + "\u0322" * 99, "x" + "\u0322" * 8),
        ("❤\ufe0e and ❤\ufe0f", "❤\ufe0e and ❤\ufe0f"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("🏳️‍🌈", "🏳️‍🌈"),
    ],
)
def test_only_what_is_seen_is_drawn(text: str, drawn: str) -> None:
    assert unicodedata.normalize("NFD", drawable(text)) == unicodedata.normalize("NFD", drawn)


@pytest.mark.parametrize("name", ["emoji", "joined emoji", "other skin", "flag", "flag of a region", "keycap"])
def test_an_emoji_is_one_picture_in_color(name: str) -> None:
    line = set_line(NAMES[name], 700, writing_of(""))
    assert len([glyph for glyph in line.glyphs if glyph.font.get_glyph_h_advance(glyph.number)]) == 1
    colors = ink(line).getcolors(maxcolors=100_000) or []
    assert any(max(color) - min(color) > 60 for _, color in colors if isinstance(color, tuple))


def test_arabic_letters_join() -> None:
    alone, joined = (set_line(text, 700, writing_of(text)) for text in ("ب", "ببب"))
    assert len({glyph.number for glyph in joined.glyphs} | {alone.glyphs[0].number}) == 4


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Lathe 2", "Lathe 2"),
        ("אבג", "גבא"),
        ("אב 12 גד", "דג 12 בא"),
        ("אב Lathe גד", "דג Lathe בא"),
        ("Lathe אב 12 Pro", "Lathe 12 בא Pro"),
        # The brackets of a right-to-left text are mirrored when it is set.
        ("אב (Lathe) Pro", "Pro )Lathe( בא"),
        ("Lathe (אב) Pro", "Lathe (בא) Pro"),
        ("אב: a (ב) c", "c )ב( a :בא"),
        ("(אב", "בא("),
        ("אב)", ")בא"),
        ("مخ ١٢٣", "١٢٣ خم"),
        ("אב!", "!בא"),
        ("אבe\u0301ג", "גe\u0301בא"),
        # Of a later Unicode than Python 3.11 has.
        ("אב \U0001fac8", "\U0001fac8 בא"),
    ],
)
def test_letters_are_in_the_order_of_the_bidirectional_algorithm(text: str, seen: str) -> None:
    assert "".join(cluster for cluster, _ in _from_left(text, writing_of(text))) == seen


def test_a_long_line_from_right_to_left_ends_in_its_ellipsis_at_the_left() -> None:
    (line,) = fit("מחרטה " * 20, STYLE, room=400, lines=1)
    (ellipsis,) = set_line("…", STYLE.weight, writing_of("א")).glyphs
    assert min(line.glyphs, key=lambda glyph: glyph.x).number == ellipsis.number


def test_the_body_begins_at_the_right_if_its_title_does() -> None:
    left, right = (
        opened(draw(picture(title=title, name="", role="", seed="lathe")).content)
        .convert("L")
        .crop((0, 200, 1200, 500))
        for title in ("Lathe", "מחרטה")
    )
    assert min(left.crop((900, 0, 1200, 300)).tobytes()) > 200 > min(left.crop((0, 0, 300, 300)).tobytes())
    assert min(right.crop((0, 0, 300, 300)).tobytes()) > 200 > min(right.crop((900, 0, 1200, 300)).tobytes())


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("车床", "zh-hans"),
        ("車床", "zh-hant"),
        ("東京の鉄道", "ja"),
        ("鉄道", "ja"),
        ("선반 車床", "ko"),
        ("Lathe", "zh-hans"),
    ],
)
def test_chinese_characters_are_shaped_as_in_their_language(text: str, language: str) -> None:
    assert writing_of(text).language == language


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "今日は天気です。明日も晴れです、たぶん。",
            ["今日は", "天気です。", "明日も", "晴れです、", "たぶん。"],
        ),
        ("旋盤アプリ", ["旋盤アプリ"]),
        ("Lathe は新しい道具です", ["Lathe は", "新しい", "道具です"]),
        ("선반 프로젝트 도구", ["선반", "프로젝트", "도구"]),
    ],
)
def test_scripts_without_spaces_break_between_phrases(text: str, lines: list[str]) -> None:
    assert [line.text for line in fit(text, STYLE, room=220, lines=9)] == lines


def ink(line: Line) -> Image.Image:
    canvas = Image.new("RGB", (300, 100), "#ffffff")
    write(canvas, (10, 60), line, STYLE)
    return canvas


@pytest.mark.parametrize(
    "texts",
    [
        {"title": ""},
        {"title": "", "instead": ""},
        {"title": "w" * 2000},
        {"title": "word " * 40, "text": "w" * 600},
        {"title": "w" * 80, "text": "word " * 80, "seed": "lathe"},
        {"title": "word " * 40, "text": "w" * 300, "ranked": ((1, "w" * 100, "w"),) * 3, "name": "", "role": ""},
        {"label": "l" * 80, "seed": "lathe"},
        {"title": "\u202eתירבע\u202c", "text": "שלום"},
        {"title": "👩🏽‍🚀" * 30, "instead": "🚀", "site": "🚀"},
        {"title": "מחרטה " * 40, "text": "أداة " * 80, "ranked": ((1, "旋盤" * 40, "w"),) * 3, "name": "", "role": ""},
        {"title": "車床" * 99, "text": "เครื่องกลึง" * 40},
        {"address": f"{'a' * 60}.example/listings/{'w' * 90}"},
    ],
)
def test_whatever_the_texts_are_they_keep_to_their_margins(texts: dict[str, object]) -> None:
    long = picture(**{"name": "n" * 80, "role": "r" * 80, "site": "s" * 40, **texts})
    result = opened(draw(long).content).convert("L")
    for edge in ((0, 0, 70, 610), (1140, 0, 1200, 610)):
        assert min(result.crop(edge).tobytes()) > 200


def test_pages_have_their_addresses_on_their_pictures(site: Site, story: FounderStory) -> None:
    author = author_of(story.author, site=site)
    listing = Listing.objects.with_details().get(slug="lathe")
    addresses = {
        "/listings/lathe": listing_picture(listing),
        "/stories/lathe": picture_of(story),
        f"/founders/{author.profile.slug}": picture_of_founder(author, site=site, products=[]),
        "/boards/community-weekly?week=2026-W03": board_picture(
            site, period_of(Board.WEEKLY, "2026-W03"), category=None, places=[(1, "Lathe", "lathe")]
        ),
        "": picture_of_site(site),
    }
    for path, one in addresses.items():
        assert site.url(path).endswith(f"://{one.address}")


def test_a_leaderboard_has_slugs_for_names_that_cannot_be_seen() -> None:
    first, last = (1, "Lathe", "lathe"), (3, "Chisel", "chisel")
    shown = draw(picture(ranked=(first, (2, "𓂀", "old-lathe"), last)))
    assert not differ(shown.content, draw(picture(ranked=(first, (2, "old-lathe", ""), last))).content)


def test_one_process_draws_for_all(story: FounderStory) -> None:
    FounderProfile.objects.update(photo_key="", photo_pixels=0)
    first = Client().get(PATH).content
    _draw.cache_clear()
    with patch("apps.sites.seo.preview_images.drawing._draw", side_effect=AssertionError):
        assert Client().get(PATH).content == first


def test_without_valkey_there_is_a_picture_still(story: FounderStory) -> None:
    whole = Client().get(PATH).content
    with patch.object(cache, "get", side_effect=RedisError), patch.object(cache, "set", side_effect=RedisError):
        assert Client().get(PATH).content == whole


@pytest.mark.parametrize(
    "text",
    [
        "one",
        "one two three four five six seven",
        "w" * 60,
        "a " * 60,
        "車" * 60,
        "מחרטה " * 12,
        "ကခ" * 40,
        "👩🏽‍🚀" * 30,
    ],
)
@pytest.mark.parametrize("lines", [1, 2, 3])
def test_lines_fit_into_their_room(text: str, lines: int) -> None:
    for one in (fit(text, STYLE, room=300, lines=lines), balanced(text, STYLE, room=300, lines=lines)):
        assert 1 <= len(one) <= lines
        assert all(line.width * STYLE.size <= 300 for line in one)
        whole = "".join(text.split())
        shown = "".join("".join(line.text for line in one).split())
        assert shown == whole or (shown.endswith("…") and whole.startswith(shown.rstrip("…")))


def test_no_word_is_left_alone_on_the_last_line() -> None:
    text = "We started with half a cabbage"
    room = set_line("We started with half a", STYLE.weight, writing_of(text)).width * STYLE.size + 1
    plain, even = fit(text, STYLE, room=room, lines=2), balanced(text, STYLE, room=room, lines=2)
    assert [line.text for line in plain] == ["We started with half a", "cabbage"]
    assert [line.text for line in even] == ["We started with", "half a cabbage"]
