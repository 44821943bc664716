"""Names and addresses put right after payment: a credit note and a new invoice, and no money moves."""

from dataclasses import replace
from typing import Any

import pytest
from django.utils import timezone

from apps.listings.models import Listing
from apps.orders.checkout.billing import Billing
from apps.orders.invoices.issuing import CannotCorrect, correct_invoice, issue_credit_note, left_of
from apps.orders.models import Invoice, Order, Refund, SellerSettings
from tests.api import ApiClient
from tests.orders.actors import by_owner
from tests.orders.carts import check_out, launch, pay, week
from tests.orders.vies_server import ViesServer

pytestmark = pytest.mark.db

RIGHT = Billing(
    name="Ada Right", company="Right GmbH", address="2 New Street", postal_code="10117", city="Berlin", country="DE"
)


@pytest.fixture
def order(owner: ApiClient, listing: Listing, seller: SellerSettings) -> Order:
    slot = {"product": "newsletter_slot", "listing_id": listing.pk, "weeks": [week(1)]}
    return pay(check_out(owner, launch(listing), slot))


def correct(order: Order, vat_number: str = "", **changes: Any) -> Invoice:
    return correct_invoice(
        order=order, billing=replace(RIGHT, **changes), vat_number=vat_number, by=by_owner(order.account)
    )


def refuse(order: Order, **changes: Any) -> str:
    """Try to correct it; nothing may have happened."""
    before = list(Invoice.objects.values_list("number", flat=True))
    with pytest.raises(CannotCorrect) as refused:
        correct(order, **changes)
    assert list(Invoice.objects.values_list("number", flat=True)) == before
    order.refresh_from_db()
    assert order.billing.get("name") != "Ada Right"
    return refused.value.detail


def test_the_old_invoice_is_credited_and_a_new_one_written(order: Order) -> None:
    old = order.invoices.get()
    new = correct(order)
    note = order.invoices.get(kind="credit_note")
    assert (note.original, note.refund, note.total_cents) == (old, None, old.total_cents)
    assert (note.document["buyer"], note.document["paid"]) == (old.document["buyer"], None)
    assert (new.revision, new.kind, new.total_cents) == (2, "invoice", old.total_cents)
    assert new.document["buyer"]["company"] == "Right GmbH"
    assert new.document["buyer"]["address"] == ["2 New Street"]
    assert new.document["lines"] == old.document["lines"]
    assert new.document["supply_date"] == old.document["supply_date"]
    assert new.number == f"TEST-MAIN-{timezone.now().year}-000002"
    order.refresh_from_db()
    assert (order.billing["name"], order.postal_code, order.status) == ("Ada Right", "10117", "paid")
    assert not Refund.objects.exists()


def test_what_was_refunded_before_stays_credited(order: Order) -> None:
    line, kept = order.lines.order_by("position")
    Refund.objects.create(
        payment=order.payments.get(), line=line, amount_cents=line.total_cents, reason="Gone.", status="done"
    )
    issue_credit_note(refund=Refund.objects.get())
    new = correct(order)
    assert new.total_cents == kept.total_cents
    assert [said["title"] for said in new.document["lines"]] == [kept.title]
    old = order.invoices.get(kind="invoice", revision=1)
    assert all(part.total_cents == 0 for part in left_of(old).values())


def test_a_refund_after_it_is_credited_on_the_new_invoice(order: Order) -> None:
    new = correct(order)
    made = Refund.objects.create(payment=order.payments.get(), amount_cents=order.total_cents, reason="All.")
    note = issue_credit_note(refund=made)
    assert note is not None
    assert (note.original, note.total_cents) == (new, new.total_cents)
    assert note.document["buyer"]["name"] == "Ada Right"


def test_another_country_is_refused(order: Order) -> None:
    assert "country" in refuse(order, country="FR")


def test_a_place_outside_eu_vat_is_refused(order: Order) -> None:
    assert "change the VAT" in refuse(order, postal_code="27498")


def test_a_number_that_would_mean_reverse_charge_is_refused(order: Order, vies: ViesServer) -> None:
    assert "change the VAT" in refuse(order, vat_number="DE136695976")


def test_a_wrong_number_is_refused(order: Order) -> None:
    assert "valid VAT number" in refuse(order, vat_number="DE000000000")


def test_what_is_refunded_whole_is_refused(order: Order) -> None:
    made = Refund.objects.create(payment=order.payments.get(), amount_cents=order.total_cents, reason="All.")
    issue_credit_note(refund=made)
    assert "fully credited" in refuse(order)


def test_an_order_without_an_invoice_is_refused(owner: ApiClient, listing: Listing, seller: SellerSettings) -> None:
    order = check_out(owner, launch(listing), billing_country="DE")
    assert "no invoice to correct" in refuse(order)


def test_a_business_keeps_its_number_when_vies_is_silent(
    owner: ApiClient, listing: Listing, seller: SellerSettings, vies: ViesServer
) -> None:
    order = pay(check_out(owner, launch(listing)), vat_number="DE136695976", postal_code="10117")
    asked = len(vies.asked)
    new = correct(order, vat_number="DE136695976")
    assert (new.vat_treatment, new.document["buyer"]["vat_number"]) == ("reverse_charge", "DE136695976")
    assert len(vies.asked) == asked
