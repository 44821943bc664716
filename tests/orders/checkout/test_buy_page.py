"""Where an owner chooses what to buy for a listing, without JavaScript."""

import re
from typing import Any

import pytest
from django.core.exceptions import NON_FIELD_ERRORS
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from apps.core.text.dates import week_days, week_text
from apps.core.text.weeks import Week
from apps.listings.models import Listing
from apps.orders.models import Order, OrderLine, Product
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory, SiteFactory
from tests.orders.carts import check_out, pay, row_counts, week

pytestmark = pytest.mark.db


@pytest.fixture
def buying(client: Client, owner: ApiClient) -> Client:
    client.force_login(owner.account)
    return client


def send(client: Client, listing: Listing, action: str = "quote", **fields: Any) -> Any:
    return client.post(f"/account/listings/{listing.pk}/buy", {"action": action, **fields})


def text(answer: Any, status: int = 200) -> str:
    assert answer.status_code == status, answer.content.decode()
    return re.sub(r"\s+", " ", answer.content.decode())


def test_everything_that_is_sold_is_there(buying: Client, listing: Listing) -> None:
    page = text(buying.get(f"/account/listings/{listing.pk}/buy"))
    for product in Product.objects.filter(site=listing.site):
        assert product.title in page
    assert "from $299 a week" in page
    assert f'name="billboard_weeks" value="{week(0)}"' in page
    assert f'href="/account/listings/{listing.pk}/buy"' in text(buying.get("/account"))


def test_the_price_is_shown_and_nothing_is_saved(buying: Client, listing: Listing) -> None:
    before = row_counts()
    page = text(
        send(
            buying,
            listing,
            billboard_weeks=[week(1), week(2)],
            billboard_amount="300.50",
            category_feature_weeks=[week(3)],
            category_feature_categories=["design", "privacy"],
            section_faq="on",
        )
    )
    assert "2 × $300.50" in page
    assert "$669.00" in page
    assert row_counts() == before


def test_what_is_complete_has_a_price_beside_what_another_product_lacks(buying: Client, listing: Listing) -> None:
    answer = send(buying, listing, billboard_weeks=[week(1)], category_feature_weeks=[week(1)])
    page = text(answer, answer.status_code)
    assert answer.context["form"].has_error("category_feature_categories", "invalid_categories")
    assert "Featured in categories: " in page
    assert "$299.00" in page.split('id="sum"')[1]


def test_the_checkout_is_built_as_it_was_shown(buying: Client, listing: Listing) -> None:
    answer = send(buying, listing, "checkout", launch="on", launch_week=week(2), newsletter_slot_weeks=[week(2)])
    order = Order.objects.get()
    assert answer["Location"] == f"/checkout/{order.secret}"
    lines = order.lines.values_list("product", "options", "total_cents")
    assert list(lines) == [("launch", {"week": week(2)}, 9900), ("newsletter_slot", {"weeks": [week(2)]}, 14900)]


@pytest.mark.parametrize(
    ("fields", "at", "code"),
    [
        ({}, NON_FIELD_ERRORS, "nothing"),
        ({"billboard_weeks": ["2019-W01"]}, "billboard_weeks", "invalid_choice"),
        ({"billboard_weeks": ["x"]}, "billboard_weeks", "invalid_choice"),
        ({"billboard_amount": "300"}, NON_FIELD_ERRORS, "nothing"),
        ({"billboard_weeks": [week(1)], "billboard_amount": "298.99"}, "billboard_amount", "min_value"),
        ({"billboard_weeks": [week(1)], "billboard_amount": "NaN"}, "billboard_amount", "invalid"),
        ({"billboard_weeks": [week(1)], "billboard_amount": "1e3000"}, "billboard_amount", "max_digits"),
        ({"billboard_weeks": [week(1)], "billboard_amount": "300.001"}, "billboard_amount", "max_decimal_places"),
        ({"category_feature_weeks": [week(1)]}, "category_feature_categories", "invalid_categories"),
        ({"category_feature_categories": ["design"]}, "category_feature_weeks", "too_few_weeks"),
        (
            {"category_feature_weeks": [week(1)], "category_feature_categories": ["ai", "design", "hr", "media"]},
            "category_feature_categories",
            "invalid_categories",
        ),
        ({"launch": "on", "launch_week": "2019-W01"}, "launch_week", "invalid_choice"),
    ],
)
@pytest.mark.parametrize("action", ["quote", "checkout"])
def test_what_cannot_be_bought_is_said_beside_it(
    buying: Client, listing: Listing, action: str, fields: dict[str, Any], at: str, code: str
) -> None:
    before = row_counts()
    answer = send(buying, listing, action, **fields)
    page, form = text(answer, 422), answer.context["form"]
    assert form.has_error(at, code)
    assert escape(form.errors[at][0]) in page
    assert row_counts() == before


def test_a_week_that_is_full_is_said_beside_the_weeks(buying: Client, listing: Listing) -> None:
    Product.objects.filter(name="newsletter_slot").update(capacity=0)
    page = text(send(buying, listing, newsletter_slot_weeks=[week(1)]), 422)
    assert "All spots in" in page
    assert "<span>Full</span>" in page
    # The chosen one can be cleared, and no other full one can be chosen.
    assert page.count('name="newsletter_slot_weeks"') - page.count("disabled") == 1


def test_one_calendar_has_a_row_for_a_week_and_a_column_for_a_placement(buying: Client, listing: Listing) -> None:
    page = text(buying.get(f"/account/listings/{listing.pk}/buy"))
    assert page.count("<table") == 1
    (heads,) = re.findall(r"<thead>.*?</thead>", page)
    assert re.findall(r"<strong>(.*?)</strong>", heads) == ["Billboard", "Featured in categories", "Newsletter slot"]
    (row,) = (row for row in page.split("<tr") if f'value="{week(2)}"' in row and "<td" in row)
    assert week_days(Week.parse(week(2))) in row
    boxes = re.findall(r'name="(\w+)_weeks"', row)
    assert boxes == ["billboard", "category_feature", "newsletter_slot"]
    assert re.findall(r"<span>(\d+ left)</span>", row) == ["3 left", "5 left", "2 left"]
    # Each box is named for people who hear the page.
    assert f"Newsletter slot, {week_text(week(2))}" in row


def test_spots_of_a_feature_are_told_for_the_emptiest_and_the_fullest_category(
    buying: Client, owner: ApiClient, listing: Listing
) -> None:
    feature = {"product": "category_feature", "listing_id": listing.pk, "weeks": [week(2)], "categories": ["design"]}
    pay(check_out(owner, feature))
    page = text(buying.get(f"/account/listings/{listing.pk}/buy"))
    assert page.count("<span>4–5 left</span>") == 1


def test_what_does_not_fit_the_listing_says_why(buying: Client, owner: ApiClient, site: Site) -> None:
    live = ListingFactory.create(company__owner=owner.user, live=True, plan="paid")
    answer = buying.get(f"/account/listings/{live.pk}/buy")
    page = text(answer)
    assert 'name="launch"' not in page
    [problem] = [offer.problem for offer in answer.context["offers"] if offer.product.name == "launch"]
    assert problem
    assert problem in page
    # Its sections are nothing to choose.
    assert "FAQ section" not in page
    text(send(buying, live, "checkout", launch="on", section_faq="on"), 422)
    assert not Order.objects.exists()


def test_the_week_of_a_paid_launch_is_told_with_its_dates(buying: Client, owner: ApiClient) -> None:
    own = ListingFactory.create(company__owner=owner.user, status="scheduled", plan="paid", launch_week=week(2))
    answer = buying.get(f"/account/listings/{own.pk}/buy")
    [problem] = [offer.problem for offer in answer.context["offers"] if offer.product.name == "launch"]
    assert week_text(week(2)) in problem
    assert problem in text(answer)


def test_nobody_takes_money(buying: Client, listing: Listing, settings: Any) -> None:
    settings.TEST_GATEWAY = False
    page = text(send(buying, listing, "checkout", section_faq="on"), 503)
    assert "accept payments yet" in page
    assert not Order.objects.exists()


def test_only_its_owner_buys_for_a_listing(
    client: Client, buying: Client, listing: Listing, other_owner: ApiClient, owner: ApiClient
) -> None:
    address = f"/account/listings/{listing.pk}/buy"
    assert Client().get(address)["Location"].startswith("/account/sign-in")
    elsewhere = ListingFactory.create(company__owner=owner.user, site=SiteFactory.create())
    assert buying.get(f"/account/listings/{elsewhere.pk}/buy").status_code == 404
    client.force_login(other_owner.account)
    for answer in (client.get(address), client.post(address, {"section_faq": "on"}), client.post(f"{address}-launch")):
        assert answer.status_code == 404
    assert not OrderLine.objects.exists()


def test_a_refused_launch_leads_back_to_its_page(buying: Client, listing: Listing) -> None:
    Site.objects.update(paid_places_per_week=0)
    answer = buying.post(f"/account/listings/{listing.pk}/buy-launch", {"week": week(2)})
    assert answer["Location"] == f"/listings/{listing.slug}/launch"
    page = text(buying.get(answer["Location"]))
    assert "place" in page
    assert "/items/0" not in page
    assert 'class="notice notice-bad"' in page
    assert not Order.objects.exists()


def test_the_live_total_is_the_same_part_of_the_page(buying: Client, listing: Listing) -> None:
    def live(**fields: Any) -> str:
        address = f"/account/listings/{listing.pk}/buy"
        answer = buying.post(address, {"action": "quote", **fields}, headers={"hx-request": "true"})
        (section,) = re.findall(r'id="sum".*?</section>', text(answer))
        return str(section)

    before = row_counts()
    assert "$298.00" in live(newsletter_slot_weeks=[week(1), week(2)])
    assert "Billboard: " in live(billboard_weeks=[week(1)], billboard_amount="1")
    assert 'class="error"' not in live()
    assert row_counts() == before


def test_the_page_costs_few_queries(buying: Client, listing: Listing) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert buying.get(f"/account/listings/{listing.pk}/buy").status_code == 200
    assert len(queries) <= 20
