"""The pictures that other services show beside a link."""

import unicodedata
from dataclasses import replace
from io import BytesIO
from typing import Any
from unittest.mock import patch

import pytest
from django.core.cache import cache
from django.core.files.storage import Storage
from django.test import Client
from PIL import Image, ImageChops, ImageDraw
from redis import RedisError

from apps.accounts.actors import SYSTEM
from apps.accounts.founders import photos
from apps.accounts.models import FounderProfile
from apps.sites.models import Site
from apps.sites.seo.preview_images import Picture, draw
from apps.sites.seo.preview_images.drawing import _draw
from apps.sites.seo.preview_images.lettering import Style, balanced, drawable, fit, width, write
from apps.stories.models import FounderStory
from apps.stories.services import stories
from apps.stories.views.preview_image import photo_of, picture_of
from tests.factories import ListingFactory
from tests.stories import writing

PATH = "/stories/lathe/preview.png"
STYLE = Style(40, 600, "#000000")


@pytest.fixture
def story(site: Site) -> FounderStory:
    return writing.write(writing.enough(), listing=ListingFactory.create(live=True, slug="lathe"))


def picture(**changes: object) -> Picture:
    texts = {"title": "How it all began", "instead": "Lathe", "name": "Ada Example", "role": "Founder"}
    found: dict[str, object] = {**texts, "site": "Slipway", "hue": 270, **changes}
    return Picture(**found)  # type: ignore[arg-type]  # one dictionary of both kinds of values


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
        *({name: "Other"} for name in ("title", "text", "label", "name", "role", "site", "seed")),
        {"title": "Начало", "instead": "Other"},
        {"ranked": ((1, "Other"),)},
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
    found = opened(draw(picture_of(FounderStory.objects.get()), read_photo=photo_of).content)
    colors = {color for _, color in found.getcolors(maxcolors=1_000_000) or []}
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


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("Plain words, 100% — “quoted”…", "Plain words, 100% — “quoted”…"),
        ("Łódź, İzmir & Čačak", "Łódź, İzmir & Čačak"),
        ("Cafe\u0301", "Café"),
        ("Rocket 🚀 science ❤️ 1️⃣", "Rocket science 1"),
        ("👩🏽‍🚀🏳️‍🌈", ""),
        ("Two\nlines\tand\u00a0blanks", "Two lines and blanks"),
        ("Начало", ""),
        ("はじまり", ""),
        ("Start はじまり", ""),
        ("البداية", ""),
        ("x" * 3, "xxx"),
        ("", ""),
    ],
)
def test_a_text_is_drawn_whole_or_not_at_all_and_signs_are_left_out(text: str, drawn: str) -> None:
    assert "".join(char for char in drawable(text) if not char.isspace() and unicodedata.category(char) != "Cf") == (
        "".join(drawn.split())
    )


@pytest.mark.parametrize("text", ["Łódź 🚀", "Café ❤️", "İzmir → Čačak ★", "Ω", "日本"])
def test_nothing_is_drawn_as_the_box_of_a_missing_letter(text: str) -> None:
    def ink(letters: str) -> Image.Image:
        canvas = Image.new("L", (600, 80), 255)
        write(ImageDraw.Draw(canvas), (10, 60), letters, Style(40, 600, "#000000"))
        return canvas

    box = ink("\uffff")
    assert box.point([255 - value for value in range(256)]).getbbox()
    for letter in drawable(text).replace(" ", ""):
        assert ImageChops.difference(ink(letter), box).getbbox()


@pytest.mark.parametrize(
    "texts",
    [
        {"title": ""},
        {"title": "", "instead": ""},
        {"title": "w" * 2000},
        {"title": "word " * 40, "text": "w" * 600},
        {"title": "w" * 80, "text": "word " * 80, "seed": "lathe"},
        {"title": "word " * 40, "text": "w" * 300, "ranked": ((1, "w" * 100),) * 3, "name": "", "role": ""},
        {"label": "l" * 80, "seed": "lathe"},
        {"title": "\u202eתירבע\u202c", "text": "שלום"},
        {"title": "👩🏽‍🚀" * 30, "instead": "🚀", "site": "🚀"},
    ],
)
def test_whatever_the_texts_are_they_keep_to_their_margins(texts: dict[str, object]) -> None:
    long = picture(**{"name": "n" * 80, "role": "r" * 80, "site": "s" * 40, **texts})
    found = opened(draw(long).content).convert("L")
    for edge in ((0, 0, 70, 610), (1140, 0, 1200, 610)):
        assert min(found.crop(edge).tobytes()) > 200


def test_names_that_cannot_be_drawn_leave_no_wrong_numbers() -> None:
    plain = draw(picture(ranked=()))
    assert not differ(draw(picture(ranked=((1, "Lathe"), (2, "はじまり"), (3, "Chisel")))).content, plain.content)
    assert differ(draw(picture(ranked=((1, "Lathe"), (2, "Chisel")))).content, plain.content)


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


@pytest.mark.parametrize("text", ["one", "one two three four five six seven", "w" * 60, "a " * 60])
@pytest.mark.parametrize("lines", [1, 2, 3])
def test_lines_fit_into_their_room(text: str, lines: int) -> None:
    for found in (fit(text, STYLE, room=300, lines=lines), balanced(text, STYLE, room=300, lines=lines)):
        assert 1 <= len(found) <= lines
        assert all(width(line, STYLE) <= 300 for line in found)
        whole = "".join(text.split())
        shown = "".join("".join(found).split())
        assert shown == whole or (shown.endswith("…") and whole.startswith(shown.rstrip("…")))


def test_no_word_is_left_alone_on_the_last_line() -> None:
    text = "We started with half a cabbage"
    room = width("We started with half a", STYLE) + 1
    assert fit(text, STYLE, room=room, lines=2) == ["We started with half a", "cabbage"]
    assert balanced(text, STYLE, room=room, lines=2) == ["We started with", "half a cabbage"]
