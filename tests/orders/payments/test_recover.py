"""What was lost on the way is found."""

from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from apps.core.email import outbox
from apps.core.models import OutgoingEmail
from apps.launches.services.launch import launch_paid
from apps.listings.models import Listing
from apps.orders import tasks
from apps.orders.fulfillment import emails, refunds, services
from apps.orders.invoices import issuing, printing
from apps.orders.models import GatewaySession, Order, OrderLine, Payment, Placement, PromoCode, Refund
from apps.orders.payments import confirm, recover
from apps.orders.payments import start as paying
from apps.orders.pricing import promos
from apps.orders.products import delivery, weekly
from apps.orders.products.kinds import launch as launch_kind
from apps.orders.providers import GatewayError, GatewayRefusalError, sandbox
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory
from tests.orders.carts import check_out, launch, pay, press_pay, start_paying, update_total, week

pytestmark = pytest.mark.db


@pytest.fixture
def order(owner: ApiClient, listing: Listing) -> Order:
    return check_out(owner, launch(listing))


def age(order: Order, **ago: float) -> None:
    """Let the order's payments and its own time lie further back."""
    Payment.objects.filter(order=order).update(created_at=timezone.now() - timedelta(**ago))


def overdue(order: Order) -> None:
    Order.objects.filter(pk=order.pk).update(expires_at=timezone.now() - timedelta(seconds=1))


def status_of(order: Order) -> str:
    order.refresh_from_db()
    return order.status


def test_a_payment_nobody_told_of_is_polled_and_delivered(order: Order, listing: Listing) -> None:
    reference = start_paying(order).rsplit("/", 1)[1]
    sandbox.answer(reference, GatewaySession.State.PAID)
    tasks.recover_orders()
    assert status_of(order) == "processing"
    age(order, minutes=1)
    tasks.recover_orders()
    assert status_of(order) == "paid"
    listing.refresh_from_db()
    assert listing.status == "live"


def test_an_order_past_its_time_expires_and_gives_its_code_back(order: Order) -> None:
    PromoCode.objects.create(site=order.site, code="TEN", percent_off=1000, max_uses=1)
    start_paying(order, promo_code="TEN")
    assert PromoCode.objects.get().used == 1
    overdue(order)
    for _ in range(2):
        tasks.recover_orders()
    assert (status_of(order), GatewaySession.objects.get().state) == ("expired", "expired")
    assert (PromoCode.objects.get().used, order.promo_uses.get().state) == (0, "released")


def test_money_that_came_before_the_expiry_counts(order: Order) -> None:
    reference = start_paying(order).rsplit("/", 1)[1]
    sandbox.answer(reference, GatewaySession.State.PAID)
    overdue(order)
    tasks.recover_orders()
    assert status_of(order) == "paid"


def test_late_money_that_nobody_tells_of_is_found_for_some_days(order: Order, listing: Listing) -> None:
    reference = start_paying(order).rsplit("/", 1)[1]
    overdue(order)
    tasks.recover_orders()
    assert (status_of(order), Payment.objects.get().status) == ("expired", "failed")
    GatewaySession.objects.filter(reference=reference).update(state=GatewaySession.State.PAID)
    age(order, days=4)
    tasks.recover_orders()
    assert status_of(order) == "expired"
    age(order, days=2)
    tasks.recover_orders()
    tasks.recover_orders()
    listing.refresh_from_db()
    assert (status_of(order), listing.status) == ("paid", "live")


def test_an_order_that_nobody_paid_expires(order: Order) -> None:
    overdue(order)
    tasks.recover_orders()
    assert status_of(order) == "expired"


def test_an_order_in_time_stays(order: Order) -> None:
    tasks.recover_orders()
    assert status_of(order) == "pending"


def test_what_is_paid_and_undelivered_is_delivered(order: Order, listing: Listing) -> None:
    pay(order)
    assert order.lines.get().status == "pending"
    tasks.recover_orders()
    assert order.lines.get().status == "fulfilled"


def test_what_is_owed_is_sent_back(order: Order, listing: Listing, settings: Any) -> None:
    pay(order)
    listing.delete()
    settings.TEST_GATEWAY = False
    tasks.recover_orders()
    assert (Refund.objects.get().status, status_of(order)) == ("requested", "paid")
    Refund.objects.update(tried_at=timezone.now() - timedelta(hours=1))
    settings.TEST_GATEWAY = True
    tasks.recover_orders()
    assert (Refund.objects.get().status, status_of(order)) == ("done", "refunded")


def test_a_crash_while_starting_goes_on_with_the_same_session(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    """The provider opened the session, and its answer was lost."""
    start = sandbox.TestGateway.start

    def lost(self: Any, request: Any) -> Any:
        start(self, request)
        raise GatewayError("The connection broke.")

    update_total(order)
    with monkeypatch.context() as broken:
        broken.setattr(sandbox.TestGateway, "start", lost)
        assert press_pay(order).status_code == 503
    payment = Payment.objects.get()
    assert (status_of(order), payment.status, payment.reference) == ("processing", "starting", None)
    age(order, minutes=1)
    tasks.recover_orders()
    payment.refresh_from_db()
    assert (payment.status, payment.reference) == ("open", GatewaySession.objects.get().reference)
    Client().post(payment.pay_url, {"action": "pay"})
    assert status_of(order) == "paid"


@pytest.mark.slow
def test_a_provider_that_refuses_frees_the_order(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Any, request: Any) -> Any:
        raise GatewayRefusalError("Not in this currency.")

    update_total(order)
    with monkeypatch.context() as broken:
        broken.setattr(sandbox.TestGateway, "start", refuse)
        assert press_pay(order).status_code == 503
    assert (status_of(order), Payment.objects.get().status) == ("pending", "failed")
    assert pay(order).status == "paid"


def test_a_receipt_has_no_attempt_that_moved_no_money(owner: ApiClient, order: Order) -> None:
    start_paying(order)
    Payment.objects.update(status="failed")
    Order.objects.update(status="pending")
    pay(order)
    page = Client()
    page.force_login(owner.user)  # type: ignore[arg-type]  # a persona has an account
    shown = page.get(f"/orders/{order.number}").context["order"]["payments"]
    assert [payment["status"] for payment in shown] == ["paid"]


def test_a_late_refusal_leaves_the_payment_that_was_begun_meanwhile(
    order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = sandbox.TestGateway.start

    def refuse_late(*_: object) -> None:
        monkeypatch.setattr(sandbox.TestGateway, "start", start)
        Payment.objects.update(status="failed")
        Order.objects.update(status="pending")
        assert press_pay(order).status_code == 302
        raise GatewayRefusalError("Too late.")

    update_total(order)
    monkeypatch.setattr(sandbox.TestGateway, "start", refuse_late)
    assert press_pay(order).status_code == 503
    assert [payment.status for payment in order.payments.order_by("attempt")] == ["failed", "open"]
    assert status_of(order) == "processing"


def test_one_that_fails_keeps_no_other_waiting(owner: ApiClient, order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    other = check_out(owner, launch(ListingFactory.create(company__owner=owner.user)))
    overdue(order)
    overdue(other)
    close = paying.close_open_payments

    def crash(one: Order) -> Order:
        if one.pk == order.pk:
            raise RuntimeError("odd")
        return close(one)

    monkeypatch.setattr(paying, "close_open_payments", crash)
    tasks.recover_orders()
    assert (status_of(order), status_of(other)) == ("pending", "expired")


@pytest.fixture
def abandoned(order: Order, monkeypatch: pytest.MonkeyPatch) -> list[Payment]:
    """As many payments of a provider that is gone as one recovery looks at."""
    monkeypatch.setattr(recover, "BATCH", 3)
    return [
        Payment.objects.create(
            order=order, attempt=attempt, provider="gone", reference=f"gone_{attempt}", status="open",
            amount_cents=1, return_url="http://testserver/", created_at=timezone.now() - timedelta(days=9),
        )
        for attempt in range(11, 14)
    ]  # fmt: skip


def another_order(owner: ApiClient) -> Order:
    return check_out(owner, launch(ListingFactory.create(company__owner=owner.user)))


def test_abandoned_payments_never_hide_a_new_one(owner: ApiClient, abandoned: list[Payment]) -> None:
    tasks.recover_orders()
    Payment.objects.update(polled_at=timezone.now() - timedelta(days=1))
    new = another_order(owner)
    sandbox.answer(start_paying(new).rsplit("/", 1)[1], GatewaySession.State.PAID)
    age(new, minutes=1)
    tasks.recover_orders()
    assert status_of(new) == "paid"


def test_an_open_payment_is_asked_about_ever_less_often(
    abandoned: list[Payment], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(recover, "confirm_payment", asked.append)
    one, two, three = (payment.pk for payment in abandoned)
    now = timezone.now()
    Payment.objects.filter(pk=one).update(created_at=now - timedelta(minutes=3), polled_at=now - timedelta(minutes=2))
    Payment.objects.filter(pk=two).update(created_at=now - timedelta(minutes=3), polled_at=now - timedelta(minutes=1))
    Payment.objects.filter(pk=three).update(polled_at=now - timedelta(hours=2))
    tasks.recover_orders()
    assert asked == [three, one]
    tasks.recover_orders()
    assert asked == [three, one]


def test_orders_that_cannot_expire_never_hide_another(
    owner: ApiClient, order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recover, "BATCH", 1)
    start_paying(order)
    Payment.objects.update(provider="gone")
    other = another_order(owner)
    Order.objects.filter(pk=order.pk).update(expires_at=timezone.now() - timedelta(days=1))
    overdue(other)
    for _ in range(2):
        tasks.recover_orders()
    assert (status_of(order), status_of(other)) == ("processing", "expired")


def test_refunds_that_cannot_be_made_never_hide_another(
    owner: ApiClient, order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recover, "BATCH", 1)
    other = another_order(owner)
    for one in (order, other):
        pay(one)
        Listing.objects.filter(order_lines__order=one).delete()
        services.fulfill_order(one.pk)
    Payment.objects.filter(order=order).update(provider="gone")
    for _ in range(2):
        tasks.recover_orders()
    assert (status_of(order), status_of(other)) == ("paid", "refunded")


def test_lines_that_cannot_be_delivered_never_hide_another(
    owner: ApiClient, order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recover, "BATCH", 1)
    other = another_order(owner)
    for one in (order, other):
        pay(one)

    def crash(**given: Any) -> Any:
        if given["listing"].pk == order.lines.get().listing_id:
            raise RuntimeError("odd")
        return launch_paid(**given)

    monkeypatch.setattr(launch_kind, "launch_paid", crash)
    for _ in range(2):
        tasks.recover_orders()
    assert (order.lines.get().status, other.lines.get().status) == ("pending", "fulfilled")


def test_a_slow_provider_keeps_deliveries_waiting_only_so_long(
    owner: ApiClient, order: Order, listing: Listing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a step has no time for comes first in the next recovery."""
    monkeypatch.setattr(recover, "STEP_SECONDS", -1.0)
    pay(order)
    tasks.recover_orders()
    assert order.lines.get().status == "pending"
    monkeypatch.undo()
    tasks.recover_orders()
    assert order.lines.get().status == "fulfilled"


def test_recovery_emails_that_a_week_begins(owner: ApiClient, listing: Listing) -> None:
    slot = {"product": "newsletter_slot", "listing_id": listing.pk, "weeks": [week()]}
    pay(check_out(owner, slot))
    for _ in range(3):
        tasks.recover_orders()
    assert OutgoingEmail.objects.filter(key__endswith="-begun").count() == 1


# ---- crashes ----
class Killed(BaseException):
    """A process that ends at this point: nothing handles it."""


# Where it ends, and at which of the calls that a whole recovery makes there.
BOUNDARIES: list[tuple[Any, str, int]] = [
    (sandbox.TestGateway, "fetch", 1),
    (confirm, "mark_paid", 1),
    (issuing, "issue_invoice", 1),
    (promos, "consume_use", 1),
    (Payment, "save", 1),
    (services, "fulfill_order", 1),
    *[(services, "fulfill_line", call) for call in (1, 2, 3)],
    (launch_kind, "launch_paid", 1),
    (delivery, "unlock_section", 1),
    (weekly, "book_places", 1),
    *[(OrderLine, "move_to", call) for call in (1, 2, 3)],
    *[(OrderLine, "save", call) for call in (1, 2, 3)],
    (services, "fail_line", 1),
    (refunds, "request_refund", 1),
    (emails, "email_line_failed", 1),
    (refunds, "make_refund", 1),
    (sandbox.TestGateway, "refund", 1),
    (Refund, "save", 1),
    *[(outbox, "put_all", call) for call in (1, 2, 3)],
]


def die_at(broken: pytest.MonkeyPatch, where: Any, name: str, *, call: int, is_after: bool) -> None:
    """End the process before or after the call of that number."""
    original = getattr(where, name)
    calls = count(1)

    def counted(*args: Any, **kwargs: Any) -> Any:
        if next(calls) != call:
            return original(*args, **kwargs)
        if is_after:
            original(*args, **kwargs)
        raise Killed

    broken.setattr(where, name, counted)


@pytest.fixture
def paid_at_the_provider(owner: ApiClient, listing: Listing, site: Site, monkeypatch: pytest.MonkeyPatch) -> Order:
    """An order with one line of each kind, one of them undeliverable; only the provider knows of its payment."""
    # Printing has tests of its own, and takes longer than everything else here.
    monkeypatch.setattr(printing, "print_waiting", lambda: None)
    doomed = ListingFactory.create(company__owner=owner.user, site=site)
    PromoCode.objects.create(site=site, code="TEN", percent_off=1000, max_uses=1)
    items: list[dict[str, Any]] = [
        {"product": "section_faq", "listing_id": listing.pk},
        launch(listing),
        {"product": "billboard", "listing_id": listing.pk, "weeks": [week(), week(1)]},
        {"product": "newsletter_slot", "listing_id": doomed.pk, "weeks": [week()]},
    ]
    order = check_out(owner, *items)
    reference = start_paying(order, promo_code="TEN").rsplit("/", 1)[1]
    sandbox.answer(reference, GatewaySession.State.PAID)
    doomed.delete()
    age(order, minutes=1)
    return order


def recover_until_done() -> None:
    """As the schedule does it, with the pauses between tries left out."""
    for _ in range(3):
        Payment.objects.update(polled_at=None)
        Order.objects.update(tried_at=None)
        Refund.objects.update(tried_at=None)
        tasks.recover_orders()


@pytest.mark.parametrize("is_after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(
    ("where", "name", "call"), BOUNDARIES, ids=[f"{one.__name__}.{name}-{call}" for one, name, call in BOUNDARIES]
)
def test_a_crash_anywhere_ends_with_each_line_delivered_once(
    paid_at_the_provider: Order,
    listing: Listing,
    monkeypatch: pytest.MonkeyPatch,
    where: Any,
    name: str,
    call: int,
    is_after: bool,
) -> None:
    order = paid_at_the_provider
    with monkeypatch.context() as broken:
        die_at(broken, where, name, call=call, is_after=is_after)
        with pytest.raises(Killed):
            tasks.recover_orders()
    recover_until_done()
    assert status_of(order) == "partially_refunded"
    assert [line.status for line in order.lines.all()] == ["fulfilled", "fulfilled", "fulfilled", "failed"]
    listing.refresh_from_db()
    assert (listing.status, listing.plan, listing.unlocked_sections) == ("live", "paid", ["faq"])
    assert list(Placement.objects.order_by("week").values_list("week", flat=True)) == [week(), week(1)]
    failed = order.lines.get(status="failed")
    assert [(one.line, one.status, one.amount_cents) for one in Refund.objects.all()] == [
        (failed, "done", failed.total_cents)
    ]
    assert list(GatewaySession.objects.get().refunds.values()) == [failed.total_cents]
    assert (order.promo_uses.get().state, PromoCode.objects.get().used) == ("consumed", 1)
    assert [payment.status for payment in order.payments.all()] == ["paid"]
    assert OutgoingEmail.objects.filter(key=f"order-line-{failed.pk}-failed").count() == 1
