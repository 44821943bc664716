"""What was paid for is delivered once, or its money goes back: every product, listing status and time."""

from itertools import product as pairs
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from apps.accounts.actors import SYSTEM
from apps.core.errors import ServiceUnavailable
from apps.core.models import OutgoingEmail
from apps.core.text.weeks import Week
from apps.launches.badges import checks
from apps.launches.calendar import launch_weeks
from apps.launches.services.rollover import roll_over_week
from apps.listings.models import Category, Listing
from apps.listings.services.merging import merge_companies
from apps.orders import tasks
from apps.orders.fulfillment import services
from apps.orders.fulfillment.services import fulfill_line, withdraw_line
from apps.orders.models import GatewaySession, Order, OrderLine, Placement, Product, Refund, SellerSettings
from apps.orders.products import delivery
from apps.orders.products.delivery import CannotWithdraw
from apps.orders.products.kinds import launch as launch_kind
from apps.orders.products.placements.booking import NotBookable, book_places
from apps.orders.products.registry import all_kinds
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory
from tests.listings.statuses import in_status
from tests.orders.carts import check_out, launch, pay, week
from tests.orders.paid import paid_line, paid_order

pytestmark = pytest.mark.db

PLACES = ["billboard", "category_feature", "newsletter_slot"]
SECTIONS = ["section_milestones", "section_gallery", "section_faq"]
STATUSES = [str(status) for status in Listing.Status]
SHOWABLE = {"draft", "awaiting_badge", "scheduled", "live"}
OVER = "2026-W01"


def options_of(product: str, when: str) -> dict[str, Any]:
    options: dict[str, Any] = {"week": when} if product == "launch" else {}
    if product in PLACES:
        options = {"weeks": [when]}
    if product == "category_feature":
        options["categories"] = ["design"]
    return options


def becomes(listing: Listing, status: str) -> Listing:
    """Bring a draft into a status, as if that had happened since the payment."""
    model = in_status(status, company__owner=listing.company.owner)
    names = ["status", "plan", "launch_week", "launched_at", "suspended_from", "status_reason", "badge_check_at"]
    Listing.objects.filter(pk=listing.pk).update(**{name: getattr(model, name) for name in names})
    model.delete() if model.launched_at is None else None
    listing.refresh_from_db()
    return listing


def state(line: OrderLine) -> tuple[str, str]:
    line.refresh_from_db()
    return line.status, line.failure


def deliver(line: OrderLine) -> OrderLine:
    fulfill_line(line.pk)
    line.refresh_from_db()
    return line


# ---- the matrix ----
@pytest.mark.parametrize(("status", "when"), list(pairs(STATUSES, ["now", "later", "over"])))
def test_a_launch_in_every_status(listing: Listing, status: str, when: str) -> None:
    chosen = {"now": "now", "later": week(3), "over": week(1)}[when]
    line = paid_line("launch", listing=listing, week=chosen)
    if when == "over":
        OrderLine.objects.filter(pk=line.pk).update(options={"week": OVER})
    before = becomes(listing, status)
    deliver(line)
    listing.refresh_from_db()
    if status not in Listing.LAUNCHABLE:
        assert line.status == "failed"
        assert listing.state_words in line.failure
        assert (listing.status, listing.plan) == (before.status, before.plan)
        assert Refund.objects.get().amount_cents == line.total_cents
        return
    assert (line.status, Refund.objects.exists()) == ("fulfilled", False)
    expected = ("scheduled", week(3)) if when == "later" else ("live", week())
    assert (listing.status, listing.launch_week) == expected
    assert listing.plan == "paid"


@pytest.mark.parametrize(("product", "status", "when"), list(pairs(PLACES, STATUSES, ["this week", "later", "over"])))
def test_a_placement_in_every_status(listing: Listing, product: str, status: str, when: str) -> None:
    chosen = {"this week": week(), "later": week(5), "over": week()}[when]
    line = paid_line(product, listing=listing, **options_of(product, chosen))
    if when == "over":
        OrderLine.objects.filter(pk=line.pk).update(options=options_of(product, OVER))
    becomes(listing, status)
    deliver(line)
    placed = list(Placement.objects.values_list("listing", "product", "week", "categories"))
    if status in SHOWABLE and when != "over":
        assert (line.status, Refund.objects.exists()) == ("fulfilled", False)
        assert placed == [(listing.pk, product, chosen, ["design"] if product == "category_feature" else [])]
    else:
        assert (line.status, placed) == ("failed", [])
        assert line.failure.startswith(
            f"{OVER} ended " if status in SHOWABLE else f"This listing is {listing.state_words} "
        )
        assert Refund.objects.get().amount_cents == line.total_cents


@pytest.mark.parametrize(("product", "status"), list(pairs(SECTIONS, STATUSES)))
def test_a_section_in_every_status(listing: Listing, product: str, status: str) -> None:
    line = paid_line(product, listing=listing)
    becomes(listing, status)
    deliver(line)
    listing.refresh_from_db()
    if status in SHOWABLE:
        assert (line.status, listing.unlocked_sections) == ("fulfilled", [product.removeprefix("section_")])
    else:
        assert (line.status, listing.unlocked_sections) == ("failed", [])
        assert Refund.objects.get().line == line


@pytest.mark.parametrize("product", [kind.name for kind in all_kinds()])
def test_a_deleted_listing_gets_nothing(listing: Listing, product: str) -> None:
    line = paid_line(product, listing=listing, **options_of(product, week(1)))
    OrderLine.objects.update(listing_name="")
    listing.delete()
    assert (deliver(line).status, bool(line.failure)) == ("failed", True)
    assert Refund.objects.get().amount_cents == line.total_cents
    assert not Placement.objects.exists()


@pytest.mark.parametrize("product", [kind.name for kind in all_kinds()])
def test_delivering_again_changes_nothing(listing: Listing, product: str) -> None:
    line = paid_line(product, listing=listing, **options_of(product, week(1)))
    deliver(line)
    fulfilled_at = line.fulfilled_at
    for _ in range(2):
        deliver(line)
    assert (line.status, line.fulfilled_at, Refund.objects.exists()) == ("fulfilled", fulfilled_at, False)
    assert Placement.objects.count() == (1 if product in PLACES else 0)


@pytest.mark.parametrize("status", sorted(set(Order.Status.values) - Order.DELIVERABLE))
def test_nothing_is_delivered_of_an_order_that_is_not_paid(listing: Listing, status: str) -> None:
    line = paid_line("launch", listing=listing)
    Order.objects.update(status=status)
    assert deliver(line).status == "pending"
    listing.refresh_from_db()
    assert listing.status == "draft"


# ---- upgrades ----
@pytest.mark.parametrize("chosen", ["now", "later"])
def test_an_upgrade_gives_the_free_spot_back(listing: Listing, site: Site, chosen: str) -> None:
    free_week = launch_weeks.current_week() + 4
    becomes(listing, "scheduled")
    Listing.objects.filter(pk=listing.pk).update(badge_check_at=timezone.now())
    assert launch_weeks.places(site, first=free_week, count=1)[0].free_left == site.free_places_per_week - 1
    assert checks.lease_due_badges() == [listing.pk]
    Listing.objects.filter(pk=listing.pk).update(badge_check_at=timezone.now())
    deliver(paid_line("launch", listing=listing, week="now" if chosen == "now" else str(free_week)))
    result = launch_weeks.places(site, first=free_week, count=1)[0]
    assert result.free_left == site.free_places_per_week
    assert result.paid_left == site.paid_places_per_week - (chosen == "later")
    assert checks.lease_due_badges() == []
    assert roll_over_week() == 0


def test_a_second_launch_of_the_same_listing_is_refunded(listing: Listing) -> None:
    first, second = (paid_line("launch", listing=listing) for _ in range(2))
    assert (deliver(first).status, deliver(second).status) == ("fulfilled", "failed")
    assert "paid plan" in second.failure
    assert Refund.objects.get().amount_cents == second.total_cents


def test_a_launch_week_that_filled_up_is_refunded_and_the_rest_delivered(listing: Listing) -> None:
    order = paid_order({"product": "launch", "week": week(2)}, {"product": "section_faq"}, listing=listing)
    Site.objects.update(paid_places_per_week=0)
    services.fulfill_order(order.pk)
    assert [line.status for line in order.lines.all()] == ["failed", "fulfilled"]
    listing.refresh_from_db()
    assert (listing.status, listing.plan, listing.unlocked_sections) == ("draft", "none", ["faq"])


# ---- places ----
def test_several_placements_in_one_order(listing: Listing) -> None:
    order = paid_order(
        {"product": "section_faq"},
        {"product": "billboard", "weeks": [week(2), week(1)], "amount_cents": 40000},
        {"product": "category_feature", "weeks": [week(1)], "categories": ["design"]},
        {"product": "newsletter_slot", "weeks": [week(5)]},
        listing=listing,
    )
    services.fulfill_order(order.pk)
    placed = Placement.objects.order_by("line__position", "week").values_list(
        "product", "week", "categories", "amount_cents"
    )
    assert list(placed) == [
        ("billboard", week(1), [], 40000),
        ("billboard", week(2), [], 40000),
        ("category_feature", week(1), ["design"], 4900),
        ("newsletter_slot", week(5), [], 14900),
    ]
    assert set(order.lines.values_list("status", flat=True)) == {"fulfilled"}


def test_a_full_week_takes_none_of_the_line_s_weeks(listing: Listing, site: Site) -> None:
    Product.objects.filter(site=site, name="newsletter_slot").update(capacity=1)
    other = ListingFactory.create(company__owner=listing.company.owner)
    line = paid_line("newsletter_slot", listing=other, weeks=[week(1), week(2), week(3)])
    deliver(paid_line("newsletter_slot", listing=listing, weeks=[week(2)]))
    assert deliver(line).status == "failed"
    assert week(2) in line.failure
    assert list(Placement.objects.values_list("listing", "week")) == [(listing.pk, week(2))]
    assert Refund.objects.get().amount_cents == line.total_cents


def test_a_week_that_is_over_takes_none_of_the_line_s_weeks(listing: Listing) -> None:
    line = paid_line("billboard", listing=listing, weeks=[week(), week(1)])
    OrderLine.objects.filter(pk=line.pk).update(options={"weeks": [OVER, week(1)]})
    assert deliver(line).status == "failed"
    assert OVER in line.failure
    assert not Placement.objects.exists()


def test_capacity_is_counted_for_each_category(listing: Listing, site: Site) -> None:
    Product.objects.filter(site=site, name="category_feature").update(capacity=1)
    first, *others = (
        paid_line(
            "category_feature",
            listing=ListingFactory.create(company__owner=listing.company.owner),
            weeks=[week(1)],
            categories=categories,
        )
        for categories in (["design"], ["design", "productivity"], ["productivity"])
    )
    assert [deliver(line).status for line in (first, *others)] == ["fulfilled", "failed", "fulfilled"]


def test_the_same_placement_twice_is_refunded(listing: Listing) -> None:
    def feature(*categories: str) -> OrderLine:
        return paid_line("category_feature", listing=listing, weeks=[week(1)], categories=list(categories))

    lines = [feature("design"), feature("design", "productivity"), feature("productivity")]
    assert [deliver(line).status for line in lines] == ["fulfilled", "failed", "fulfilled"]
    assert week(1) in lines[1].failure


def test_a_deleted_category_is_refunded_and_a_renamed_one_is_not(listing: Listing, site: Site) -> None:
    gone, renamed = (
        paid_line("category_feature", listing=listing, weeks=[week(1)], categories=[slug])
        for slug in ("design", "productivity")
    )
    Category.objects.filter(site=site, slug="productivity").update(name="Getting things done")
    Category.objects.filter(site=site, slug="design").delete()
    assert (deliver(gone).status, deliver(renamed).status) == ("failed", "fulfilled")
    assert "category design" in gone.failure


def test_a_product_that_is_sold_no_more_is_delivered(listing: Listing) -> None:
    line = paid_line("billboard", listing=listing, weeks=[week(1)])
    Product.objects.filter(name="billboard").delete()
    assert deliver(line).status == "fulfilled"


def test_a_placement_for_no_listing_is_delivered(owner: ApiClient, site: Site) -> None:
    Product.objects.filter(site=site, name="newsletter_slot").update(needs_listing=False)
    order = pay(check_out(owner, {"product": "newsletter_slot", "weeks": [week(1)]}), country="US")
    tasks.fulfill_order(order.pk)
    assert Placement.objects.get().listing is None


def test_booking_twice_by_hand_is_refused(listing: Listing) -> None:
    line = deliver(paid_line("billboard", listing=listing, weeks=[week(1)]))
    with pytest.raises(NotBookable):
        book_places(line, listing=listing)


# ---- merged listings ----
def merge(listing: Listing, into: Listing) -> None:
    merge_companies(keep=into.company, drop=listing.company, by=SYSTEM, owner=into.company.owner)


@pytest.mark.parametrize("product", [kind.name for kind in all_kinds()])
def test_a_line_goes_to_what_its_listing_was_merged_into(listing: Listing, product: str) -> None:
    line = paid_line(product, listing=listing, **options_of(product, week(1)))
    kept = ListingFactory.create()
    merge(listing, kept)
    assert deliver(line).status == "fulfilled"
    kept.refresh_from_db()
    if product == "launch":
        assert (kept.status, kept.launch_week) == ("scheduled", week(1))
    elif product in PLACES:
        assert Placement.objects.get().listing == kept
    else:
        assert kept.unlocked_sections == [product.removeprefix("section_")]
    listing.refresh_from_db()
    assert (listing.status, listing.unlocked_sections) == ("archived", [])


@pytest.mark.parametrize("product", [kind.name for kind in all_kinds()])
def test_what_cannot_go_there_is_refunded(listing: Listing, product: str) -> None:
    line = paid_line(product, listing=listing, **options_of(product, week(1)))
    kept = ListingFactory.create(live=True)
    merge(listing, kept)
    becomes(kept, "suspended")
    assert deliver(line).status == "failed"
    assert Refund.objects.get().amount_cents == line.total_cents
    assert not Placement.objects.exists()


def test_a_company_that_was_merged_keeps_its_line_for_a_listing_that_moved(listing: Listing, site: Site) -> None:
    kept = ListingFactory.create().company
    kept.listings.all().delete()
    line = paid_line("launch", listing=listing)
    merge_companies(keep=kept, drop=listing.company, by=SYSTEM, owner=kept.owner)
    assert deliver(line).status == "fulfilled"
    listing.refresh_from_db()
    assert (listing.company, listing.status) == (kept, "live")


# ---- errors ----
def test_an_unexpected_error_leaves_the_line_for_the_next_try(
    listing: Listing, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = paid_order({"product": "section_faq"}, {"product": "launch"}, listing=listing)

    def crash(**_: object) -> None:
        raise RuntimeError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(delivery, "unlock_section", crash)
        for _ in range(6):
            services.fulfill_order(order.pk)
    order.refresh_from_db()
    assert order.needs_review
    assert "Line 1" in order.review_reason
    assert [(line.status, line.attempts) for line in order.lines.all()] == [("pending", 6), ("fulfilled", 0)]
    services.fulfill_order(order.pk)
    assert [line.status for line in order.lines.all()] == ["fulfilled", "fulfilled"]


def test_what_passes_is_no_reason_to_give_up(listing: Listing, monkeypatch: pytest.MonkeyPatch) -> None:
    line = paid_line("launch", listing=listing)

    def out(**_: object) -> None:
        raise ServiceUnavailable("Try again in a minute.")

    with monkeypatch.context() as broken:
        broken.setattr(launch_kind, "launch_paid", out)
        services.fulfill_order(line.order_id)
    assert (state(line), Refund.objects.exists()) == (("pending", ""), False)
    assert deliver(line).status == "fulfilled"


def test_the_payment_starts_the_delivery(
    owner: ApiClient, listing: Listing, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    started: list[int] = []
    monkeypatch.setattr(tasks.fulfill_order, "delay", started.append)
    with django_capture_on_commit_callbacks(execute=True):
        order = pay(check_out(owner, launch(listing)), country="US")
        assert started == []
    assert started == [order.pk]


def test_the_money_of_a_failed_line_goes_back(owner: ApiClient, listing: Listing, seller: SellerSettings) -> None:
    order = pay(check_out(owner, launch(listing)))
    listing.delete()
    tasks.fulfill_order(order.pk)
    body = owner.get(f"/orders/{order.number}").json()
    assert (body["status"], body["lines"][0]["status"], body["lines"][0]["fulfilled"]) == ("refunded", "failed", False)
    assert body["lines"][0]["failure"] == order.lines.get().failure != ""
    assert list(GatewaySession.objects.get().refunds.values()) == [11781]


def test_the_buyer_is_told_once_of_a_failed_line(listing: Listing) -> None:
    line = paid_line("launch", listing=listing)
    becomes(listing, "archived")
    for _ in range(2):
        deliver(line)
    email = OutgoingEmail.objects.get(key=f"order-line-{line.pk}-failed")
    assert (email.to, email.subject) == (
        listing.company.owner.email,
        f"Not delivered: Launch for {listing.company.name}",
    )
    line.refresh_from_db()
    assert line.failure
    assert line.failure in email.text
    assert "refunding $99.00" in email.text


def test_of_a_free_order_nothing_goes_back(listing: Listing) -> None:
    Product.objects.filter(name="launch").update(price_cents=0)
    line = paid_line("launch", listing=listing)
    becomes(listing, "archived")
    assert deliver(line).status == "failed"
    assert not Refund.objects.exists()
    assert "go back" not in OutgoingEmail.objects.get(key=f"order-line-{line.pk}-failed").text


# ---- taking back ----
def take_back(line: OrderLine) -> OrderLine:
    """As a refund does it: order and line locked."""
    with transaction.atomic():
        Order.objects.select_for_update().get(pk=line.order_id)
        withdraw_line(OrderLine.objects.select_for_update().get(pk=line.pk))
    line.refresh_from_db()
    return line


def refuse_to_take_back(line: OrderLine) -> str:
    with pytest.raises(CannotWithdraw) as refusal:
        take_back(line)
    line.refresh_from_db()
    return refusal.value.detail


def test_a_launch_ahead_is_taken_back(listing: Listing, site: Site) -> None:
    line = deliver(paid_line("launch", listing=listing, week=week(3)))
    for _ in range(2):
        assert take_back(line).status == "withdrawn"
    listing.refresh_from_db()
    assert (listing.status, listing.plan, listing.launch_week) == ("draft", "none", "")
    assert (
        launch_weeks.places(site, first=launch_weeks.current_week() + 3, count=1)[0].paid_left
        == site.paid_places_per_week
    )
    assert OutgoingEmail.objects.filter(key=f"order-line-{line.pk}-withdrawn").count() == 1
    assert deliver(paid_line("launch", listing=listing)).status == "fulfilled"


@pytest.mark.parametrize("status", ["live", "suspended", "archived"])
def test_a_launch_that_has_begun_stays(listing: Listing, status: str) -> None:
    line = deliver(paid_line("launch", listing=listing))
    becomes(listing, status)
    assert week() in refuse_to_take_back(line)
    assert line.status == "fulfilled"


def test_placements_ahead_are_taken_back(listing: Listing) -> None:
    line = deliver(paid_line("billboard", listing=listing, weeks=[week(1), week(2)]))
    other = deliver(paid_line("newsletter_slot", listing=listing, weeks=[week(1)]))
    assert take_back(line).status == "withdrawn"
    assert list(Placement.objects.values_list("line", flat=True)) == [other.pk]


def test_placements_of_a_week_that_has_begun_stay(listing: Listing) -> None:
    line = deliver(paid_line("billboard", listing=listing, weeks=[week(), week(1)]))
    assert refuse_to_take_back(line) == f"Billboard has started in {week()} and can't be withdrawn."
    assert (line.status, Placement.objects.count()) == ("fulfilled", 2)


def test_a_section_is_taken_back_unless_another_line_opens_it(listing: Listing) -> None:
    Product.objects.filter(name="billboard").update(unlocks=["gallery"])
    Product.objects.filter(name="section_faq").update(unlocks=["faq", "gallery"])
    both, one = (deliver(paid_line(name, listing=listing)) for name in ("section_faq", "section_milestones"))
    OrderLine.objects.filter(pk=one.pk).update(unlocks=["faq", "milestones"])
    take_back(both)
    listing.refresh_from_db()
    assert listing.unlocked_sections == ["faq", "milestones"]
    take_back(one)
    listing.refresh_from_db()
    assert listing.unlocked_sections == []


def test_a_section_of_a_merged_listing_is_taken_back_where_it_went(listing: Listing) -> None:
    line = deliver(paid_line("section_faq", listing=listing))
    kept, bought = ListingFactory.create(), ListingFactory.create()
    merge(listing, kept)
    take_back(line)
    kept.refresh_from_db()
    assert kept.unlocked_sections == []
    again = deliver(paid_line("section_faq", listing=bought))
    launched = ListingFactory.create(live=True, plan="paid", company__owner=bought.company.owner)
    becomes(bought, "live")
    merge(launched, bought)
    take_back(again)
    bought.refresh_from_db()
    assert "faq" in bought.unlocked_sections


@pytest.mark.parametrize("product", [kind.name for kind in all_kinds()])
def test_a_line_of_a_deleted_listing_is_taken_back(listing: Listing, product: str) -> None:
    line = deliver(paid_line(product, listing=listing, **options_of(product, week(1))))
    listing.delete()
    assert take_back(line).status == "withdrawn"


def test_what_was_not_delivered_is_not_taken_back(listing: Listing) -> None:
    pending, failed = (paid_line("launch", listing=listing) for _ in range(2))
    services.fail_line(failed.pk, "No.")
    for line in (pending, failed):
        assert "delivered, so it can" in refuse_to_take_back(line)


def test_a_launch_taken_back_in_the_last_moment_is_not_published(listing: Listing) -> None:
    line = deliver(paid_line("launch", listing=listing, week=week(1)))
    Listing.objects.filter(pk=listing.pk).update(launch_week=str(Week.parse(week())))
    take_back(line)
    assert roll_over_week() == 0
    listing.refresh_from_db()
    assert listing.status == "draft"
