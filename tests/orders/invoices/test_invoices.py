"""What invoices and credit notes say, and that they never change."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from apps.listings.models import Listing
from apps.orders import tasks
from apps.orders.fulfillment import refunds
from apps.orders.invoices import issuing
from apps.orders.invoices.issuing import issue_credit_note, issue_invoice
from apps.orders.models import ExchangeRate, Invoice, InvoiceSeries, Order, Payment, PromoCode, Refund, SellerSettings
from apps.orders.products.registry import option_text
from apps.sites.models import Site
from tests.api import ApiClient
from tests.orders.carts import check_out, launch, pay, press_pay, update_total, week
from tests.orders.vies_server import ViesServer

pytestmark = pytest.mark.db

YEAR = timezone.now().year


@pytest.fixture
def order(owner: ApiClient, listing: Listing, seller: SellerSettings) -> Order:
    """A paid order of a launch and two newsletter slots, with a tenth off, for a consumer in Germany."""
    PromoCode.objects.create(site=listing.site, code="TEN", percent_off=1000)
    slot = {"product": "newsletter_slot", "listing_id": listing.pk, "weeks": [week(1), week(2)]}
    return pay(check_out(owner, launch(listing), slot), promo_code="TEN")


def refund(order: Order, *, cents: int, line: Any = None) -> Invoice | None:
    """Send money of a paid order back by hand, and return the credit note."""
    payment = Payment.objects.get(order=order, status="paid")
    refunds.request_refund(payment=payment, amount_cents=cents, reason="It was asked for.", line=line)
    refunds.make_refunds(order.pk)
    return Invoice.objects.filter(refund=Refund.objects.latest("id")).first()


def invoice_of(order: Order) -> Invoice:
    return order.invoices.get(kind="invoice")


# ---- invoices ----
def test_a_paid_order_has_one_invoice_with_all_that_the_law_asks_for(order: Order, listing: Listing) -> None:
    invoice = invoice_of(order)
    said = invoice.document
    assert (invoice.number, invoice.is_test) == (f"TEST-{order.site.key.upper()}-{YEAR}-000001", True)
    assert said["number"] == invoice.number
    assert said["issue_date"] == said["supply_date"] == timezone.now().date().isoformat()
    assert (said["seller"]["name"], said["seller"]["vat_number"]) == ("Example OÜ", "EE123456780")
    assert said["seller"]["address"] == ["1 Example Street", "10111 Tallinn"]
    assert said["buyer"]["name"] == "Ada Example"
    assert (said["buyer"]["postal_code"], said["buyer"]["city"], said["buyer"]["country"]) == ("10115", "Berlin", "DE")
    assert [line["title"] for line in said["lines"]] == [line.title for line in order.lines.order_by("position")]
    assert said["lines"][0]["listing"] == listing.company.name
    both_weeks = option_text("billboard", {"weeks": [week(1), week(2)]}, site_id=order.site_id)
    assert (said["lines"][1]["quantity"], said["lines"][1]["option_text"]) == (2, both_weeks)
    assert (said["promo_code"], said["currency"], said["version"]) == ("TEN", "USD", 1)
    assert said["rates"] == [{"rate": 1900, "net_cents": order.net_cents, "vat_cents": order.vat_cents}]
    assert said["paid"] == {"by": "the test gateway", "date": said["supply_date"]}
    assert (invoice.vat_country, invoice.vat_scheme, invoice.vat_rate) == ("DE", "oss", 1900)
    assert "One Stop Shop" in said["notes"][0]


def test_lines_sum_to_the_order(order: Order) -> None:
    invoice = invoice_of(order)
    said = invoice.document
    assert order.discount_cents > 0
    assert (said["subtotal_cents"], said["discount_cents"]) == (order.subtotal_cents, order.discount_cents)
    assert (invoice.net_cents, invoice.vat_cents, invoice.total_cents) == (
        order.net_cents,
        order.vat_cents,
        order.total_cents,
    )
    for name in ("net_cents", "vat_cents", "discount_cents"):
        assert sum(line[name] for line in said["lines"]) == said[name]


def test_issuing_twice_gives_the_same(order: Order) -> None:
    assert issue_invoice(order=order) == invoice_of(order)
    assert Invoice.objects.count() == 1


def test_an_order_that_cost_nothing_has_an_invoice_that_is_no_test(
    owner: ApiClient, listing: Listing, seller: SellerSettings
) -> None:
    PromoCode.objects.create(site=listing.site, code="ALL", percent_off=10_000)
    order = check_out(owner, launch(listing), promo_code="ALL")
    update_total(order, promo_code="ALL")
    press_pay(order, promo_code="ALL", method="free")
    invoice = invoice_of(order)
    assert (invoice.total_cents, invoice.is_test, invoice.document["paid"]) == (0, False, None)
    assert invoice.number == f"{order.site.key.upper()}-{YEAR}-000001"


def test_the_seller_names_the_prefix_the_footer_and_the_register(
    owner: ApiClient, listing: Listing, seller: SellerSettings
) -> None:
    SellerSettings.objects.update(
        invoice_prefix="ACMECOMPANY1",
        invoice_footer="Thank you.",
        register_entry="Register 1",
        email="bills@example.com",
    )
    order = pay(check_out(owner, launch(listing)))
    invoice = invoice_of(order)
    assert invoice.number == f"TEST-ACMECOMPAN-{YEAR}-000001"
    assert invoice.document["footer"] == "Thank you."
    assert invoice.document["seller"]["register_entry"] == "Register 1"
    assert invoice.document["seller"]["email"] == "bills@example.com"
    note = refund(order, cents=order.total_cents)
    assert note is not None
    assert note.number == f"TEST-ACMECOMPAN-CN-{YEAR}-000001"
    assert note.series.prefix == f"TEST-ACMECOMPAN-CN-{YEAR}-"


def test_two_sites_never_share_a_series(order: Order, owner: ApiClient) -> None:
    twin = Site.objects.create(key=f"{order.site.key}-", host="twin.example.com", name="Twin")
    Order.objects.filter(pk=order.pk).update(site=twin)
    with transaction.atomic():
        copy = Order.objects.get(pk=order.pk)
        copy.pk, copy.number, copy.secret = None, "SL-TWIN", "twin"
        copy.save()
        assert issue_invoice(order=copy).number == f"{order.site.key.upper()}{twin.pk}-{YEAR}-000001"


def test_reverse_charge_names_the_article_and_both_numbers(
    owner: ApiClient, listing: Listing, seller: SellerSettings, vies: ViesServer
) -> None:
    order = pay(check_out(owner, launch(listing)), vat_number="DE136695976", company="Example GmbH")
    invoice = invoice_of(order)
    text = " ".join(invoice.document["notes"])
    assert "196 of Directive 2006/112/EC" in text
    assert "EE123456780" in text
    assert "DE136695976" in text
    assert invoice.document["buyer"]["vat_number"] == "DE136695976"
    assert (invoice.vat_treatment, invoice.vat_cents, invoice.vat_country) == ("reverse_charge", 0, "")


def test_outside_the_union(owner: ApiClient, listing: Listing, seller: SellerSettings) -> None:
    order = pay(check_out(owner, launch(listing)), country="US", postal_code="10001", city="New York")
    invoice = invoice_of(order)
    assert "Outside the scope of EU VAT" in invoice.document["notes"][0]
    assert (invoice.vat_cents, invoice.vat_country, invoice.vat_scheme) == (0, "", "")


def test_a_seller_that_is_not_registered(owner: ApiClient, listing: Listing, seller: SellerSettings) -> None:
    SellerSettings.objects.update(is_vat_registered=False)
    order = pay(check_out(owner, launch(listing)))
    assert invoice_of(order).document["notes"] == ["No VAT is charged: the seller is not registered for VAT."]


def test_without_a_seller_the_site_is_named(owner: ApiClient, listing: Listing) -> None:
    order = pay(check_out(owner, launch(listing)))
    assert invoice_of(order).document["seller"]["name"] == listing.site.name


def test_at_home_there_is_nothing_to_explain(owner: ApiClient, listing: Listing, seller: SellerSettings) -> None:
    order = pay(check_out(owner, launch(listing)), country="EE", postal_code="10111", city="Tallinn")
    invoice = invoice_of(order)
    assert (invoice.vat_country, invoice.vat_scheme, invoice.document["notes"]) == ("EE", "local", [])


def test_a_registration_in_the_customers_country_is_named(
    owner: ApiClient, listing: Listing, seller: SellerSettings
) -> None:
    seller.registrations.create(scheme="local", country="DE", number="DE136695976", from_date=date(2020, 1, 1))
    order = pay(check_out(owner, launch(listing)))
    invoice = invoice_of(order)
    assert invoice.vat_scheme == "local"
    assert "VAT number of the seller there: DE136695976" in invoice.document["notes"][0]


def test_a_wrong_vat_number_is_not_printed(owner: ApiClient, listing: Listing, seller: SellerSettings) -> None:
    order = pay(check_out(owner, launch(listing)), vat_number="DE000000000")
    assert order.vat_number_status == "invalid"
    assert invoice_of(order).document["buyer"]["vat_number"] == ""


@pytest.mark.parametrize(
    ("days_ago", "country", "expected"),
    [(0, "DE", True), (7, "DE", True), (8, "DE", False), (0, "SE", False), (0, "BG", True)],
)
def test_vat_in_euros(
    owner: ApiClient, listing: Listing, seller: SellerSettings, days_ago: int, country: str, expected: bool
) -> None:
    day = timezone.now().date() - timedelta(days=days_ago)
    ExchangeRate.objects.create(day=day, micros=1_250_000)
    order = pay(check_out(owner, launch(listing)), country=country)
    exchange = invoice_of(order).document["exchange"]
    euros = (order.vat_cents or 0) * 4 / 5
    assert exchange == (
        {"day": day.isoformat(), "micros": 1_250_000, "vat_eur_cents": int(euros + 0.5)} if expected else None
    )


# ---- the database keeps them ----
@pytest.mark.parametrize("change", [{"number": "X-1"}, {"document": {}}, {"total_cents": 1, "net_cents": 1}])
def test_what_it_says_cannot_be_changed(order: Order, change: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError, match="never changed or deleted"), transaction.atomic():
        Invoice.objects.update(**change)
    with pytest.raises(IntegrityError, match="never changed or deleted"), transaction.atomic():
        Invoice.objects.all().delete()
    with pytest.raises(IntegrityError, match="never changed or deleted"), transaction.atomic():
        connection.cursor().execute("DELETE FROM orders_invoice")
    assert invoice_of(order).total_cents == order.total_cents


def test_how_it_was_printed_can_be_noted(order: Order) -> None:
    assert Invoice.objects.update(pdf=b"%PDF", printed_at=timezone.now(), emailed_at=timezone.now(), attempts=1) == 1


# ---- credit notes ----
def test_a_whole_refund_credits_exactly_the_invoice(order: Order) -> None:
    note = refund(order, cents=order.total_cents)
    invoice = invoice_of(order)
    assert note is not None
    assert note.number == f"TEST-{order.site.key.upper()}-CN-{YEAR}-000001"
    assert (note.net_cents, note.vat_cents, note.total_cents) == (
        invoice.net_cents,
        invoice.vat_cents,
        invoice.total_cents,
    )
    assert (note.original, note.is_test, note.vat_country, note.vat_scheme) == (invoice, True, "DE", "oss")
    assert note.document["corrects"] == {"number": invoice.number, "issue_date": invoice.issue_date.isoformat()}
    assert note.document["reason"] == "It was asked for."
    assert note.document["buyer"] == invoice.document["buyer"]
    assert note.document["lines"] == invoice.document["lines"]


def test_a_whole_refund_line_by_line_credits_exactly_the_invoice(order: Order) -> None:
    ExchangeRate.objects.all().delete()
    for line in order.lines.order_by("position"):
        note = refund(order, cents=line.total_cents, line=line)
        assert note is not None
        assert [said["title"] for said in note.document["lines"]] == [line.title]
        assert (note.net_cents, note.vat_cents) == (line.net_cents, line.vat_cents)
    invoice = invoice_of(order)
    notes = list(invoice.credit_notes.all())
    assert len(notes) == 2
    assert sum(note.net_cents for note in notes) == invoice.net_cents
    assert sum(note.vat_cents for note in notes) == invoice.vat_cents


def test_credit_notes_never_exceed_the_invoice(order: Order) -> None:
    first, second = order.lines.order_by("position")
    assert refund(order, cents=1001) is not None
    assert refund(order, cents=first.total_cents, line=first) is not None
    Refund.objects.create(
        payment=Payment.objects.get(order=order),
        line=second,
        amount_cents=second.total_cents,
        reason="All.",
        status="done",
    )
    last = issue_credit_note(refund=Refund.objects.latest("id"))
    assert last is not None
    invoice = invoice_of(order)
    notes = invoice.credit_notes.all()
    assert sum(note.net_cents for note in notes) == invoice.net_cents
    assert sum(note.vat_cents for note in notes) == invoice.vat_cents


def test_nothing_is_credited_beyond_the_invoice(order: Order) -> None:
    for line in order.lines.order_by("position"):
        refund(order, cents=line.total_cents, line=line)
    more = Refund.objects.create(payment=order.payments.get(), amount_cents=5, reason="More.", status="done")
    assert issue_credit_note(refund=more) is None


def test_a_part_of_a_line_stays_one_piece(order: Order) -> None:
    note = refund(order, cents=1000)
    assert note is not None
    assert note.total_cents == 1000
    for line in note.document["lines"]:
        assert line["is_part"]
        assert (line["quantity"], line["discount_cents"], line["unit_price_cents"]) == (1, 0, line["net_cents"])
    assert sum(line["total_cents"] for line in note.document["lines"]) == 1000


def test_euros_of_the_notes_sum_to_those_of_the_invoice(
    owner: ApiClient, listing: Listing, seller: SellerSettings
) -> None:
    ExchangeRate.objects.create(day=timezone.now().date(), micros=1_084_500)
    slot = {"product": "newsletter_slot", "listing_id": listing.pk, "weeks": [week(1), week(2), week(3)]}
    order = pay(check_out(owner, launch(listing), slot))
    first, second = order.lines.order_by("position")
    refund(order, cents=777)
    refund(order, cents=1234, line=first)
    refund(order, cents=refunds.left_of(order.payments.get()), line=second)
    invoice = invoice_of(order)
    euros = [note.document["exchange"]["vat_eur_cents"] for note in invoice.credit_notes.all()]
    assert len(euros) == 3
    assert sum(euros) == invoice.document["exchange"]["vat_eur_cents"]


def test_crediting_a_refund_twice_gives_the_same(order: Order) -> None:
    note = refund(order, cents=500)
    assert issue_credit_note(refund=Refund.objects.get()) == note
    assert Invoice.objects.filter(kind="credit_note").count() == 1


def test_money_that_was_never_the_orders_is_not_credited(order: Order) -> None:
    surplus = Payment.objects.create(
        order=order, attempt=9, provider="test", reference="again", status="surplus", amount_cents=100, return_url="/"
    )
    made = Refund.objects.create(payment=surplus, amount_cents=100, reason="Twice.", status="done")
    assert issue_credit_note(refund=made) is None


# ---- orders from before ----
def test_recovery_invoices_what_was_paid_before_there_were_invoices(
    owner: ApiClient, listing: Listing, seller: SellerSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        before.setattr(issuing, "issue_invoice", lambda *, order: None)
        slot = {"product": "newsletter_slot", "listing_id": listing.pk, "weeks": [week(1)]}
        order = pay(check_out(owner, launch(listing), slot))
        tasks.fulfill_order(order.pk)
        line = order.lines.order_by("position")[0]
        assert refund(order, cents=line.total_cents, line=line) is None
    Order.objects.update(paid_at=timezone.now() - timedelta(days=90), vat_place="", vat_scheme="")
    tasks.recover_orders()
    tasks.recover_orders()
    invoice, credited = order.invoices.order_by("id")
    assert invoice.document["supply_date"] == (timezone.now() - timedelta(days=90)).date().isoformat()
    assert invoice.issue_date == timezone.now().date()
    assert (invoice.vat_country, invoice.vat_scheme, invoice.total_cents) == ("DE", "oss", order.total_cents)
    assert (credited.original, credited.total_cents) == (invoice, line.total_cents)
    assert InvoiceSeries.objects.count() == 2
