"""The sitemap: every public page, with a true last change, and nothing else."""

from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import pytest
import time_machine
from django.utils import timezone
from lxml import html

from apps.launches.models import Standing, VoteLedger
from apps.launches.votes.rankings import close_boards
from apps.listings.models import Listing, Update
from apps.orders.models import TermsOfSale
from apps.sites.models import Site, SitePage
from apps.sites.seo.sitemaps import MAX_AGE_SECONDS, Section, sections
from apps.stories.models import FounderStory
from tests.browsing import browser
from tests.factories import CategoryFactory, ListingFactory, SiteFactory, complete_profile
from tests.schemas import check_xml

pytestmark = pytest.mark.db

NAMES = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
# A page of every kind, on a site that has something of each.
KINDS = {
    "/",
    "/boards",
    "/boards?year=2025",
    "/boards/community-weekly",
    "/boards/community-weekly?week=2025-W20",
    "/boards/community-monthly?month=2025-05",
    "/boards/community-yearly",
    "/boards/community-all-time",
    "/categories",
    "/categories/tools",
    "/founders",
    "/founders/ada-example",
    "/stories",
    "/stories/acme",
    "/compare/acme-vs-old-one",
    "/terms",
    "/privacy",
    "/imprint",
    "/terms/sale",
    "/reference",
    "/reference/search_listings",
    "/weeks",
    "/pricing",
    "/updates",
    "/listings/acme",
    "/listings/old-one",
    "/connect",
    "/about/ranking",
    "/ledgers",
    "/newsletter/2025-W20",
    "/about/crawler",
}
TODAY = datetime(2026, 11, 19, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _today(time_machine: Any) -> None:
    time_machine.move_to(TODAY, tick=False)


def read(path: str, **headers: str) -> dict[str, str]:
    """The addresses of a sitemap or an index, each with its last change."""
    answer = browser(**headers).get(path)
    assert answer.status_code == 200, path
    assert answer["Content-Type"].startswith("application/xml")
    root = check_xml(answer.content, "sitemap.xsd")
    return {
        row.findtext("s:loc", namespaces=NAMES): row.findtext("s:lastmod", "", namespaces=NAMES) or "" for row in root
    }


def paths(section: str, **headers: str) -> dict[str, str]:
    """The same without the host, and with the query."""
    result = {urlsplit(url): at for url, at in read(f"/sitemap-{section}.xml", **headers).items()}
    return {parts.path + (f"?{parts.query}" if parts.query else ""): at for parts, at in result.items()}


def full_site(site: Site) -> Listing:
    """A site with something of every kind: an old and a new launch, news, a story, a founder, a category."""
    category = CategoryFactory.create(site=site, slug="tools")
    old = ListingFactory.create(
        live=True, launch_week="2025-W20", launched_at=datetime(2025, 5, 12, tzinfo=UTC), slug="old-one"
    )
    old.categories.add(category)
    listing = ListingFactory.create(live=True, slug="acme", alternatives=[old.company.name])
    old.alternatives = [listing.company.name]
    old.save()
    profile = complete_profile(listing.company.owner)
    profile.slug = "ada-example"
    profile.save()
    FounderStory.objects.create(
        listing=listing, author=listing.company.owner, title="How it began", published_at=timezone.now()
    )
    Update.objects.create(listing=listing, title="Version 2", body="Faster.")
    return listing


@pytest.mark.slow
def test_every_page_of_it_is_there_is_its_own_canonical_one_and_may_be_indexed(site: Site) -> None:
    full_site(site)
    SitePage.objects.create(site=site, kind=SitePage.Kind.IMPRINT, title="Imprint", text="We.")
    TermsOfSale.objects.create(site=site, text="We sell.")
    listed = read("/sitemap.xml")
    assert set(listed) == {site.url(f"/sitemap-{name}.xml") for name in sections()}
    robots = browser().get("/robots.txt").content.decode().splitlines()
    private = [line.removeprefix("Disallow: ") for line in robots if line.startswith("Disallow: ")]
    seen = set()
    for section in listed:
        for url in read(urlsplit(section).path):
            parts = urlsplit(url)
            assert f"{parts.scheme}://{parts.netloc}" == site.base_url
            assert not parts.path.startswith(tuple(private))
            answer = browser().get(url.removeprefix(site.base_url))
            assert answer.status_code == 200, url
            assert "noindex" not in answer.get("X-Robots-Tag", "")
            tree: Any = html.fromstring(answer.content)
            assert not tree.xpath("//head/meta[@name='robots'][contains(@content, 'noindex')]"), url
            assert tree.xpath("//head/link[@rel='canonical']/@href") == [url], url
            assert url not in seen
            seen.add(url)
    assert {site.url(path) for path in KINDS} <= seen


def test_an_empty_site_has_valid_sitemaps(site: Site) -> None:
    Listing.objects.all().delete()
    listed = read("/sitemap.xml")
    assert site.url("/sitemap-listings.xml") not in listed
    for section in listed:
        read(urlsplit(section).path)
    assert browser().get("/sitemap-listings.xml").status_code == 404
    assert "/imprint" not in paths("pages")


@pytest.mark.parametrize("status", [status for status in Listing.Status if status != Listing.Status.LIVE])
def test_what_is_not_public_is_not_in_it(site: Site, status: str) -> None:
    listing = full_site(site)
    Listing.objects.filter(pk=listing.pk).update(
        status=status, suspended_from="live" if status == Listing.Status.SUSPENDED else ""
    )
    assert list(paths("listings")) == ["/listings/old-one"]
    assert list(paths("stories")) == ["/stories"]
    assert list(paths("founders")) == ["/founders"]


def test_each_site_has_its_own(site: Site) -> None:
    full_site(site)
    elsewhere = SiteFactory.create()
    there = ListingFactory.create(live=True, site=elsewhere)
    result = read("/sitemap-listings.xml", HOST=elsewhere.host)
    assert list(result) == [elsewhere.url(there.path)]
    assert site.url("/sitemap-listings.xml") in read("/sitemap.xml")
    assert elsewhere.url("/sitemap-listings.xml") in read("/sitemap.xml", HOST=elsewhere.host)


def test_a_listing_changes_with_its_words_its_company_and_its_news(site: Site) -> None:
    listing = ListingFactory.create(live=True)
    changes = {
        "updated_at": datetime(2026, 9, 1, tzinfo=UTC),
        "company": datetime(2026, 9, 2, tzinfo=UTC),
        "news": datetime(2026, 9, 3, tzinfo=UTC),
    }
    Listing.objects.filter(pk=listing.pk).update(updated_at=changes["updated_at"])
    type(listing.company).objects.filter(pk=listing.company_id).update(updated_at=changes["company"])
    assert paths("listings") == {listing.path: "2026-09-02"}
    Update.objects.create(listing=listing, title="News", body="They.", created_at=changes["news"])
    assert paths("listings") == {listing.path: "2026-09-03"}
    assert read("/sitemap.xml")[site.url("/sitemap-listings.xml")].startswith("2026-09-03")


def test_a_closed_leaderboard_last_changed_when_it_was_closed(site: Site) -> None:
    old = ListingFactory.create(live=True, launch_week="2025-W20", launched_at=datetime(2025, 5, 12, tzinfo=UTC))
    VoteLedger.objects.update_or_create(
        site=site, iso_week="2025-W20", defaults={"closed_at": datetime(2025, 5, 19, 1, tzinfo=UTC), "salt": ""}
    )
    Standing.objects.filter(listing=old).update(is_final=True, rank=1)
    result = paths("boards")
    for path in ("community-weekly?week=2025-W20", "community-monthly?month=2025-05", "community-yearly?year=2025"):
        assert result[f"/boards/{path}"] == "2025-05-19"
    assert result["/boards?year=2025"] == "2025-05-19"
    assert result["/boards/community-all-time"] == "2025-05-19"
    assert result["/"] == result["/boards/community-weekly"] == ""


def test_a_leaderboard_without_listings_is_left_out(site: Site) -> None:
    with time_machine.travel(datetime(2025, 5, 12, tzinfo=UTC)):
        old = ListingFactory.create(live=True)
        Listing.objects.filter(pk=old.pk).update(status=Listing.Status.ARCHIVED)
    assert not [path for path in paths("boards") if "2025" in path]
    assert "/newsletter/2025-W20" not in paths("sales")
    # It was suspended while its week was closed, and is back without a rank: no board shows it.
    close_boards()
    Listing.objects.filter(pk=old.pk).update(status=Listing.Status.LIVE)
    assert not [path for path in paths("boards") if "2025" in path]
    assert "/newsletter/2025-W20" not in paths("sales")


def test_a_long_section_is_paged(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    listings = [ListingFactory.create(live=True) for _ in range(5)]
    monkeypatch.setattr(Section, "limit", 2)
    assert Section.limit == 2
    pages = [url for url in read("/sitemap.xml") if "listings" in url]
    base = site.url("/sitemap-listings.xml")
    assert pages == [base, f"{base}?p=2", f"{base}?p=3"]
    result = [url for page in pages for url in read(page.removeprefix(site.base_url))]
    assert sorted(result) == sorted(listing.page_url for listing in listings)


def test_a_list_comes_before_the_pages_of_its_rows(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    slugs = [f"founder-{number}" for number in range(3)]
    for slug in slugs:
        profile = complete_profile(ListingFactory.create(live=True).company.owner)
        profile.slug = slug
        profile.save()
    monkeypatch.setattr(Section, "limit", 2)
    pages = [url for url in read("/sitemap.xml") if "founders" in url]
    result = [url for page in pages for url in read(page.removeprefix(site.base_url))]
    assert len(pages) == 2
    assert result == [site.url("/founders"), *(site.url(f"/founders/{slug}") for slug in slugs)]


@pytest.mark.parametrize("path", ["/sitemap-listings.xml?p=2", "/sitemap-pages.xml?p=0", "/sitemap-pages.xml?p=x"])
def test_pages_that_are_not_there(site: Site, path: str) -> None:
    ListingFactory.create(live=True)
    assert browser().get(path).status_code == 404
    assert browser().get("/sitemap-nothing.xml").status_code == 404
    assert browser().post("/sitemap.xml").status_code == 405


def test_a_robot_that_has_it_gets_304(site: Site) -> None:
    ListingFactory.create(live=True)
    for path in ("/sitemap.xml", "/sitemap-listings.xml", "/sitemap-pages.xml"):
        first = browser().get(path)
        assert set(first["Cache-Control"].split(", ")) == {"public", f"max-age={MAX_AGE_SECONDS}"}
        assert "Cookie" not in first.get("Vary", "")
        assert browser(**{"If-None-Match": first["ETag"]}).get(path).status_code == 304


def test_robots_are_told(site: Site) -> None:
    answer = browser().get("/robots.txt")
    [line] = [line for line in answer.content.decode().splitlines() if line.startswith("Sitemap: ")]
    assert urlsplit(line.removeprefix("Sitemap: ")).path == "/sitemap.xml"
    assert "max-age" in answer["Cache-Control"]
