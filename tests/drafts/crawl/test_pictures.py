"""Pictures of a crawled website: only real ones stay in the proposal, with our own files of them."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.drafts.crawl.pictures import PictureFinder
from tests.pages_server import Answer, PagesServer
from tests.pictures import SCRIPT, picture

pytestmark = pytest.mark.usefixtures("media")

HOST = "acme.localhost"
SHOT = picture("PNG", size=(1280, 800))
LOGO = picture("PNG", size=(180, 180))
ICON = picture("PNG", size=(32, 32))
CARD = picture("PNG", size=(1200, 630))


@pytest.fixture
def web(settings: Any) -> Iterator[PagesServer]:
    with PagesServer() as server:
        settings.CRAWL_ALLOW_PRIVATE_HOSTS = frozenset({server.host(HOST)})
        files = {"/shot.png": SHOT, "/other.png": SHOT, "/logo.png": LOGO, "/icon.png": ICON, "/card.png": CARD}
        for path, body in files.items():
            server.serve(HOST, path, Answer(body=body, content_type="image/png"))
        svg = b'<svg xmlns="http://www.w3.org/2000/svg">' + SCRIPT + b"</svg>"
        server.serve(HOST, "/logo.svg", Answer(body=svg, content_type="image/svg+xml"))
        server.serve(HOST, "/busy.png", Answer(status=503))
        yield server


def reading(field: str, url: str, *runners_up: str) -> dict[str, Any]:
    place = {"page_url": "https://acme.example/", "source": "dom", "selector": "img", "snippet": "", "confidence": 0.9}
    others = [{"value": other, **place} for other in runners_up]
    return {"field": field, "value": url, "page_sha256": "0", "runners_up": others, **place}


def proposal(logos: list[str], shots: list[str]) -> dict[str, Any]:
    fields = {"name": "Acme", "logo_url": logos[0], "screenshots": shots}
    evidence = [reading("logo_url", *logos), *(reading(f"screenshots.{at}", shot) for at, shot in enumerate(shots))]
    return {"fields": fields, "evidence": evidence, "missing": [], "warnings": ["kept"]}


def finder(**changes: Any) -> PictureFinder:
    values = {"allows": lambda url: True, "delay_seconds": 0.0, "ends_at": time.monotonic() + 60, **changes}
    return PictureFinder(**values)


def test_real_pictures_stay_and_are_stored(web: PagesServer, media: Path) -> None:
    logo, shot, other = (web.url(HOST, path) for path in ("/logo.png", "/shot.png", "/other.png"))
    finding = finder()
    result = finding.keep_real_ones(proposal([logo], [shot, other]))
    assert result == proposal([logo], [shot, other])
    assert [(one.field, one.url) for one in finding.stored] == [
        ("logo_url", logo),
        ("screenshots", shot),
        ("screenshots", other),
    ]
    assert all(list((media / one.key).iterdir()) for one in finding.stored)
    assert len(web.seen) == 3


def test_what_is_no_logo_gives_way_to_the_next_one(web: PagesServer) -> None:
    svg, icon, logo = (web.url(HOST, path) for path in ("/logo.svg", "/icon.png", "/logo.png"))
    result = finder().keep_real_ones(proposal([svg, icon, logo], [web.url(HOST, "/shot.png")]))
    assert result["fields"]["logo_url"] == logo
    assert (result["evidence"][0]["value"], result["evidence"][0]["runners_up"]) == (logo, [])


def test_without_any_picture_the_fields_are_missing(web: PagesServer, media: Path) -> None:
    urls = [web.url(HOST, path) for path in ("/card.png", "/icon.png", "/gone.png", "/logo.svg")]
    result = finder().keep_real_ones(proposal([web.url(HOST, "/logo.svg")], [*urls, "http://127.0.0.1/inner.png"]))
    assert result["fields"] == {"name": "Acme"}
    assert result["evidence"] == []
    assert {item["field"] for item in result["missing"]} == {"logo_url", "screenshots"}
    assert not media.exists()


def test_the_rest_keeps_its_evidence_under_new_numbers(web: PagesServer) -> None:
    card, shot = web.url(HOST, "/card.png"), web.url(HOST, "/shot.png")
    result = finder().keep_real_ones(proposal([web.url(HOST, "/logo.png")], [card, shot]))
    assert result["fields"]["screenshots"] == [shot]
    assert [item["field"] for item in result["evidence"]] == ["logo_url", "screenshots.0"]


def test_a_busy_server_and_a_late_hour_leave_it_to_the_listing(web: PagesServer) -> None:
    busy, shot = web.url(HOST, "/busy.png"), web.url(HOST, "/shot.png")
    finding = finder()
    assert finding.keep_real_ones(proposal([busy], [busy]))["fields"]["screenshots"] == [busy]
    assert finding.stored == []
    late = finder(ends_at=time.monotonic() - 1)
    assert late.keep_real_ones(proposal([shot], [shot]))["fields"]["logo_url"] == shot
    assert [seen.path for seen in web.seen if seen.path == "/shot.png"] == []


def test_what_robots_txt_forbids_is_not_asked_for(web: PagesServer) -> None:
    shot = web.url(HOST, "/shot.png")
    result = finder(allows=lambda url: False).keep_real_ones(proposal([shot], [shot]))
    assert result["fields"] == {"name": "Acme"}
    assert web.seen == []
