"""An owner adds, orders and describes pictures, with the script and without."""

import re
from typing import Any

import pytest

from tests.browser.conftest import with_script
from tests.browser.playwright import FilePayload, Page, expect
from tests.pictures import SCRIPT, picture

SVG = b'<svg xmlns="http://www.w3.org/2000/svg">' + SCRIPT + b"</svg>"


@pytest.fixture
def opened(signed_in: Page, listing: dict[str, Any]) -> Page:
    """The page of a listing without any pictures."""
    signed_in.on("dialog", lambda dialog: dialog.accept())
    signed_in.goto(f"/listings/{listing['slug']}/pictures")
    return signed_in


def save(page: Page) -> None:
    button = page.get_by_role("button", name="Save pictures")
    expect(button).to_be_enabled()
    button.click()
    expect(page.get_by_text("Pictures saved")).to_be_visible()


def file(name: str, content: bytes, kind: str = "image/png") -> FilePayload:
    return FilePayload(name=name, mimeType=kind, buffer=content)


def sizes(page: Page) -> list[int]:
    """The heights of the pictures in their order, by which they can be told apart."""
    return [int(image.get_attribute("height") or 0) for image in page.locator(".picture-tile img").all()]


def choose(page: Page, *files: FilePayload) -> None:
    page.get_by_label("Upload screenshots").set_input_files(files)


def test_a_logo_and_screenshots(opened: Page, has_script: bool) -> None:
    shots = [file(f"{height}.png", picture("PNG", size=(800, height))) for height in (500, 600, 700)]
    choose(opened, *shots)
    opened.get_by_label("Upload a logo").set_input_files(file("logo.png", picture("PNG", size=(200, 200))))
    save(opened)
    tiles = opened.locator(".picture-tile")
    expect(tiles).to_have_count(3)
    assert sizes(opened) == [500, 600, 700]
    tiles.nth(0).get_by_label("Description").fill("Where it begins")
    tiles.nth(0).get_by_role("button", name="Move later").click()
    if has_script:
        # Nothing is saved yet.
        expect(opened.get_by_text("Screenshot 2 of 3")).to_be_attached()
        save(opened)
    expect(opened.get_by_text("Pictures saved")).to_be_visible()
    assert sizes(opened) == [600, 500, 700]
    expect(tiles.nth(1).get_by_label("Description")).to_have_value("Where it begins")
    tiles.nth(2).get_by_label("Remove").check()
    save(opened)
    assert sizes(opened) == [600, 500]


def test_bad_files_are_refused_beside_the_field(opened: Page, has_script: bool) -> None:
    choose(
        opened,
        file("huge.png", picture("PNG", size=(800, 500)) + bytes(5 * 2**20)),
        file("small.png", picture("PNG", size=(30, 30))),
        file("script.svg", SVG, "image/svg+xml"),
    )
    if not has_script:
        opened.get_by_role("button", name="Save pictures").click()
    problems = opened.locator(".field-screenshot_files .error")
    expect(problems).to_have_count(3)
    for name in ("huge.png", "small.png", "script.svg"):
        expect(problems.get_by_text(re.compile(f"^{name}: "))).to_be_visible()
    expect(opened.locator(".picture-tile")).to_have_count(0)


@with_script
def test_saving_nothing_keeps_the_reasons(opened: Page) -> None:
    choose(opened, file("small.png", picture("PNG", size=(30, 30))), file("script.svg", SVG, "image/svg+xml"))
    problems = opened.locator(".field-screenshot_files .error")
    expect(problems).to_have_count(2)
    button = opened.get_by_role("button", name="Save pictures")
    expect(button).to_be_enabled()
    button.click()
    expect(opened.get_by_text("Nothing to save. ")).to_be_attached()
    expect(problems).to_have_count(2)
    expect(opened.get_by_text("Pictures saved")).to_have_count(0)
    choose(opened, file("shot.png", picture("PNG", size=(800, 500))))
    save(opened)
    expect(opened.locator(".picture-tile")).to_have_count(1)


def test_files_beyond_the_limit(opened: Page, has_script: bool) -> None:
    choose(opened, *(file(f"{number}.png", picture("PNG", size=(700, 400))) for number in range(40)))
    if has_script:
        expect(opened.get_by_text("Not added: 8.png, 9.png, ")).to_be_visible()
        expect(opened.locator("[data-count]")).to_have_text("8/8")
        save(opened)
        expect(opened.locator(".picture-tile")).to_have_count(8)
    else:
        opened.get_by_role("button", name="Save pictures").click()
        expect(opened.locator(".field-screenshot_files .error")).to_have_count(1)
        expect(opened.locator(".picture-tile")).to_have_count(0)


@with_script
def test_files_are_dropped_and_dragged(opened: Page) -> None:
    data = opened.evaluate_handle(
        """async () => {
          const made = new DataTransfer();
          for (const height of [500, 600]) {
            const canvas = new OffscreenCanvas(800, height);
            const pencil = canvas.getContext("2d");
            pencil.fillRect(0, 0, 400, height / 2);
            const file = new File([await canvas.convertToBlob()], `${height}.png`, { type: "image/png" });
            made.items.add(file);
          }
          return made;
        }"""
    )
    zone = "[data-drop=screenshots]"
    for kind in ("dragenter", "dragover", "drop"):
        opened.dispatch_event(zone, kind, {"dataTransfer": data})
    tiles = opened.locator(".picture-tile")
    expect(tiles).to_have_count(2)
    expect(opened.get_by_role("button", name="Save pictures")).to_be_enabled()
    tiles.nth(1).locator(".picture-place").drag_to(tiles.nth(0).locator(".picture-place"))
    save(opened)
    assert sizes(opened) == [600, 500]
