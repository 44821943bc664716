"""Every public address says how long it may be kept and what ends it, and is answered again without the database."""

import pytest
from django.http.response import HttpResponseBase

from apps.core.web.public_cache.answers import FRESH_SECONDS, STALE_SECONDS
from apps.sites.models import Site
from tests.addresses import PROBES, filled, routes
from tests.core.public_cache.commits import committed
from tests.core.public_cache.visitors import visitor, without_the_database
from tests.launches.voting import WEEK
from tests.public_pages import COLLECTION, make_listing, play

pytestmark = pytest.mark.db

# Parameters of routes, by the beginning of the route and then by name.
VALUES: tuple[tuple[str, dict[str, str]], ...] = (
    ("boards/", {"key": "community-weekly"}),
    ("ledgers/", {"week": str(WEEK)}),
    ("newsletter/<", {"week": str(WEEK)}),
    ("categories/", {"slug": "acme-tools"}),
    ("collections/", {"pk": str(COLLECTION), "slug": "acme"}),
    ("listings/<slug:slug>/badges/", {"name": "featured_on"}),
    ("sitemap-", {"section": "listings"}),
    ("reference/<", {"name": "search_listings"}),
    ("api/v1/leaderboards/", {"board": "community-weekly"}),
    ("about/design/emails/", {"key": "live"}),
    ("oembed", {}),
)
PUBLIC = {
    "",
    ".well-known/ai-catalog.json",
    ".well-known/api-catalog",
    ".well-known/ard.json",
    ".well-known/oauth-authorization-server",
    ".well-known/oauth-protected-resource",
    ".well-known/oauth-protected-resource/api/v1",
    ".well-known/oauth-protected-resource/mcp",
    ".well-known/security.txt",
    "about/crawler",
    "about/design/emails",
    "about/ranking",
    "about/transparency",
    "api/v1/categories",
    "api/v1/interview-questions",
    "api/v1/leaderboards/<str:board>",
    "api/v1/listings",
    "api/v1/listings/<str:slug>",
    "api/v1/listings/<slug:slug>/comments",
    "api/v1/listings/<slug:slug>/reviews",
    "api/v1/openapi.json",
    "api/v1/products",
    "api/v1/weeks",
    "boards",
    "boards/<str:key>",
    "boards/<str:key>/preview.png",
    "categories",
    "categories/<slug:slug>",
    "collections",
    "collections/<int:pk>-<slug:slug>",
    "collections/<int:pk>-<slug:slug>.atom",
    "collections/<int:pk>-<slug:slug>.json",
    "collections/<int:pk>-<slug:slug>.rss",
    "collections/<int:pk>-<slug:slug>/preview.png",
    "connect",
    "founders",
    "founders/<slug:slug>",
    "founders/<slug:slug>/preview.png",
    "launches.atom",
    "launches.json",
    "launches.rss",
    "ledgers",
    "ledgers/<str:week>.jsonl",
    "listings/<slug:slug>",
    "listings/<slug:slug>/badge.svg",
    "listings/<slug:slug>/badges/<slug:name>.svg",
    "listings/<slug:slug>/comments",
    "listings/<slug:slug>/comments.atom",
    "listings/<slug:slug>/comments.json",
    "listings/<slug:slug>/comments.rss",
    "listings/<slug:slug>/reviews",
    "listings/<slug:slug>/reviews.atom",
    "listings/<slug:slug>/reviews.json",
    "listings/<slug:slug>/reviews.rss",
    "listings/<slug:slug>/embed",
    "listings/<slug:slug>/preview.png",
    "listings/<slug:slug>/updates.atom",
    "listings/<slug:slug>/updates.json",
    "listings/<slug:slug>/updates.rss",
    "llms.txt",
    "mcp/server-card",
    "newsletter",
    "newsletter/<str:week>",
    "preview.png",
    "pricing",
    "privacy",
    "reference",
    "reference/<slug:name>",
    "reference/webhooks",
    "robots.txt",
    "search",
    "search/suggestions",
    "sitemap-<slug:section>.xml",
    "sitemap.xml",
    "stories",
    "stories.atom",
    "stories.json",
    "stories.rss",
    "terms",
    "updates",
    "updates.atom",
    "updates.json",
    "updates.rss",
    "weeks",
}
# Pages with a form that anybody may send, and one that is each browser's own.
FORMS = {
    "about/design",
    "account/inactive",
    "account/password/reset",
    "account/sign-in",
    "account/sign-up",
}
# Made piece by piece.
NOT_KEPT = {"ledgers/<str:week>.jsonl"}


@pytest.fixture
def full_site(site: Site) -> Site:
    """A site with something at every public address, committed."""
    with committed():
        make_listing(site, "acme", "Acme")
        play(site)
    return site


def path_of(route: str) -> str:
    values = next((values for beginning, values in VALUES if route.startswith(beginning)), {})
    return filled(route, values)


@pytest.mark.slow
def test_every_address_says_whether_it_may_be_kept(full_site: Site) -> None:
    shown, public, silent = set(), set(), set()
    for route in routes():
        path = path_of(route)
        if path in PROBES or route.startswith("admin/"):
            continue
        answer = visitor().get(path)
        said = answer.get("Cache-Control", "")
        if answer.status_code == 200:
            shown.add(route)
        if said.startswith("public") or ", public" in said:
            public.add(route)
        elif "private" not in said and "no-store" not in said and answer.status_code != 301:
            silent.add((route, answer.status_code, said))
    assert silent == set()
    assert public == PUBLIC
    assert shown - public == FORMS


@pytest.mark.slow
def test_a_second_visitor_and_one_who_has_the_answer_cost_no_statement(full_site: Site) -> None:
    for route in sorted(PUBLIC - NOT_KEPT):
        path = path_of(route)
        first = visitor().get(path)
        assert first["Cache-Tag"].split(",") == first["Surrogate-Key"].split()
        with without_the_database():
            second = visitor().get(path)
            known = visitor(**{"if-none-match": first["ETag"]}).get(path)
            unknown = visitor(**{"if-none-match": '"another"'}).get(path)
            head = visitor().head(path)
        assert (second.content, unknown.content, head.status_code) == (first.content, first.content, 200), path
        assert (known.status_code, known.content) == (304, b""), path
        for name in ("ETag", "Cache-Control", "Surrogate-Key"):
            assert first[name] == known[name] == head[name], path
        assert first["X-Request-ID"] != second["X-Request-ID"]
        assert of_everybody(second) == of_everybody(first), path


def of_everybody(answer: HttpResponseBase) -> dict[str, str]:
    return {name: value for name, value in answer.items() if name != "X-Request-ID"}


def test_a_page_may_be_some_seconds_old(full_site: Site) -> None:
    said = f"public, max-age=0, s-maxage={FRESH_SECONDS}, stale-while-revalidate={STALE_SECONDS}"
    assert visitor().get("/")["Cache-Control"] == said
    assert visitor().get("/api/v1/listings")["Cache-Control"] == said


def test_keys_name_the_site_and_the_listing(full_site: Site) -> None:
    listing = full_site.listings.get(slug="acme")
    on_listing = visitor().get("/listings/acme")["Surrogate-Key"].split()
    named = [key for key in on_listing if not key.startswith("part-")]
    assert named == ["all", f"listing-{listing.pk}", f"site-{full_site.pk}"]
    assert visitor().get("/")["Surrogate-Key"].split() == ["all", "lists", f"site-{full_site.pk}"]
