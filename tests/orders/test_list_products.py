import pytest
from jsonschema import Draft202012Validator

from apps.orders.catalogue import seed_products
from apps.orders.models import Product
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import SiteFactory


def products(client: ApiClient) -> dict[str, dict[str, object]]:
    answer = client.get("/products")
    assert (answer.status_code, answer.json()["currency"]) == (200, "usd")
    return {item["name"]: item for item in answer.json()["items"]}


def test_everything_that_can_be_bought(anonymous: ApiClient, site: Site) -> None:
    found = products(anonymous)
    assert list(found) == [
        "launch",
        "billboard",
        "category_feature",
        "newsletter_slot",
        "section_milestones",
        "section_gallery",
        "section_faq",
    ]
    assert found["launch"]["price_cents"] == 9900
    assert found["launch"]["needs_listing"] is True
    assert found["section_faq"]["unlocks"] == ["faq"]


def test_prices_are_the_admins(anonymous: ApiClient, site: Site) -> None:
    Product.objects.filter(site=site, name="launch").update(price_cents=12345)
    assert products(anonymous)["launch"]["price_cents"] == 12345


def test_what_is_not_sold_now_is_not_listed(anonymous: ApiClient, site: Site) -> None:
    Product.objects.filter(site=site, name="billboard").update(is_active=False)
    assert "billboard" not in products(anonymous)


def test_each_site_has_its_own(site: Site) -> None:
    other = SiteFactory.create(host="other.localhost")
    assert products(ApiClient(host="other.localhost")) == {}
    seed_products(other)
    Product.objects.filter(site=other, name="launch").update(price_cents=1)
    seed_products(other)
    assert products(ApiClient(host="other.localhost"))["launch"]["price_cents"] == 1
    assert products(ApiClient())["launch"]["price_cents"] == 9900


@pytest.mark.parametrize(
    ("product", "good", "bad"),
    [
        ("launch", {"week": "now"}, {"week": "next"}),
        ("launch", {"week": "2026-W46"}, {"weeks": ["2026-W46"]}),
        ("billboard", {"weeks": ["2026-W46"], "amount_cents": 29900}, {"weeks": ["2026-W46"], "amount_cents": 29899}),
        ("category_feature", {"weeks": ["2026-W46"], "categories": ["ai"]}, {"weeks": ["2026-W46"], "categories": []}),
        ("newsletter_slot", {"weeks": ["2026-W46"]}, {"weeks": []}),
        ("section_faq", {}, {"week": "now"}),
    ],
)
def test_the_options_schema_tells_good_from_bad(
    anonymous: ApiClient, site: Site, product: str, good: dict[str, object], bad: dict[str, object]
) -> None:
    schema = products(anonymous)[product]["options_schema"]
    assert isinstance(schema, dict)
    Draft202012Validator.check_schema(schema)
    assert Draft202012Validator(schema).is_valid(good)
    assert not Draft202012Validator(schema).is_valid(bad)
