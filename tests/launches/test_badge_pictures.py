"""The pictures of badges, as visitors of owners' websites load them."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from lxml import etree

from apps.core.web.colors import hex_of
from apps.launches.badges.kinds import Badge, Kind
from apps.launches.badges.pictures import Theme, draw, picture_of, text_width
from apps.launches.calendar import launch_weeks
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.factories import ListingFactory, SiteFactory

SVG = "{http://www.w3.org/2000/svg}"


def address(listing: Listing, name: str) -> str:
    return f"/listings/{listing.slug}/badges/{name}.svg"


@pytest.mark.parametrize("theme", list(Theme))
@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("name", ["Slipway", "W" * 40, "iiiii", "<b>&'\"", "船台ショー", "Ünï 🚀"])
def test_each_picture_is_svg_with_its_texts_inside(kind: Kind, theme: Theme, name: str) -> None:
    site = Site(name=name, hue=140)
    picture = picture_of(Badge(kind, True, "", "2026-W46" if kind.startswith("week") else "2026"), site=site)
    root = etree.fromstring(draw(picture, site=site, theme=theme).encode())
    assert (root.tag, root.get("width"), root.get("height")) == (f"{SVG}svg", str(picture.width), "54")
    texts = [element for element in root.iter(f"{SVG}text") if element.get("textLength")]
    assert [element.text for element in texts] == [picture.label.upper(), picture.name]
    for element in texts:
        assert float(element.get("x", "0")) + float(element.get("textLength", "0")) <= picture.width - 10
    assert name in {picture.name, picture.label, picture.label.split(" · ")[0]}
    style = "".join(map(str, root.itertext(f"{SVG}style")))
    assert ("prefers-color-scheme" in style) is (theme == Theme.AUTO)


def test_long_names_make_wide_pictures() -> None:
    badge = Badge(Kind.FEATURED_ON, True, "")
    widths = [picture_of(badge, site=Site(name=name)).width for name in ("A", "Slipway", "Slipway Makers", "W" * 40)]
    assert widths == sorted(widths)
    assert widths[-1] > 600
    assert text_width("船台", 10) == 20
    assert text_width("e\u0301", 10) == text_width("e", 10)


def test_colours_stay_within_what_screens_show() -> None:
    colors = {hex_of(0.53, 0.2, hue) for hue in range(0, 360, 10)}
    assert len(colors) == 36
    assert hex_of(1, 0, 0) == "#ffffff"
    assert hex_of(0, 0, 0) == "#000000"
    assert hex_of(0.627955, 0.257683, 29.2339) == "#ff0000"


@pytest.mark.parametrize("name", ["launching_on", "launching_on-light", "launching_on-dark"])
def test_pictures_may_be_shown_everywhere_and_kept(client: Client, site: Site, name: str) -> None:
    listing = ListingFactory.create(status="awaiting_badge")
    answer = client.get(address(listing, name))
    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert answer["Cache-Control"].startswith("public, max-age=3600")
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert answer["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert answer["Content-Security-Policy"] == "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    assert "Vary" not in answer or "Cookie" not in answer["Vary"]
    assert not answer.cookies


def test_light_and_dark_differ(client: Client, site: Site) -> None:
    listing = ListingFactory.create()
    drawn = {name: client.get(address(listing, f"launching_on{name}")).content for name in ("", "-light", "-dark")}
    assert len(set(drawn.values())) == 3


@pytest.mark.parametrize("fields", [{"status": "draft"}, {"live": True}, {"live": True, "launch_week": "2025-W20"}])
def test_what_is_not_earned_is_not_there(client: Client, site: Site, fields: dict[str, Any]) -> None:
    listing = ListingFactory.create(**fields)
    for kind in ("week_1", "week_2", "week_3", "month_1", "year_1", "founder_story"):
        for name in (kind, f"{kind}-light", f"{kind}-dark"):
            assert client.get(address(listing, name)).status_code == 404, name


@pytest.mark.parametrize("kind", ["live_now", "featured_on"])
def test_before_the_launch_there_is_one_badge(client: Client, site: Site, kind: str) -> None:
    assert client.get(address(ListingFactory.create(), kind)).status_code == 404


def test_a_badge_whose_time_is_over_leads_to_its_successor(client: Client, site: Site) -> None:
    listing = ListingFactory.create(live=True)
    assert client.get(address(listing, "live_now")).status_code == 200
    for name in ("launching_on", "launching_on-dark"):
        answer = client.get(address(listing, name))
        assert (answer.status_code, answer["Location"]) == (
            302,
            address(listing, name.replace("launching", "featured")),
        )
        assert answer["Access-Control-Allow-Origin"] == "*"
    with time_machine.travel(launch_weeks.current_week().ends_at + timedelta(hours=1), tick=False):
        answer = client.get(address(listing, "live_now-light"))
        assert (answer.status_code, answer["Location"]) == (302, address(listing, "featured_on-light"))


@pytest.mark.parametrize("status", ["in_review", "rejected", "archived", "suspended"])
def test_a_withdrawn_listing_has_no_pictures(client: Client, site: Site, status: str) -> None:
    listing = ListingFactory.create(status=status, launched_at="2025-05-12T00:00Z", launch_week="2025-W20")
    client.force_login(listing.company.owner)
    paths = [f"/listings/{listing.slug}/badge.svg", *(address(listing, kind) for kind in Kind)]
    assert {client.get(path).status_code for path in paths} == {404}


def test_the_badge_of_a_merged_listing_is_that_of_the_one_it_leads_to(client: Client, site: Site) -> None:
    """Pages out there keep the old address of the picture."""
    kept = ListingFactory.create(live=True)
    merged = ListingFactory.create(status="archived", merged_into=kept)
    assert client.get(address(merged, "featured_on")).content == client.get(address(kept, "featured_on")).content
    assert client.get(f"/listings/{merged.slug}/badge.svg").status_code == 200
    assert client.get(address(merged, "launching_on"))["Location"] == address(kept, "featured_on")
    Listing.objects.filter(pk=kept.pk).update(status="suspended", suspended_from="live")
    assert client.get(address(merged, "featured_on")).status_code == 404


@pytest.mark.parametrize(
    "name",
    [
        "gold",
        "week_4",
        "week_1-blue",
        "week_1-",
        "launching_on-",
        "launching_on-auto",
        "-light",
        "launching_on-light-dark",
    ],
)
def test_there_are_no_other_badges(client: Client, site: Site, name: str) -> None:
    assert client.get(address(ListingFactory.create(), name)).status_code == 404


def test_the_badge_without_a_kind_follows_the_listing(client: Client, site: Site) -> None:
    listing = ListingFactory.create()
    path = f"/listings/{listing.slug}/badge.svg"
    assert b"LAUNCHING ON" in client.get(path).content
    live = ListingFactory.create(live=True)
    path = f"/listings/{live.slug}/badge.svg"
    assert b"LIVE NOW ON" in client.get(path).content
    with time_machine.travel(launch_weeks.current_week().ends_at, tick=False):
        assert b"FEATURED ON" in client.get(path).content
        assert b"prefers-color-scheme" in client.get(path).content


def test_sites_do_not_show_each_others_badges(client: Client, site: Site) -> None:
    listing = ListingFactory.create(site=SiteFactory.create(host="other.localhost"))
    assert client.get(address(listing, "launching_on")).status_code == 404
    assert client.get(address(listing, "launching_on"), headers={"Host": "other.localhost"}).status_code == 200


def test_a_picture_takes_few_queries(client: Client, site: Site, django_assert_max_num_queries: Any) -> None:
    listing = ListingFactory.create(live=True, votes=3, launch_week="2025-W20")
    for kind, most in (("featured_on", 2), ("week_1", 3), ("year_1", 5)):
        with django_assert_max_num_queries(most):
            assert client.get(address(listing, kind)).status_code in {200, 404}


def test_the_owners_page_shows_pictures_and_code(client: Client, site: Site) -> None:
    listing = ListingFactory.create(status="awaiting_badge", plan="free", company__name="<b>Acme</b>")
    client.force_login(listing.company.owner)
    assert client.get(f"/listings/{listing.slug}/badge")["Location"] == f"/listings/{listing.slug}/badges"
    page = client.get(f"/listings/{listing.slug}/badges").content.decode()
    assert "<b>Acme" not in page
    assert f'src="{address(listing, "launching_on-light")}"' in page
    assert f'src="{address(listing, "launching_on-dark")}"' in page
    assert "&lt;a href=" in page
    assert "Check badge now" in page
    assert "#1 of the week" in page
