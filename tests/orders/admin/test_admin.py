"""Orders, payments and invoices in the admin: every page opens, and what is decided there."""

import re
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse
from lxml import html

from apps.accounts.models import User
from apps.core.models import OutgoingEmail
from apps.core.text.dates import week_text
from apps.listings.models import Listing
from apps.orders import tasks
from apps.orders.fulfillment import refunds
from apps.orders.fulfillment.refund_lines import refund_lines
from apps.orders.models import (
    Invoice,
    Order,
    OrderLine,
    Payment,
    PaymentEvent,
    Product,
    PromoCode,
    Refund,
    SellerSettings,
    TermsOfSale,
)
from apps.orders.products.price_history import save_product
from apps.sites.models import Site
from tests.api import ApiClient
from tests.orders.actors import by_staff
from tests.orders.carts import check_out, launch, pay, start_paying, week

pytestmark = pytest.mark.db

MODELS = (
    "product",
    "productversion",
    "promocode",
    "vatrate",
    "sellersettings",
    "termsofsale",
    "order",
    "payment",
    "paymentevent",
    "refund",
    "placement",
    "invoice",
)
CAN_ADD = {"product", "promocode", "vatrate", "sellersettings", "termsofsale"}
LIST = "/admin/orders/order/"
REASON = "You asked us to."


@pytest.fixture
def order(owner: ApiClient, listing: Listing, seller: SellerSettings, site: Site) -> Order:
    """Paid with a promo code and delivered: a launch, a place in three weeks, and one refund."""
    PromoCode.objects.create(site=site, code="TENTH", percent_off=1000)
    slot = {"product": "newsletter_slot", "listing_id": listing.pk, "options": {"weeks": [week(3)]}}
    built = check_out(owner, launch(listing), slot, promo_code="TENTH")
    order = pay(built, promo_code="TENTH")
    TermsOfSale.objects.create(site=site, text="Be kind.")
    tasks.fulfill_order(order.pk)
    PaymentEvent.objects.create(provider="test", event_id="evt_1", kind="paid", reference="test_x")
    return order


def page_of(row: Any, name: str = "change") -> str:
    return reverse(f"admin:orders_{type(row).__name__.lower()}_{name}", args=[row.pk])


def press(team: Client, row: Any, name: str, /, **values: Any) -> list[str]:
    """Confirm a decision on the row's page; returns what is said then."""
    answer = team.post(page_of(row, name), {"confirmed": "yes", **values}, follow=True)
    assert answer.status_code == 200
    return [str(message) for message in answer.context["messages"]]


def text_of(answer: Any) -> str:
    """A page as people read it."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


@pytest.mark.parametrize("model", MODELS)
def test_every_page_opens(
    team: Client, order: Order, member: User, model: str, django_assert_max_num_queries: Any
) -> None:
    save_product(product=Product(site_id=order.site_id, **_another(order)), by=by_staff(member))
    refund_lines(order=order, lines=list(order.lines.all()), reason=REASON, withdraw=False, by=by_staff(member))
    address = reverse(f"admin:orders_{model}_changelist")
    with django_assert_max_num_queries(18):
        assert team.get(address).status_code == 200
    row = apps.get_model("orders", model).objects.first()
    assert row is not None
    with django_assert_max_num_queries(28):
        assert team.get(page_of(row)).status_code == 200
    assert team.get(page_of(row, "history")).status_code == 200
    assert team.get(reverse(f"admin:orders_{model}_add")).status_code == (200 if model in CAN_ADD else 403)


def _another(order: Order) -> dict[str, Any]:
    Product.objects.filter(site=order.site_id, name="section_faq").delete()
    return {"name": "section_faq", "title": "FAQ", "description": "Q", "price_cents": 100, "unlocks": ["faq"]}


def test_the_page_of_an_order_shows_all_of_it(team: Client, order: Order, member: User) -> None:
    refund_lines(order=order, lines=list(order.lines.all())[-1:], reason=REASON, withdraw=True, by=by_staff(member))
    tasks.make_refunds(order.pk)
    order.refresh_from_db()
    shown = text_of(team.get(page_of(order)))
    invoice, note = Invoice.objects.order_by("pk")
    refund = Refund.objects.get()
    for expected in (
        order.number,
        order.account.email,
        "Partially refunded",
        "$99.00",
        "19%",
        "Ada Example",
        "Berlin",
        invoice.number,
        note.number,
        REASON,
        "TENTH",
        "Withdrawn",
        week_text(week(3)),
        f"${refund.amount_cents / 100:.2f}",
        "Billing address",
        "Example OÜ",
    ):
        assert expected in shown


def test_one_button_of_an_order_is_red(team: Client, order: Order) -> None:
    page: Any = html.fromstring(team.get(page_of(order)).content.decode())
    [red] = page.xpath("//li[contains(@class, 'bg-red')]/a[contains(@href, '/refund')]")
    assert red.text_content().split()[-1] == "Refund"
    assert page.xpath("//a[contains(., 'Refund lines')]")


def test_orders_are_looked_at_and_their_secret_is_not_shown(team: Client, order: Order) -> None:
    page = team.get(page_of(order))
    assert page.status_code == 200
    assert order.secret not in page.content.decode()
    assert team.post(page_of(order), {"status": "refunded"}).status_code == 403
    assert Order.objects.get().status == "paid"


@pytest.mark.slow
def test_nobody_finds_the_keys_of_a_payment(team: Client, owner: ApiClient, listing: Listing) -> None:
    order = check_out(owner, launch(listing))
    session = start_paying(order).rsplit("/", 1)[1]
    payment = Payment.objects.get()
    event = PaymentEvent.objects.create(provider="test", event_id="evt_1", kind="session.open", reference=session)
    for row in (payment, order, event):
        for address in (reverse(f"admin:orders_{type(row).__name__.lower()}_changelist"), page_of(row)):
            answer = team.get(address)
            assert answer.status_code == 200
            assert order.secret not in answer.content.decode()
            assert session not in answer.content.decode()
    for model in ("payment", "paymentevent", "order"):
        for term in (session, session[:12]):
            result = team.get(reverse(f"admin:orders_{model}_changelist"), {"q": term})
            assert result.context["cl"].result_count == 0


def test_a_real_providers_name_of_a_payment_is_shown_and_found(team: Client, order: Order, member: User) -> None:
    refund_lines(order=order, lines=list(order.lines.all())[:1], reason=REASON, withdraw=False, by=by_staff(member))
    Payment.objects.update(is_test=False, reference="pi_known")
    Refund.objects.update(reference="re_known")
    for row in (Payment.objects.get(), order):
        assert "pi_known" in text_of(team.get(page_of(row)))
    for term in ("pi_known", "re_known", order.number, order.account.email, order.invoices.get().number):
        assert [row.pk for row in team.get(LIST, {"q": term}).context["cl"].result_list] == [order.pk]
    assert team.get(LIST, {"q": "pi_other"}).context["cl"].result_count == 0


def test_the_list_is_filtered(team: Client, order: Order, owner: ApiClient, listing: Listing) -> None:
    other = check_out(owner, {"product": "newsletter_slot", "listing_id": listing.pk, "weeks": [week(9)]})
    Order.objects.filter(pk=other.pk).update(needs_review=True)
    for query, expected in (
        ({"test": "yes"}, [order.pk]),
        ({"test": "no"}, [other.pk]),
        ({"status__exact": "paid"}, [order.pk]),
        ({"needs_review__exact": "1"}, [other.pk]),
        ({"site__id__exact": str(order.site_id)}, [other.pk, order.pk]),
    ):
        result = team.get(LIST, query).context["cl"].result_list
        assert [row.pk for row in result] == expected, query


# ---- decisions ----
@pytest.mark.slow
def test_a_refund_is_shown_then_made(team: Client, order: Order, member: User) -> None:
    asked = text_of(team.get(page_of(order, "refund_one")))
    assert asked.count("refunds $") == 2
    assert "(maximum)" in asked
    assert not Refund.objects.exists()
    assert press(team, order, "refund_one", reason=REASON) == ["Orders refunded: 1."]
    assert set(Refund.objects.values_list("reason", "requested_by")) == {(REASON, member.pk)}
    tasks.make_refunds(order.pk)
    order.refresh_from_db()
    assert order.status == "refunded"
    assert "Refund order" in text_of(team.get(page_of(order, "history")))


@pytest.mark.parametrize("reason", ["", "  ", "x" * 301])
def test_a_refund_needs_a_reason(team: Client, order: Order, reason: str) -> None:
    answer = team.post(page_of(order, "refund_one"), {"confirmed": "yes", "reason": reason})
    assert answer.context["form"].errors["reason"]
    assert not Refund.objects.exists()


def test_chosen_lines_are_refunded_and_taken_back(team: Client, order: Order) -> None:
    line = order.lines.get(product="newsletter_slot")
    assert "Newsletter slot" in text_of(team.get(page_of(order, "refund_some")))
    for lines in ([], ["999999"], ["x"]):
        answer = team.post(page_of(order, "refund_some"), {"confirmed": "yes", "reason": REASON, "lines": lines})
        assert "lines" in answer.context["form"].errors
    said = press(team, order, "refund_some", reason=REASON, lines=[line.pk], withdraw="on")
    assert said == ["Orders refunded: 1."]
    line.refresh_from_db()
    assert (line.status, Refund.objects.get().line) == ("withdrawn", line)
    assert str(line.pk) not in team.get(page_of(order, "refund_some")).context["form"].fields["lines"].choices


def test_what_cannot_be_taken_back_is_said(team: Client, order: Order) -> None:
    (said,) = press(team, order, "refund_one", reason=REASON, withdraw="on")
    assert order.number in said
    assert not Refund.objects.exists()


def test_a_failed_refund_is_tried_again(team: Client, order: Order, member: User) -> None:
    (made,) = refund_lines(
        order=order, lines=list(order.lines.all())[:1], reason=REASON, withdraw=False, by=by_staff(member)
    )
    assert page_of(made, "retry_one") not in team.get(page_of(made)).content.decode()
    refunds.note_failed(made, problem="The card is closed.")
    assert page_of(made, "retry_one") in team.get(page_of(made)).content.decode()
    assert "The card is closed." in text_of(team.get(page_of(made, "retry_one")))
    assert press(team, made, "retry_one") == ["Refunds retried: 1."]
    made.refresh_from_db()
    assert (made.status, made.attempt) == ("requested", 2)


def test_a_stuck_delivery_is_taken_up(team: Client, owner: ApiClient, listing: Listing) -> None:
    order = pay(check_out(owner, launch(listing)))
    OrderLine.objects.update(attempts=3)
    assert "Launch for" in text_of(team.get(page_of(order, "deliver_one")))
    assert press(team, order, "deliver_one") == ["Deliveries retried: 1."]
    assert OrderLine.objects.get().attempts == 0


def test_an_unpaid_order_is_cancelled(team: Client, owner: ApiClient, listing: Listing) -> None:
    order = check_out(owner, launch(listing))
    start_paying(order)
    assert order.account.email in text_of(team.get(page_of(order, "cancel_one")))
    assert press(team, order, "cancel_one") == ["Orders canceled: 1."]
    order.refresh_from_db()
    assert (order.status, Payment.objects.get().status) == ("cancelled", "failed")


def test_an_invoice_is_corrected(team: Client, order: Order) -> None:
    page = team.get(page_of(order, "correct_one"))
    assert 'value="Ada Example"' in page.content.decode()
    answer = team.post(page_of(order, "correct_one"), {"confirmed": "yes", "name": ""})
    assert answer.context["form"].errors["name"]
    details = {"name": "Ada Right", "address": "2 Example Street", "postal_code": "10115", "city": "Berlin"}
    assert press(team, order, "correct_one", **details) == ["Invoices corrected: 1."]
    order.refresh_from_db()
    assert order.billing["name"] == "Ada Right"
    assert sorted(order.invoices.values_list("kind", "revision")) == [
        ("credit_note", 1),
        ("invoice", 1),
        ("invoice", 2),
    ]


@pytest.mark.slow
def test_an_invoice_is_printed_and_emailed_again(team: Client, order: Order) -> None:
    invoice = order.invoices.get()
    tasks.print_invoice(invoice.pk)
    emails = OutgoingEmail.objects.filter(key__startswith=f"invoice-{invoice.pk}-")
    first = emails.count()
    page = team.get(page_of(invoice)).content.decode()
    file = reverse("invoice_pdf", args=[order.number, invoice.number])
    assert file in page
    assert team.get(file)["Content-Type"] == "application/pdf"
    assert press(team, invoice, "print_one") == ["PDFs queued: 1."]
    assert "not printed yet" in text_of(team.get(page_of(invoice)))
    tasks.print_invoice(invoice.pk)
    assert emails.count() == first
    assert order.account.email in text_of(team.get(page_of(invoice, "email_one")))
    assert press(team, invoice, "email_one") == ["Invoices re-sent: 1."]
    assert emails.count() == 2 * first
    invoice.refresh_from_db()
    assert invoice.printed_at is not None


@pytest.mark.parametrize(
    ("status", "needs_review", "expected"),
    [
        ("pending", False, {"cancel_one"}),
        ("processing", True, {"accept_one", "send_back_one"}),
        ("paid", False, {"refund_one", "refund_some", "correct_one"}),
        ("refunded", False, {"correct_one"}),
        ("expired", False, set()),
        ("cancelled", False, set()),
    ],
)
def test_an_order_has_the_buttons_of_its_state(
    team: Client, order: Order, status: str, needs_review: bool, expected: set[str]
) -> None:
    Order.objects.update(status=status, needs_review=needs_review)
    if "correct_one" not in expected:
        order = Order.objects.get()
        Order.objects.filter(pk=order.pk).update(number="SL-ANOTHER")
        order = Order.objects.create(
            **{
                **{
                    field: getattr(order, field)
                    for field in ("site", "account", "net_cents", "total_cents", "vat_cents")
                },
                "number": "SL-BARE",
                "secret": "bare",
                "subtotal_cents": order.net_cents,
                "status": status,
                "needs_review": needs_review,
                "expires_at": order.expires_at,
            }
        )
    page = team.get(page_of(order)).content.decode()
    names = ("accept_one", "send_back_one", "deliver_one", "refund_one", "refund_some", "correct_one", "cancel_one")
    assert {name for name in names if page_of(order, name) in page} == expected


@pytest.mark.slow
def test_reading_a_question_changes_nothing(team: Client, order: Order) -> None:
    before = list(Order.objects.values())
    for name in (
        "accept_one",
        "send_back_one",
        "deliver_one",
        "refund_one",
        "refund_some",
        "correct_one",
        "cancel_one",
    ):
        for address in (page_of(order, name), f"{page_of(order, name)}?confirmed=yes&reason=x"):
            assert team.get(address).status_code == 200
    assert list(Order.objects.values()) == before
    assert not Refund.objects.exists()


def test_a_page_of_no_order_leads_back(team: Client, order: Order) -> None:
    for name in ("change", "refund_one", "refund_some", "correct_one"):
        assert team.get(reverse(f"admin:orders_order_{name}", args=[order.pk + 1])).status_code == 302
