"""The end of the running week: what is bought for it late gets only the rest of it, and the buyer reads so."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apps.core.text.weeks import Week
from apps.launches.calendar.closing import default_launch_week, running_week
from apps.launches.models import LaunchWeek
from apps.listings.models import Listing
from apps.orders.fulfillment import services
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory, UserFactory
from tests.orders.carts import check_out, start_paying

pytestmark = pytest.mark.db

WEEK = Week.parse("2026-W47")
NEXT = str(WEEK + 1)
NOON_OF_SUNDAY = WEEK.ends_at - timedelta(hours=12)
TUESDAY = WEEK.starts_at + timedelta(days=1)
CLOSES_SOON = "Week 47 closes in 12 hours, on Nov 22, 2026, 23:59 UTC."


@pytest.fixture
def sunday(site: Site) -> Iterator[Site]:
    with time_machine.travel(NOON_OF_SUNDAY, tick=False):
        yield site


@pytest.fixture
def tuesday(site: Site) -> Iterator[Site]:
    with time_machine.travel(TUESDAY, tick=False):
        yield site


def bought(**fields: Any) -> tuple[ApiClient, dict[str, Any]]:
    """A new owner, and an item for a new listing of theirs."""
    owner = ApiClient(UserFactory.create())
    listing = ListingFactory.create(company__owner=owner.user)
    return owner, {"product": "launch", "listing_id": listing.pk, **fields}


def quoted(**fields: Any) -> dict[str, Any]:
    owner, item = bought(**fields)
    answer = owner.post("/orders/quote", {"items": [item]})
    assert answer.status_code == 200, answer.json()
    body: dict[str, Any] = answer.json()
    # The last one is about VAT: no seller is set.
    return body | {"notices": body["notices"][:-1]}


@pytest.mark.parametrize(
    ("left", "days", "is_closing"),
    [
        (timedelta(days=3, seconds=1), 3, False),
        (timedelta(days=3), 3, True),
        (timedelta(seconds=1), 3, True),
        (timedelta(days=2), 1, False),
        (timedelta(seconds=1), 0, False),
        (timedelta(days=7), 7, True),
    ],
)
def test_a_week_closes_in_as_many_days_as_the_site_sets(
    site: Site, left: timedelta, days: int, is_closing: bool
) -> None:
    site.closing_days = days
    with time_machine.travel(WEEK.ends_at - left, tick=False):
        assert running_week(site).is_closing is is_closing
        assert default_launch_week(site) == (WEEK + 1 if is_closing else None)


@pytest.mark.parametrize(
    ("left", "text"),
    [
        (timedelta(days=5, hours=1), "Week 47 closes in 5 days,"),
        (timedelta(hours=71), "Week 47 closes in 71 hours,"),
        (timedelta(minutes=90), "Week 47 closes in 90 minutes,"),
        (timedelta(seconds=5), "Week 47 closes in 1 minute,"),
    ],
)
def test_the_time_left_is_said_in_words(site: Site, left: timedelta, text: str) -> None:
    with time_machine.travel(WEEK.ends_at - left, tick=False):
        assert running_week(site).text.startswith(text)


def test_on_sunday_a_launch_without_a_week_goes_into_the_next_one(sunday: Site) -> None:
    answer = quoted()
    assert answer["items"][0]["options"] == {"week": NEXT}
    assert answer["notices"] == []
    assert answer["current_week"] == {
        "week": str(WEEK),
        "closes_at": "2026-11-23T00:00:00Z",
        "hours_left": 12,
        "is_closing": True,
    }


def test_the_default_passes_over_full_weeks(sunday: Site) -> None:
    LaunchWeek.objects.create(site=sunday, iso_week=NEXT, free_places=1, paid_places=0)
    assert quoted()["items"][0]["options"] == {"week": str(WEEK + 2)}


@pytest.mark.parametrize("week", ["now", str(WEEK)])
def test_on_sunday_now_is_sold_with_the_hours_that_are_left(sunday: Site, week: str) -> None:
    answer = quoted(week=week)
    assert answer["items"][0]["options"] == {"week": week}
    assert answer["notices"] == [
        f"{CLOSES_SOON} Launch would only run until then. Choose Week 48 or later for a full week."
    ]


def test_a_placement_in_the_running_week_says_so_too(sunday: Site) -> None:
    answer = quoted(product="billboard", weeks=[str(WEEK), NEXT])
    assert answer["notices"][0].startswith(f"{CLOSES_SOON} Billboard would only run until then.")
    assert quoted(product="billboard", weeks=[NEXT])["notices"] == []


def test_a_newsletter_slot_of_the_closing_week_loses_nothing(sunday: Site) -> None:
    assert quoted(product="newsletter_slot", weeks=[str(WEEK)])["notices"] == []


def test_a_cart_asks_once_for_the_default_week(sunday: Site) -> None:
    owner, item = bought()

    def queries(count: int) -> int:
        more = [ListingFactory.create(company__owner=owner.user) for _ in range(count - 1)]
        items = [item, *({"product": "launch", "listing_id": listing.pk} for listing in more)]
        with CaptureQueriesContext(connection) as captured:
            assert owner.post("/orders/quote", {"items": items}).status_code == 200
        return len(captured)

    queries(1)
    assert queries(1) == queries(4)


def test_early_in_the_week_now_is_the_default_and_the_end_is_named(tuesday: Site) -> None:
    answer = quoted()
    assert answer["items"][0]["options"] == {"week": "now"}
    [notice] = answer["notices"]
    assert all(word in notice for word in ("Week 47", "6 days", "Nov 22, 2026, 23:59 UTC"))
    assert answer["current_week"]["is_closing"] is False


@pytest.mark.parametrize(("at", "week"), [(TUESDAY, WEEK), (NOON_OF_SUNDAY, WEEK + 1)])
def test_what_is_promised_is_what_a_launch_without_a_week_gets(
    site: Site, client: Client, at: datetime, week: Week
) -> None:
    with time_machine.travel(at, tick=False):
        owner, item = bought()
        chosen = owner.post(f"/me/listings/{item['listing_id']}/free", {}).json()
        assert chosen["promise"]["paid"] == {"week": str(week), "places_left": 10}
        listing = Listing.objects.get()
        page = page_of(client, listing, f"{listing.path}/launch")
        assert f"Week {week.number} · " in page.split("<dt>Next paid week</dt>")[1].split("</dd>")[0]
        weeks = client.get("/weeks").context["next_paid"]
        assert weeks["label"] == ("This week" if week == WEEK else "Week 48")


def test_how_a_draft_is_launched_says_that_now_gets_the_rest_of_the_week(sunday: Site) -> None:
    owner, item = bought()
    steps = owner.get(f"/me/listings/{item['listing_id']}").json()["next_steps"]
    assert all(said in steps[-1] for said in ("`now`", "rest of this week"))


def test_the_products_say_when_the_week_closes(sunday: Site, anonymous: ApiClient) -> None:
    body = anonymous.get("/products", {"include": "options_schema"}).json()
    assert body["current_week"]["hours_left"] == 12
    launch = next(product for product in body["items"] if product["name"] == "launch")
    week = launch["options_schema"]["properties"]["week"]
    assert (week["default"], week["enum"][:2]) == (NEXT, ["now", str(WEEK)])
    assert "required" not in launch["options_schema"] or launch["options_schema"]["required"] == []


def test_the_order_and_its_checkout_page_say_so(sunday: Site, client: Client) -> None:
    owner, item = bought(week="now")
    built = owner.post("/orders/checkout", {"items": [item]}).json()
    assert built["notices"][0].startswith(CLOSES_SOON)
    order = owner.get(f"/orders/{built['number']}").json()
    assert order["notices"][0].startswith(CLOSES_SOON)
    page = client.get(f"/checkout/{built['checkout_url'].rsplit('/', 1)[1]}").content.decode()
    assert CLOSES_SOON in page
    assert f'<a href="/account/listings/{item["listing_id"]}/buy">Choose another week</a>' in page


def page_of(client: Client, listing: Listing, path: str) -> str:
    client.force_login(listing.company.owner)
    answer = client.get(path)
    assert answer.status_code == 200
    return str(answer.content.decode())


@pytest.mark.parametrize("turn", ["checkout", "payment", "gateway", "delivery"])
def test_a_launch_now_goes_live_although_the_week_ends_before_the(site: Site, turn: str) -> None:
    with time_machine.travel(WEEK.ends_at - timedelta(seconds=1), tick=False) as clock:

        def before(step: str) -> None:
            if step == turn:
                clock.move_to(WEEK.ends_at)

        owner, item = bought(week="now")
        assert owner.post("/orders/quote", {"items": [item]}).status_code == 200
        before("checkout")
        order = check_out(owner, item)
        before("payment")
        gateway = start_paying(order)
        before("gateway")
        assert Client().post(gateway, {"action": "pay"}).status_code == 302
        before("delivery")
        services.fulfill_order(order.pk)
    listing = Listing.objects.get(pk=item["listing_id"])
    assert (listing.status, listing.plan, listing.launch_week) == ("live", "paid", NEXT)


def test_the_launch_page_preselects_the_next_full_week(sunday: Site, client: Client) -> None:
    listing = ListingFactory.create()
    page = page_of(client, listing, f"{listing.path}/launch")
    assert f'<option value="{NEXT}" selected>Week 48 · Nov 23–29 · 10 left<' in page
    assert page.count(" selected>") == 1
    assert "Now: Week 47 · 10 left<" in page
    assert CLOSES_SOON in page
    assert client.post(f"/account/listings/{listing.pk}/buy-launch").status_code == 302
    assert listing.order_lines.get().options == {"week": NEXT}


def test_early_in_the_week_the_launch_page_preselects_now(tuesday: Site, client: Client) -> None:
    listing = ListingFactory.create()
    page = page_of(client, listing, f"{listing.path}/launch")
    assert '<option value="now" selected>' in page
    assert "Nov 22, 2026, 23:59 UTC" in page


def test_the_buy_page_preselects_the_next_full_week(sunday: Site, client: Client) -> None:
    listing = ListingFactory.create()
    path = f"/account/listings/{listing.pk}/buy"
    page = page_of(client, listing, path)
    assert f'<option value="{NEXT}" selected>Week 48 · Nov 23–29<' in page
    assert "Now: Week 47 · closes in 12 hours" in page
    assert "<strong>Nov 16–22</strong><span>Week 47 · closes in 12 hours</span>" in page
    priced = client.post(path, {"action": "quote", "billboard_weeks": [str(WEEK)]}).content.decode()
    assert CLOSES_SOON in priced


def test_without_a_later_week_the_buy_page_preselects_none(sunday: Site, client: Client) -> None:
    Site.objects.update(paid_places_per_week=0)
    LaunchWeek.objects.create(site=sunday, iso_week=str(WEEK), free_places=1, paid_places=1)
    listing = ListingFactory.create()
    page = page_of(client, listing, f"/account/listings/{listing.pk}/buy")
    assert '<option value="" selected>Choose a week</option>' in page
    assert page.index("Choose a week") < page.index("Now: Week 47")


def scheduled(plan: str) -> Listing:
    """A listing whose launch is next week."""
    return ListingFactory.create(status=Listing.Status.SCHEDULED, plan=plan, launch_week=NEXT)


def test_the_move_page_says_that_the_running_week_closes(sunday: Site, client: Client) -> None:
    listing = scheduled(Listing.Plan.PAID)
    page = page_of(client, listing, reverse("move_launch", args=[listing.slug]))
    assert CLOSES_SOON in page
    assert "Nov 16–22, 2026 · closes in 12 hours" in page
    assert f'value="{WEEK}" required>' in page
    assert f'value="{NEXT}" required checked>' in page


def test_a_move_into_the_closing_week_is_confirmed_first(sunday: Site, client: Client) -> None:
    listing = scheduled(Listing.Plan.PAID)
    client.force_login(listing.company.owner)
    asked = client.post(reverse("move_launch", args=[listing.slug]), {"week": str(WEEK)})
    assert asked.status_code == 200
    assert CLOSES_SOON in asked.content.decode()
    assert "Launch now, with 12 hours left?" in asked.content.decode()
    listing.refresh_from_db()
    assert (listing.status, listing.launch_week) == (Listing.Status.SCHEDULED, NEXT)
    done = client.post(reverse("move_launch", args=[listing.slug]), {"week": str(WEEK), "confirmed": str(WEEK)})
    assert done.status_code == 302
    listing.refresh_from_db()
    assert listing.status == Listing.Status.LIVE


def test_early_in_the_week_and_for_later_weeks_a_move_is_not_asked_about(tuesday: Site, client: Client) -> None:
    listing = scheduled(Listing.Plan.PAID)
    client.force_login(listing.company.owner)
    assert client.post(reverse("move_launch", args=[listing.slug]), {"week": str(WEEK + 2)}).status_code == 302
    assert client.post(reverse("move_launch", args=[listing.slug]), {"week": str(WEEK)}).status_code == 302
    listing.refresh_from_db()
    assert listing.status == Listing.Status.LIVE


def test_the_calendar_names_the_next_full_week(sunday: Site, client: Client) -> None:
    page = client.get("/weeks").content.decode()
    assert "Nov 23–29, 2026 · 10 spots left" in page
    assert "Nov 16–22, 2026 · 10 spots left" not in page
