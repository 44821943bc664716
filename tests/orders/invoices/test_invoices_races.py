"""Numbers without gaps and emails without doubles, on real connections."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import transaction

from apps.core.models import OutgoingEmail
from apps.listings.models import Listing
from apps.orders import tasks
from apps.orders.invoices import issuing, printing
from apps.orders.models import Invoice, InvoiceSeries, Order, Payment, SellerSettings
from tests.api import ApiClient
from tests.orders.carts import check_out, launch
from tests.racing import run_at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks.print_invoice, "delay", lambda _: None)


@pytest.fixture
def order(owner: ApiClient, listing: Listing, seller: SellerSettings) -> Order:
    return check_out(owner, launch(listing), billing_country="DE")


def paid_copies(order: Order, count: int) -> list[int]:
    """So many orders with a payment each, as they are when they are invoiced."""
    result = []
    for number in range(count):
        order.pk, order.number, order.secret = None, f"SL-{number}", f"secret-{number}"
        order._state.adding = True
        order.save()
        Payment.objects.create(
            order=order, attempt=1, provider="stripe", reference=f"cs_{number}", status="paid",
            amount_cents=order.total_cents, return_url="/",
        )  # fmt: skip
        result.append(order.pk)
    return result


def sequences() -> list[int]:
    return sorted(Invoice.objects.values_list("sequence", flat=True))


@pytest.mark.slow
def test_thirty_at_once_have_numbers_without_gap_or_double(order: Order) -> None:
    orders = paid_copies(order, 30)
    run_at_once(*[lambda pk=pk: issuing.invoice_order(pk) for pk in orders])
    assert sequences() == list(range(1, 31))
    series = InvoiceSeries.objects.get()
    assert (series.last_number, series.prefix) == (30, f"MAIN-{Invoice.objects.latest('id').issue_date.year}-")
    days = list(Invoice.objects.order_by("sequence").values_list("issued_at", flat=True))
    assert days == sorted(days)


def test_ten_for_one_order_make_one(order: Order) -> None:
    (pk,) = paid_copies(order, 1)
    run_at_once(*[lambda: issuing.invoice_order(pk)] * 10)
    assert sequences() == [1]


def test_payments_that_are_rolled_back_leave_no_gap(order: Order) -> None:
    orders = paid_copies(order, 12)

    def fail(pk: int) -> None:
        with transaction.atomic():
            issuing.invoice_order(pk)
            transaction.set_rollback(True)

    run_at_once(*[lambda pk=pk: (fail if pk % 3 == 0 else issuing.invoice_order)(pk) for pk in orders])
    broken = [pk for pk in orders if pk % 3 == 0]
    assert sequences() == list(range(1, 13 - len(broken)))
    for pk in broken:
        issuing.invoice_order(pk)
    assert sequences() == list(range(1, 13))


def test_a_new_year_begins_with_its_own_number(order: Order) -> None:
    first, second, third = paid_copies(order, 3)
    with time_machine.travel(datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC), tick=False) as moment:
        issuing.invoice_order(first)
        moment.shift(timedelta(seconds=1))
        issuing.invoice_order(second)
        issuing.invoice_order(third)
    assert list(Invoice.objects.order_by("id").values_list("number", flat=True)) == [
        "MAIN-2026-000001",
        "MAIN-2027-000001",
        "MAIN-2027-000002",
    ]


def test_who_waited_over_the_turn_of_the_year_is_of_the_new_one(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    (pk,) = paid_copies(order, 1)
    lock = issuing._lock_series
    with time_machine.travel(datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC), tick=False) as moment:

        def wait(prefix: str) -> InvoiceSeries:
            series = lock(prefix)
            moment.move_to(datetime(2027, 1, 1, 0, 0, 1, tzinfo=UTC), tick=False)
            return series

        monkeypatch.setattr(issuing, "_lock_series", wait)
        issuing.invoice_order(pk)
    invoice = Invoice.objects.get()
    assert (invoice.number, invoice.issue_date.year) == ("MAIN-2027-000001", 2027)
    assert InvoiceSeries.objects.get(prefix="MAIN-2026-").last_number == 0


def test_workers_at_once_print_and_email_once(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printing, "render_pdf", lambda _: b"%PDF-1.7 of a test")
    (pk,) = paid_copies(order, 1)
    issuing.invoice_order(pk)
    invoice = Invoice.objects.get()
    run_at_once(*[lambda: printing.print_invoice(invoice.pk)] * 4)
    invoice.refresh_from_db()
    assert (invoice.printed_at is not None, invoice.attempts) == (True, 0)
    assert OutgoingEmail.objects.filter(key__startswith="invoice-").count() == 1
