"""The public page with every price, and the same numbers where a launch is chosen."""

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from lxml import html

from apps.core.text.dates import week_text
from apps.launches.calendar import launch_weeks
from apps.launches.models import LaunchWeek
from apps.orders.models import Placement, Product, SellerSettings
from apps.sites.models import Site
from tests.factories import ListingFactory
from tests.orders.paid import paid_line

pytestmark = pytest.mark.django_db


def words(part: Any) -> str:
    return " ".join(" ".join(part.itertext()).split())


def texts(client: Client, path: str = "/pricing") -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return words(html.document_fromstring(answer.content))


def card(client: Client, name: str) -> str:
    page: Any = html.document_fromstring(client.get("/pricing").content)
    [result] = page.xpath(f"//section[@aria-labelledby='{name}']")
    return words(result)


def test_every_product_has_its_price_capacity_and_text(client: Client, site: Site) -> None:
    page = texts(client)
    for product in Product.objects.on_sale(site):
        assert product.title in page
        assert f"${product.price_cents // 100}" in page
    assert "from $299 a week" in card(client, "product-billboard")
    assert "Capacity 3 a week" in card(client, "product-billboard")
    assert "Capacity 5 a week per category" in card(client, "product-category_feature")
    assert "$19" in card(client, "product-section_faq")


def test_a_price_that_an_admin_changes_is_the_price_everywhere(client: Client, site: Site) -> None:
    Product.objects.filter(site=site, name="launch").update(price_cents=12350)
    assert "Launch for $123.50" in card(client, "paid")
    assert "Paid, $123.50" in texts(client, "/weeks")
    listing = ListingFactory.create()
    client.force_login(listing.company.owner)
    assert "Buy launch for $123.50" in texts(client, f"{listing.path}/launch")


def test_what_is_not_on_sale_is_not_shown(client: Client, site: Site) -> None:
    Product.objects.filter(site=site, name__in=["launch", "billboard"]).update(is_active=False)
    page = texts(client)
    assert "Paid launch" not in page
    assert "Billboard" not in page
    assert "Free launch $0" in page


@pytest.mark.parametrize(("hours_left", "billboard"), [(8, 1), (160, 0)])
def test_a_closing_week_is_no_next_week_of_what_it_cuts_short(
    client: Client, site: Site, hours_left: int, billboard: int
) -> None:
    now = launch_weeks.current_week()
    with time_machine.travel(now.ends_at - timedelta(hours=hours_left)):
        assert week_text(now + billboard) in card(client, "product-billboard")
        # The newsletter of a week is sent when it ends.
        assert week_text(now) in card(client, "product-newsletter_slot")


def test_full_weeks_are_passed_over(client: Client, site: Site) -> None:
    now = launch_weeks.current_week()
    LaunchWeek.objects.create(site=site, iso_week=str(now + 4), free_places=0, paid_places=3)
    LaunchWeek.objects.create(site=site, iso_week=str(now + 5), free_places=7, paid_places=3)
    assert f"Next free week {week_text(now + 5)} Spots left 7" in card(client, "free")
    line = paid_line("newsletter_slot", listing=ListingFactory.create(live=True), weeks=[str(now)])
    booked = {"product": line.product, "listing": line.listing, "week": str(now), "amount_cents": 14900}
    Placement.objects.create(line=line, site=site, **booked)
    Product.objects.filter(site=site, name="newsletter_slot").update(capacity=1)
    assert f"Next open week {week_text(now + 1)}" in card(client, "product-newsletter_slot")


def test_no_open_week_is_said(client: Client, site: Site) -> None:
    Site.objects.update(free_places_per_week=0, paid_places_per_week=0)
    Product.objects.filter(site=site, name="billboard").update(capacity=0)
    assert "Next free week None open" in card(client, "free")
    assert "Next paid week None open" in card(client, "paid")
    assert "Next open week None open" in card(client, "product-billboard")


@pytest.mark.parametrize(
    ("is_registered", "said"), [(True, "exclude VAT. Checkout shows the VAT"), (False, "No VAT is charged.")]
)
def test_the_page_says_what_vat_adds(client: Client, site: Site, is_registered: bool, said: str) -> None:
    SellerSettings.objects.update_or_create(
        site=site,
        defaults={
            "legal_name": "Launchboard GmbH",
            "address": "Weg 1",
            "country": "DE",
            "vat_number": "DE136695976",
            "is_vat_registered": is_registered,
        },
    )
    assert said in texts(client)


def test_the_page_is_linked_from_header_and_footer(client: Client) -> None:
    page = html.document_fromstring(client.get("/").content)
    for part in ("header", "footer"):
        assert page.xpath(f"//{part}//a[@href='/pricing']"), part
    assert re.search(r"\[Pricing\]\(\S+/pricing\)", client.get("/llms.txt").content.decode())
