"""What was booked is seen: in its week, in its place, marked as paid for, and only while the listing is live."""

import re
from typing import Any

import pytest
from django.db import connection
from django.template import Context, Template
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import SYSTEM
from apps.core.models import OutgoingEmail
from apps.listings.models import Category, Listing
from apps.listings.services.merging import merge_companies
from apps.orders.fulfillment import emails
from apps.orders.fulfillment.services import fulfill_line
from apps.orders.models import Order, Placement, Product
from apps.orders.products.placements.booking import shown_listings
from apps.sites.models import Site
from tests.factories import ListingFactory, SiteFactory
from tests.orders.carts import week
from tests.orders.paid import paid_line

pytestmark = pytest.mark.db


@pytest.fixture
def live(site: Site) -> Listing:
    return ListingFactory.create(live=True, company__name="Acme <b>", headline="Rockets & more")


def place(product: str, listing: Listing, *, ahead: int = 0, **options: Any) -> Placement:
    """A booked place of the listing in one week."""
    line = paid_line(product, listing=listing, weeks=[week(ahead)], **options)
    fulfill_line(line.pk)
    return Placement.objects.get(line=line)


def page(path: str) -> str:
    answer = Client().get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def sponsored(text: str) -> list[str]:
    """The places of a page's links that are marked as paid for, in their order."""
    return re.findall(r'<a href="(/listings/[^"]+)" rel="sponsored">', text)


def of_site(site: Site, name: str) -> Product:
    return Product.objects.get(site=site, name=name)


# ---- the calendar ----
# ---- the front page ----
def test_the_billboard_shows_the_highest_amount_first(site: Site) -> None:
    amounts = [30000, 50000, 40000]
    listings = [ListingFactory.create(live=True) for _ in amounts]
    for listing, amount in zip(listings, amounts, strict=True):
        place("billboard", listing, amount_cents=amount)
    assert sponsored(page("/")) == [listings[index].path for index in (1, 2, 0)]


def test_the_billboard_says_that_it_is_paid_for(live: Listing) -> None:
    place("billboard", live)
    text = page("/")
    card = text[text.index('<section class="billboard"') : text.index('<div class="columns">')]
    assert '<span class="pill">Sponsored</span>' in card
    assert f'<a href="{live.company.website}" rel="sponsored noopener" ping="{live.path}/visit">' in card
    assert "<bdi>Acme &lt;b&gt;</bdi>" in card
    assert "Rockets &amp; more" in card
    assert all("sponsored" in link for link in re.findall(r"<a [^>]+>", card))


def test_a_placement_is_shown_in_its_own_week_only(live: Listing) -> None:
    place("billboard", live, ahead=1)
    assert sponsored(page("/")) == []
    Placement.objects.update(week=week(-1))
    assert sponsored(page("/")) == []
    Placement.objects.update(week=week())
    assert sponsored(page("/")) == [live.path]


@pytest.mark.parametrize("status", sorted({str(one) for one in Listing.Status} - {"live"}))
@pytest.mark.parametrize("product", ["billboard", "category_feature", "newsletter_slot"])
def test_only_live_listings_are_shown(live: Listing, site: Site, product: str, status: str) -> None:
    options: dict[str, Any] = {"categories": ["design"]} if product == "category_feature" else {}
    place(product, live, **options)
    assert shown_listings(site, product) == [live]
    came_from = "live" if status == "suspended" else ""
    Listing.objects.filter(pk=live.pk).update(status=status, suspended_from=came_from)
    assert shown_listings(site, product) == []


def test_another_site_shows_nothing_of_it(live: Listing) -> None:
    place("billboard", live)
    assert shown_listings(SiteFactory.create(), "billboard") == []


def test_what_was_booked_stays_when_the_capacity_is_lowered(live: Listing, site: Site) -> None:
    place("billboard", live)
    Product.objects.update(capacity=0)
    assert shown_listings(site, "billboard") == [live]


def test_a_placement_of_a_merged_listing_shows_what_it_was_merged_into(site: Site) -> None:
    merged, kept = ListingFactory.create(), ListingFactory.create(live=True)
    place("billboard", merged)
    place("billboard", kept)
    merge_companies(keep=kept.company, drop=merged.company, by=SYSTEM, owner=kept.company.owner)
    assert shown_listings(site, "billboard") == [kept]
    Placement.objects.filter(listing=kept).delete()
    assert sponsored(page("/")) == [kept.path]


def test_leaderboards_and_votes_are_not_bought(live: Listing) -> None:
    other = ListingFactory.create(live=True)

    def board() -> list[str]:
        return re.findall(r'<h2 class="name"><a href="([^"]+)"><bdi>', page("/"))

    before = board()
    assert set(before) == {live.path, other.path}
    place("billboard", ListingFactory.create(live=False, company__owner=live.company.owner), amount_cents=90000)
    place("billboard", other, amount_cents=50000)
    assert board() == before


def test_a_page_asks_once_for_its_places_and_once_for_what_is_in_them(
    client: Client, live: Listing, site: Site, django_assert_num_queries: Any
) -> None:
    """However many are shown; that the page as a whole asks as often is tests/test_query_counts.py's matter."""
    shown = Template("{% load placements %}{% billboard site %}{% category_features site 'design' %}")
    with django_assert_num_queries(2):
        assert not sponsored(shown.render(Context({"site": site})))
    for _ in range(3):
        listing = ListingFactory.create(live=True)
        place("billboard", listing)
        place("category_feature", listing, categories=["design"])
    with CaptureQueriesContext(connection) as queries:
        text = shown.render(Context({"site": site}))
    assert (len(queries), len(sponsored(text))) == (4, 6)


# ---- categories ----
def test_a_feature_is_at_the_top_of_its_categories_alone(live: Listing, site: Site) -> None:
    place("category_feature", live, categories=["design", "productivity"])
    for path in ("/categories/design", "/categories/productivity", "/search?category=design"):
        text = page(path)
        assert sponsored(text) == [live.path]
        assert text.index("Sponsored") < text.index("Nothing here yet")
    assert (
        sponsored(
            page(
                f"/categories/{Category.objects.exclude(slug__in=['design', 'productivity']).filter(site=site)[0].slug}"
            )
        )
        == []
    )
    assert sponsored(page("/search?category=design&q=rockets")) == []
    assert sponsored(page("/")) == []


# ---- emails ----
def tell() -> None:
    for placement_id in emails.unannounced_placements():
        emails.email_placement_begun(placement_id)


def sent() -> list[OutgoingEmail]:
    return list(OutgoingEmail.objects.filter(key__endswith="-begun").order_by("pk"))


def test_the_buyer_is_told_once_when_the_week_begins(live: Listing) -> None:
    later = place("billboard", live, ahead=1)
    tell()
    assert sent() == []
    Placement.objects.filter(pk=later.pk).update(week=week())
    for _ in range(2):
        tell()
    [email] = sent()
    assert email.to == live.company.owner.email
    assert email.subject == "Billboard started for Acme <b>"
    assert "The front page: http://" in email.text
    assert "visitors do not see it" not in email.text


def test_the_email_says_what_hides_the_listing(site: Site) -> None:
    place("newsletter_slot", ListingFactory.create())
    tell()
    [email] = sent()
    assert "The listing is a draft, so visitors" in email.text
    assert "/newsletter" in email.text


def test_a_placement_whose_categories_are_gone_alerts_site_admins(live: Listing) -> None:
    place("category_feature", live, categories=["design"])
    Category.objects.filter(slug="design").delete()
    tell()
    order = Order.objects.get()
    assert order.needs_review
    assert "its categories were deleted" in order.review_reason
    assert "site admin" in sent()[0].text


def test_a_closed_account_keeps_nobody_waiting(live: Listing) -> None:
    place("billboard", live)
    live.company.owner.is_active = False
    live.company.owner.save()
    assert emails.unannounced_placements() == []
