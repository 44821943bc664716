"""Collected static files: hashed names, kept for a year, compressed; and pages without them."""

import gzip
import os
import re
from pathlib import Path
from typing import Any, cast

import brotli
import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.http import HttpResponse
from django.templatetags.static import static
from django.test import Client
from django.utils.functional import empty

from apps.core.web import static_files
from apps.sites.models import Site

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture
def collected(settings: Any, tmp_path: Path) -> Path:
    """STATIC_ROOT with one stylesheet and its font, as production has them."""
    sources = tmp_path / "sources"
    (sources / "fonts").mkdir(parents=True)
    (sources / "fonts/inter-latin.woff2").write_bytes(b"wOF2" + bytes(900))
    (sources / "site.css").write_text(
        '@font-face { src: url("fonts/inter-latin.woff2") }\n' + "a { color: red }\n" * 90
    )
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATICFILES_DIRS = [sources]
    settings.STATIC_ROOT = tmp_path / "static"
    settings.WHITENOISE_USE_FINDERS = settings.WHITENOISE_AUTOREFRESH = False
    call_command("collect_changed")
    return sources


def get(address: str, **headers: str) -> tuple[HttpResponse, bytes]:
    """An answer and its body, read to its end."""
    response = cast("HttpResponse", Client(headers=headers).get(address))
    body = b"".join(response)
    response.close()
    return response, body


def test_the_page_names_files_that_are_kept_for_a_year(collected: Path, site: Site) -> None:
    page = get("/")[1].decode()
    address = re.search(r'href="(/static/site\.[0-9a-f]{12}\.css)"', page)
    font = re.search(r'href="/static/(fonts/inter-latin\.[0-9a-f]{12}\.woff2)"', page)
    assert address
    assert font
    sheet, body = get(address[1], **{"accept-encoding": "br"})
    assert {part.strip() for part in sheet["Cache-Control"].split(",")} == {"public", "max-age=31536000", "immutable"}
    assert sheet["Content-Encoding"] == "br"
    # The font that the page loads early is the one that the sheet asks for.
    assert font[1] in brotli.decompress(body).decode()
    assert "immutable" not in get("/static/site.css")[0]["Cache-Control"]


def test_gzip_and_plain(collected: Path, site: Site) -> None:
    address = static("site.css")
    plain, body = get(address)
    packed, smaller = get(address, **{"accept-encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(smaller) == body
    assert "Content-Encoding" not in plain
    assert "Accept-Encoding" in plain["Vary"]


def test_only_changes_are_collected(collected: Path, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not static_files.collect_if_changed()
    before, sheet = static("site.css"), collected / "site.css"
    sheet.write_text("a { color: blue }\n")
    # As in an older release that is installed again.
    os.utime(sheet, (0, 0))
    assert static_files.collect_if_changed()
    # As another process reads it.
    monkeypatch.setattr(staticfiles_storage, "_wrapped", empty)
    assert static("site.css") != before
    assert get("/static/site.css")[1] == b"a { color: blue }\n"
    assert get(before)[0].status_code == 200, "a page that is kept somewhere asks for it"


def test_without_collected_files_names_are_plain(settings: Any, tmp_path: Path, site: Site) -> None:
    settings.STATIC_ROOT = tmp_path / "none"
    assert static("site.css") == "/static/site.css"
    assert Client().get("/").status_code == 200


def test_the_stylesheet_stays_small() -> None:
    sheet = (PROJECT / "static/site.css").read_bytes()
    assert len(brotli.compress(sheet, quality=11)) < 15_000
