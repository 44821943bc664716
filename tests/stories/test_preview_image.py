"""The picture that other services show for a story."""

import unicodedata
from io import BytesIO

import pytest
from django.test import Client
from PIL import Image, ImageChops, ImageDraw

from apps.accounts.founders import photos
from apps.accounts.models import FounderProfile
from apps.sites.models import Site
from apps.stories.lettering import Style, balanced, drawable, fit, width, write
from apps.stories.models import FounderStory
from apps.stories.preview_image import Picture, draw, picture_of
from tests.factories import ListingFactory
from tests.stories import writing

PATH = "/stories/lathe/preview.png"
STYLE = Style(40, 600, "#000000")


@pytest.fixture
def story(site: Site) -> FounderStory:
    return writing.write(writing.enough(), listing=ListingFactory.create(live=True, slug="lathe"))


def picture(**changes: object) -> Picture:
    texts = {"title": "How it all began", "company": "Lathe", "author": "Ada Example", "role": "Founder"}
    found: dict[str, object] = {**texts, "site": "Slipway", "hue": 270, "photo_key": "", **changes}
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
    [{"title": "Other"}, {"company": "Other"}, {"author": "Other"}, {"role": "Other"}, {"site": "Other"}, {"hue": 90}],
    ids=lambda change: next(iter(change)),
)
def test_everything_on_it_is_drawn_and_marked(change: dict[str, object]) -> None:
    assert picture(**change).mark != picture().mark
    assert differ(draw(picture(**change)), draw(picture()))


def test_it_has_the_photo_of_its_author(story: FounderStory) -> None:
    stream = BytesIO()
    Image.new("RGB", (600, 600), "#00ff00").save(stream, "PNG")
    stored = photos.store_photo(stream.getvalue(), min_pixels=256)
    FounderProfile.objects.update(photo_key=stored.key, photo_pixels=stored.pixels)
    found = opened(draw(picture_of(FounderStory.objects.get())))
    colours = {colour for _, colour in found.getcolors(maxcolors=1_000_000) or []}
    assert any(isinstance(colour, tuple) and colour[1] > 245 and colour[0] < 20 for colour in colours)


def test_a_photo_that_is_gone_leaves_the_rest(story: FounderStory) -> None:
    key = FounderProfile.objects.get().photo_key
    assert key
    assert Client().get(PATH).content == draw(picture_of(FounderStory.objects.get()))
    assert differ(draw(picture()), draw(picture(author="")))


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
    ("title", "company"), [("", "Lathe"), ("", ""), ("w" * 200, "Lathe"), ("word " * 40, "w" * 100)]
)
def test_whatever_the_texts_are_they_keep_to_their_margins(title: str, company: str) -> None:
    long = picture(title=title, company=company, author="n" * 80, role="r" * 80, site="s" * 40)
    found = opened(draw(long)).convert("L")
    for edge in ((0, 0, 70, 610), (1140, 0, 1200, 610)):
        assert min(found.crop(edge).tobytes()) > 200


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
