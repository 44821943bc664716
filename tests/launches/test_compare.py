"""Two listings side by side: whose pair an address is, what it says, and who finds it."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from lxml import html

from apps.core.stores.valkey.generations import LISTS, company_name, listing_name
from apps.core.web.public_cache.purging import surrogate_keys
from apps.launches.sitemaps import _PAIRS_SQL, CompareSection
from apps.listings.models import Listing
from apps.listings.services.evidence import Fact, keep_evidence
from apps.sites.models import Site
from tests.core.public_cache.commits import committed
from tests.factories import CategoryFactory, ListingFactory, SiteFactory
from tests.heads import canonical_of, meta_of, thing_of
from tests.plans import plan_of

pytestmark = pytest.mark.db

READ_AT = datetime(2026, 11, 3, 23, 30, tzinfo=UTC)
NOT_LIVE = ["draft", "in_review", "awaiting_badge", "scheduled", "archived", "suspended", "rejected"]


def make(slug: str, **fields: Any) -> Listing:
    made: Listing = ListingFactory.create(live=True, slug=slug, company__name=slug.title(), **fields)
    return made


def names_on(client: Client, path: str) -> list[str]:
    answer = client.get(path)
    assert answer.status_code == 200, path
    page: Any = html.document_fromstring(answer.content.decode())
    return [str(link).removeprefix("/listings/") for link in page.xpath("//table//thead//a/@href")]


def cells_of(client: Client, path: str) -> dict[str, list[str]]:
    page: Any = html.document_fromstring(client.get(path).content.decode())
    rows = {}
    for row in page.xpath("//table/tbody/tr"):
        label, *cells = (" ".join(cell.text_content().split()) for cell in row)
        rows[label] = cells
    return rows


def test_the_other_order_redirects_for_good(client: Client, site: Site) -> None:
    make("acme"), make("zeta")
    assert names_on(client, "/compare/acme-vs-zeta") == ["acme", "zeta"]
    answer = client.get("/compare/zeta-vs-acme")
    assert (answer.status_code, answer["Location"]) == (301, "/compare/acme-vs-zeta")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cats-vs-dogs", "acme"),
        ("acme", "cats-vs-dogs"),
        ("a-vs-b", "c-vs-d"),
        ("vs", "vs-vs-vs"),
        ("a-vs-a", "a"),
        ("a-vs", "b"),
        ("b", "vs-a"),
    ],
)
def test_slugs_may_contain_the_separator(client: Client, site: Site, one: str, other: str) -> None:
    make(one), make(other)
    first, second = sorted((one, other))
    assert names_on(client, f"/compare/{first}-vs-{second}") == [first, second]
    answer = client.get(f"/compare/{second}-vs-{first}", follow=True)
    assert answer.request["PATH_INFO"] == f"/compare/{first}-vs-{second}"


def test_an_address_that_fits_two_pairs_never_redirects_in_a_circle(client: Client, site: Site) -> None:
    for slug in ("a", "b", "c", "a-vs-b", "b-vs-c", "b-vs-a", "c-vs-b", "a-vs-c", "c-vs-a"):
        make(slug)
    for path in ("a-vs-b-vs-c", "c-vs-b-vs-a", "b-vs-a-vs-c", "a-vs-c-vs-b", "c-vs-a-vs-b", "b-vs-c-vs-a"):
        answer = client.get(f"/compare/{path}", follow=True)
        assert answer.status_code == 200
        assert len(answer.redirect_chain) <= 1


@pytest.mark.parametrize("status", NOT_LIVE)
def test_only_live_listings_are_compared(client: Client, site: Site, status: str) -> None:
    make("acme")
    hidden = make("zeta")
    Listing.objects.filter(pk=hidden.pk).update(status=status, suspended_from="live" if status == "suspended" else "")
    assert client.get("/compare/acme-vs-zeta").status_code == 404
    client.force_login(hidden.company.owner)
    assert client.get("/compare/acme-vs-zeta").status_code == 404


@pytest.mark.parametrize("pair", ["acme", "acme-vs-acme", "acme-vs-nobody", "-vs-", "acme-vs-", "acme-vs-elsewhere"])
def test_other_pairs_have_no_page(client: Client, site: Site, pair: str) -> None:
    make("acme")
    make("elsewhere", site=SiteFactory.create())
    assert client.get(f"/compare/{pair}").status_code == 404


def test_a_merged_listing_stands_for_the_kept_one(client: Client, site: Site) -> None:
    make("acme")
    kept, merged = make("zeta"), make("beta")
    Listing.objects.filter(pk=merged.pk).update(status="archived", merged_into=kept)
    assert client.get("/compare/acme-vs-beta").headers["Location"] == "/compare/acme-vs-zeta"
    assert client.get("/compare/beta-vs-zeta").status_code == 404


def test_each_fact_says_where_it_was_read(client: Client, site: Site) -> None:
    one = make("acme", company__founded_year=2019, company__pricing_model="freemium", company__price_from_cents=2900)
    other = make("zeta", company__platforms=["iOS", "Web"], company__docs_url="https://docs.zeta.example/")
    one.categories.add(CategoryFactory.create(site=site, name="Calendars"))
    fact = Fact("founded_year", 2019, f"{one.company.website}/about", "We began in 2019.", READ_AT)
    keep_evidence(listing=one, website_key=one.company.website_key, facts=[fact])
    rows = cells_of(client, "/compare/acme-vs-zeta")
    place = one.company.website.removeprefix("https://")
    assert rows["Founded"] == [f"2019 Source: {place}/about, Nov 3, 2026", "Not stated"]
    assert rows["Pricing"] == ["Freemium, from $29 Stated by the owner", "Not stated"]
    assert rows["Platforms"] == ["Not stated", "iOS, Web Stated by the owner"]
    assert rows["Categories"] == ["Calendars Stated by the owner", "Not stated"]
    assert rows["Documentation"] == ["Not stated", "docs.zeta.example Stated by the owner"]
    assert "Stage" not in rows
    assert other.slug in names_on(client, "/compare/acme-vs-zeta")


def test_what_programs_read(client: Client, site: Site) -> None:
    make("acme", alternatives=["ZETA"]), make("zeta", alternatives=["Acme"])
    text = client.get("/compare/acme-vs-zeta").content.decode()
    assert canonical_of(text) == site.url("/compare/acme-vs-zeta")
    meta = meta_of(text)
    assert "robots" not in meta
    assert meta["og:title"] == "Acme vs Zeta"
    listed = thing_of(text, "CollectionPage")["mainEntity"]["itemListElement"]
    assert [entry["url"] for entry in listed] == [site.url("/listings/acme"), site.url("/listings/zeta")]


def test_only_pairs_that_name_each_other_are_for_search_engines(client: Client, site: Site) -> None:
    one, other = make("acme", alternatives=["zeta", "beta"]), make("zeta")
    make("beta", alternatives=[one.company.website_key.upper()])
    assert meta_of(client.get("/compare/acme-vs-zeta").content.decode())["robots"] == "noindex"
    assert [result.path for result in CompareSection(site).addresses()] == ["/compare/acme-vs-beta"]
    other.alternatives = ["acme"]
    other.save()
    paths = [result.path for result in CompareSection(site).addresses()]
    assert paths == ["/compare/acme-vs-zeta", "/compare/acme-vs-beta"]
    assert all(site.url(path) in client.get("/sitemap-comparisons.xml").content.decode() for path in paths)
    Listing.objects.filter(pk=other.pk).update(status="archived")
    assert [result.path for result in CompareSection(site).addresses()] == ["/compare/acme-vs-beta"]


def test_the_listings_page_links_to_it(client: Client, site: Site) -> None:
    make("zeta", alternatives=["Acme"]), make("acme", alternatives=["Zeta"])
    assert '"/compare/acme-vs-zeta"' in client.get("/listings/zeta").content.decode()


def test_any_text_is_shown_as_text(client: Client, site: Site) -> None:
    make("acme", company__tech_stack=["<script>alert(1)</script>"]), make("zeta")
    assert "<script>alert(1)" not in client.get("/compare/acme-vs-zeta").content.decode()


def test_a_change_of_either_ends_the_cached_page(site: Site) -> None:
    with committed():
        two = make("acme"), make("zeta")
    generations = [*(listing_name(one.pk) for one in two), *(company_name(one.company_id) for one in two)]
    keys = Client().get("/compare/acme-vs-zeta")["Surrogate-Key"].split()
    assert set(surrogate_keys(generations)) <= set(keys)
    assert set(surrogate_keys([LISTS])).isdisjoint(keys)


def test_the_sitemap_reads_only_listings_with_alternatives(site: Site) -> None:
    with connection.cursor() as cursor:
        # For so few rows PostgreSQL may take this index.
        cursor.execute(
            "SET CONSTRAINTS ALL IMMEDIATE;"
            " ALTER TABLE listings_listing DROP CONSTRAINT one_listing_per_company_and_site"
        )
    kinds = plan_of(_PAIRS_SQL, {"site": site.pk}).kinds
    assert {kind for kind in kinds if "listing_" in kind} == {"Index Scan listing_alternatives"}
