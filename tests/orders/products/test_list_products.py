"""What a site sells, and that options_schema says neither more nor less than a quote takes."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from apps.launches.models import LaunchWeek
from apps.listings.models import Category, Listing
from apps.orders.models import OrderLine, Placement, Product
from apps.orders.products.catalog import seed_products
from apps.orders.products.registry import all_kinds
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory, SiteFactory
from tests.orders.carts import check_out, launch, week

pytestmark = pytest.mark.db


def products(client: ApiClient) -> dict[str, dict[str, Any]]:
    answer = client.get("/products", {"include": "listing_statuses,options_schema"})
    assert (answer.status_code, answer.json()["currency"]) == (200, "usd")
    return {item["name"]: item for item in answer.json()["items"]}


def test_everything_that_can_be_bought(anonymous: ApiClient, site: Site) -> None:
    result = products(anonymous)
    assert list(result) == [
        "launch",
        "billboard",
        "category_feature",
        "newsletter_slot",
        "section_milestones",
        "section_gallery",
        "section_faq",
    ]
    assert result["launch"]["price_cents"] == 9900
    assert result["launch"]["needs_listing"] is True
    assert result["launch"]["listing_statuses"] == ["draft", "awaiting_badge", "scheduled", "live"]
    assert result["section_faq"]["listing_statuses"] == ["draft", "awaiting_badge", "scheduled", "live"]
    assert result["section_faq"]["unlocks"] == ["faq"]


def test_prices_are_the_admins(anonymous: ApiClient, site: Site) -> None:
    Product.objects.filter(site=site, name="launch").update(price_cents=12345)
    assert products(anonymous)["launch"]["price_cents"] == 12345


def test_what_is_not_sold_now_is_not_listed(anonymous: ApiClient, site: Site) -> None:
    Product.objects.filter(site=site, name="billboard").update(is_active=False)
    assert "billboard" not in products(anonymous)


def test_a_product_without_a_class_is_not_sold(owner: ApiClient, site: Site) -> None:
    Product.objects.filter(site=site, name="section_faq").update(name="retired")
    assert "retired" not in products(owner)
    answer = owner.post("/orders/quote", {"items": [{"product": "retired"}]})
    assert answer.status_code == 422


def test_each_site_has_its_own(site: Site) -> None:
    other = SiteFactory.create(host="other.localhost")
    assert products(ApiClient(host="other.localhost")) == {}
    seed_products(other)
    Product.objects.filter(site=other, name="launch").update(price_cents=1)
    seed_products(other)
    assert products(ApiClient(host="other.localhost"))["launch"]["price_cents"] == 1
    assert products(ApiClient())["launch"]["price_cents"] == 9900


def test_a_new_site_offers_every_kind(anonymous: ApiClient, site: Site) -> None:
    assert len(products(anonymous)) == len(all_kinds())


def weeks(*ahead: int) -> list[str]:
    return [week(number) for number in ahead]


# Everything that a product's options can be, right and wrong.
OPTIONS: list[dict[str, Any]] = [
    {},
    {"week": "now"},
    {"week": week(0)},
    {"week": week(1)},
    {"week": week(2)},
    {"week": week(52)},
    {"week": week(53)},
    {"week": week(-1)},
    {"week": "next"},
    {"week": "2026-W54"},
    {"weeks": []},
    {"weeks": weeks(0)},
    {"weeks": weeks(3)},
    {"weeks": weeks(4)},
    {"weeks": weeks(3, 4)},
    {"weeks": weeks(5, 5)},
    {"weeks": weeks(52)},
    {"weeks": weeks(53)},
    {"weeks": weeks(-1)},
    {"weeks": ["W46"]},
    {"weeks": weeks(*range(53))},
    {"weeks": weeks(5, 6), "week": "now"},
    {"weeks": weeks(5), "amount_cents": 29899},
    {"weeks": weeks(5), "amount_cents": 29900},
    {"weeks": weeks(5), "amount_cents": 100_000_00},
    {"weeks": weeks(5), "amount_cents": 100_000_01},
    {"weeks": weeks(5), "amount_cents": "29900"},
    {"weeks": weeks(5), "categories": []},
    {"weeks": weeks(5), "categories": ["ai"]},
    {"weeks": weeks(5), "categories": ["ai", "ai"]},
    {"weeks": weeks(5), "categories": ["nothing"]},
    {"weeks": weeks(5), "categories": ["ai", "design", "finance"]},
    {"weeks": weeks(5), "categories": ["ai", "design", "finance", "health"]},
    {"weeks": weeks(3), "categories": ["ai"]},
    {"weeks": weeks(3), "categories": ["design"]},
    {"weeks": weeks(3), "categories": ["design", "ai"]},
    {"weeks": weeks(3, 5), "categories": ["design", "ai"]},
    {"weeks": weeks(4), "categories": ["design"]},
    {"categories": ["ai"]},
    {"color": "red"},
]


def fill(owner: ApiClient, site: Site, product: str, number: int, *, categories: list[str]) -> None:
    """Take all places of a product in a week."""
    listing = ListingFactory.create(company__owner=owner.user, site=site)
    line = OrderLine.objects.filter(order=check_out(owner, launch(listing))).get()
    Placement.objects.create(
        line=line, site=site, product=product, week=week(number), categories=categories, amount_cents=1
    )


@pytest.fixture
def busy(owner: ApiClient, site: Site) -> Site:
    """The launch week after next and some places are taken; two weeks at least for a newsletter slot."""
    LaunchWeek.objects.create(site=site, iso_week=week(2), free_places=1, paid_places=0)
    Product.objects.filter(site=site, capacity__isnull=False).update(capacity=1)
    Product.objects.filter(site=site, name="newsletter_slot").update(min_weeks=2)
    slugs = list(Category.objects.filter(site=site).values_list("slug", flat=True))
    fill(owner, site, "billboard", 3, categories=[])
    fill(owner, site, "category_feature", 3, categories=["ai"])
    fill(owner, site, "category_feature", 4, categories=slugs)
    return site


def quoted(owner: ApiClient, listing: Listing, product: str, options: dict[str, Any]) -> bool:
    item = {"product": product, "listing_id": listing.pk, "options": options}
    return bool(owner.post("/orders/quote", {"items": [item]}).status_code == 200)


@pytest.mark.slow
@pytest.mark.parametrize("product", [kind.name for kind in all_kinds()])
@pytest.mark.parametrize("is_busy", [False, True])
def test_the_schema_and_a_quote_say_the_same(
    owner: ApiClient, listing: Listing, request: pytest.FixtureRequest, product: str, is_busy: bool
) -> None:
    if is_busy:
        request.getfixturevalue("busy")
    schema = products(owner)[product]["options_schema"]
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    said = [validator.is_valid(options) for options in OPTIONS]
    assert said == [quoted(owner, listing, product, options) for options in OPTIONS]
    assert len(set(said)) == 2


def test_a_full_current_week_asks_for_another_one(owner: ApiClient, listing: Listing, site: Site) -> None:
    Site.objects.update(closing_days=0)
    LaunchWeek.objects.create(site=site, iso_week=week(0), free_places=1, paid_places=0)
    schema = products(owner)["launch"]["options_schema"]
    assert schema["required"] == ["week"]
    assert schema["properties"]["week"]["enum"][0] == week(1)
    for options in ({}, {"week": "now"}, {"week": week(1)}):
        valid = Draft202012Validator(schema).is_valid(options)
        assert valid == quoted(owner, listing, "launch", options) == (options == {"week": week(1)})


def test_a_minimum_above_the_price_is_the_default(owner: ApiClient, listing: Listing, site: Site) -> None:
    Product.objects.filter(site=site, name="billboard").update(min_amount_cents=40000)
    schema = products(owner)["billboard"]["options_schema"]["properties"]["amount_cents"]
    assert (schema["minimum"], schema["default"]) == (40000, 40000)
