"""Who reads invoices, as a page and as a file."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.listings.models import Listing
from apps.orders.fulfillment import refunds
from apps.orders.models import Invoice, Order, SellerSettings
from apps.sites.models import Site
from tests.api import ApiClient
from tests.browsing import signed_in
from tests.factories import UserFactory
from tests.orders.carts import check_out, launch, pay

pytestmark = pytest.mark.db


@pytest.fixture
def order(owner: ApiClient, listing: Listing, seller: SellerSettings) -> Order:
    return pay(check_out(owner, launch(listing)))


@pytest.fixture
def invoice(order: Order) -> Invoice:
    order.invoices.update(pdf=b"%PDF-1.7 of a test", printed_at=timezone.now())
    return order.invoices.get()


def page(invoice: Invoice) -> str:
    return reverse("invoice", args=[invoice.order.number, invoice.number])


def secret_page(invoice: Invoice) -> str:
    return reverse("checkout_invoice", args=[invoice.order.secret, invoice.number])


def test_the_owner_reads_it(owner: ApiClient, invoice: Invoice) -> None:
    answer = signed_in(owner.account).get(page(invoice))
    text = answer.content.decode()
    assert answer.status_code == 200
    for said in (invoice.number, "Example OÜ", "Ada Example", "EE123456780", "19%", "Test payment. No money moved"):
        assert said in text
    assert "<h1>Test invoice</h1>" in text
    assert f'href="{page(invoice)}.pdf"' in text
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert "no-store" in answer["Cache-Control"]
    assert "style=" not in text


def test_the_owner_downloads_it(owner: ApiClient, invoice: Invoice) -> None:
    answer = signed_in(owner.account).get(f"{page(invoice)}.pdf")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    assert answer["Content-Disposition"] == f'attachment; filename="{invoice.number}.pdf"'
    assert {"private", "no-store"} <= set(answer["Cache-Control"].split(", "))
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert answer.content == bytes(invoice.pdf or b"")


def test_what_is_not_printed_yet_leads_to_its_page(owner: ApiClient, order: Order) -> None:
    invoice = order.invoices.get()
    answer = signed_in(owner.account).get(f"{page(invoice)}.pdf", follow=True)
    assert answer.redirect_chain == [(page(invoice), 302)]
    assert "PDF isn’t ready" in answer.content.decode()
    assert "Download PDF" not in answer.content.decode()


@pytest.mark.parametrize("ending", ["", ".pdf"])
def test_others_find_nothing(other_owner: ApiClient, invoice: Invoice, ending: str) -> None:
    assert signed_in(other_owner.account).get(page(invoice) + ending).status_code == 404
    assert Client().get(page(invoice) + ending).status_code == 302


@pytest.mark.parametrize("ending", ["", ".pdf"])
def test_of_another_order_there_is_nothing(owner: ApiClient, invoice: Invoice, listing: Listing, ending: str) -> None:
    other = pay(check_out(owner, {"product": "section_faq", "listing_id": listing.pk}))
    address = reverse("invoice", args=[other.number, invoice.number]) + ending
    assert signed_in(owner.account).get(address).status_code == 404


@pytest.mark.parametrize(("is_staff", "may", "status"), [(True, True, 200), (True, False, 404), (False, True, 404)])
def test_site_admins_read_with_the_permission(invoice: Invoice, is_staff: bool, may: bool, status: int) -> None:
    member = UserFactory.create(is_staff=is_staff)
    if may:
        member.user_permissions.add(Permission.objects.get(codename="view_invoice"))
    for ending in ("", ".pdf"):
        answer = signed_in(member).get(page(invoice) + ending)
        assert answer.status_code == status
        assert "Back to order" not in answer.content.decode(errors="ignore")


def test_anyone_who_has_the_secret_reads_and_downloads(client: Client, invoice: Invoice) -> None:
    answer = client.get(secret_page(invoice))
    assert answer.status_code == 200
    assert f'href="{secret_page(invoice)}.pdf"' in answer.content.decode()
    file = client.get(f"{secret_page(invoice)}.pdf")
    assert file.content == bytes(invoice.pdf or b"")
    for response in (answer, file):
        assert response["Referrer-Policy"] == "no-referrer"
        assert response["X-Robots-Tag"] == "noindex, nofollow"
        assert "no-store" in response["Cache-Control"]


@pytest.mark.parametrize("ending", ["", ".pdf"])
def test_a_wrong_secret_or_site_or_number_is_nothing(
    client: Client, invoice: Invoice, ending: str, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    Site.objects.create(key="other", host="other.example.com", name="Other")
    assert client.get(reverse("checkout_invoice", args=["guess", invoice.number]) + ending).status_code == 404
    assert client.get(reverse("checkout_invoice", args=[invoice.order.secret, "X-1"]) + ending).status_code == 404
    assert client.get(secret_page(invoice) + ending, headers={"host": "other.example.com"}).status_code == 404


def test_a_credit_note_has_its_page(owner: ApiClient, order: Order) -> None:
    payment = order.payments.get()
    refunds.request_refund(payment=payment, amount_cents=payment.amount_cents, reason="<b>Asked</b> for.")
    refunds.make_refunds(order.pk)
    note = order.invoices.get(kind="credit_note")
    text = signed_in(owner.account).get(page(note)).content.decode()
    assert "Total credited" in text
    assert order.invoices.get(kind="invoice").number in text
    assert "&lt;b&gt;Asked&lt;/b&gt; for." in text
