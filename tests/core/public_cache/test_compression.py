"""Public answers are compressed once, pages of one person by Django with a random length."""

import gzip

import brotli
import pytest

from apps.core.web.public_cache import answers, middleware
from apps.sites.models import Site
from tests.core.public_cache.visitors import visitor
from tests.factories import ListingFactory, UserFactory

pytestmark = pytest.mark.db

DECODE = {"br": brotli.decompress, "gzip": gzip.decompress}


@pytest.mark.parametrize("path", ["/", "/api/v1/listings", "/launches.atom", "/sitemap-pages.xml", "/about/ranking"])
@pytest.mark.parametrize("encoding", ["br", "gzip"])
def test_public_answers(site: Site, path: str, encoding: str) -> None:
    for number in range(3):
        ListingFactory.create(site=site, live=True, slug=f"one-{number}")
    plain = visitor().get(path)
    for _ in range(2):
        packed = visitor(**{"accept-encoding": encoding}).get(path)
        assert packed["Content-Encoding"] == encoding
        assert DECODE[encoding](packed.content) == plain.content
        assert packed["Content-Length"] == str(len(packed.content))
        assert len(packed.content) < len(plain.content)
    assert "Content-Encoding" not in plain
    assert packed["ETag"] == plain["ETag"]
    assert packed["ETag"].startswith("W/")
    assert "Accept-Encoding" in plain["Vary"]
    assert "Accept-Encoding" in packed["Vary"]


def test_each_encoding_is_made_once(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def noted(body: bytes, encoding: str) -> bytes:
        made.append(encoding)
        return answers.compress(body, encoding)

    monkeypatch.setattr(middleware, "compress", noted)
    for encoding in ("br", "gzip", "br", "", "gzip", "br"):
        visitor(**{"accept-encoding": encoding}).get("/categories")
    assert made == ["br", "gzip"]


def test_pictures_stay_as_they_are(site: Site) -> None:
    assert "Content-Encoding" not in visitor(**{"accept-encoding": "br"}).get("/preview.png")


def test_a_page_of_one_person_has_no_telling_length(site: Site) -> None:
    client = visitor(**{"accept-encoding": "gzip, br"})
    client.force_login(UserFactory.create())
    sizes = set()
    for _ in range(8):
        page = client.get("/account/notifications")
        assert page["Content-Encoding"] == "gzip"
        sizes.add(len(page.content))
    assert len(sizes) > 1
