"""Invoices as PDF, emailed once, whatever fails."""

import os
import re
import sys
import zlib
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.utils import timezone

from apps.accounts.models import User
from apps.core.email import delivery
from apps.core.models import OutgoingEmail
from apps.listings.models import Listing
from apps.orders import tasks
from apps.orders.fulfillment import refunds
from apps.orders.invoices import printing
from apps.orders.invoices.document import invoice_document
from apps.orders.invoices.printing import printable
from apps.orders.models import Invoice, Order, OrderLine, SellerSettings
from tests.api import ApiClient
from tests.orders.carts import check_out, launch, pay


@pytest.fixture(scope="module", autouse=True)
def _pango() -> None:
    """The libraries that WeasyPrint needs; in CI they have to be there."""
    try:
        import weasyprint  # noqa: F401 - only whether it loads
    except OSError:
        if os.environ.get("CI"):
            raise
        pytest.skip("apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0")


@pytest.fixture
def order(owner: ApiClient, listing: Listing, seller: SellerSettings) -> Order:
    return pay(check_out(owner, launch(listing)))


@pytest.fixture
def invoice(order: Order) -> Invoice:
    return order.invoices.get()


@pytest.fixture
def no_pango(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """WeasyPrint as on a machine without its libraries; returns what installs them."""
    real = dict(sys.modules)
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    return lambda: monkeypatch.setitem(sys.modules, "weasyprint", real.get("weasyprint"))


def pages(pdf: bytes) -> int:
    """How many pages a PDF says it has."""
    streams = [
        zlib.decompress(raw) for raw in re.findall(rb"stream\n(.*?)\nendstream", pdf, re.DOTALL) if raw[:1] == b"x"
    ]
    result = re.search(rb"/Type /Pages[^>]*?/Count (\d+)|/Count (\d+)[^>]*?/Type /Pages", b"\n".join([pdf, *streams]))
    assert result is not None
    return int(result[1] or result[2])


def printed(invoice: Invoice) -> bytes:
    tasks.print_invoice(invoice.pk)
    invoice.refresh_from_db()
    assert invoice.pdf is not None
    return bytes(invoice.pdf)


def rest(moments: Any) -> None:
    """Let every pause be over, and recover."""
    moments.shift(printing.LONGEST_PAUSE + timedelta(seconds=1))
    printing.print_waiting()


@pytest.mark.slow
def test_the_pdf_is_kept_tagged_and_archivable_with_its_fonts(invoice: Invoice) -> None:
    pdf = printed(invoice)
    assert pdf.startswith(b"%PDF-1.7")
    assert invoice.printed_at is not None
    text = b"\n".join(
        [
            pdf,
            *(
                zlib.decompress(raw)
                for raw in re.findall(rb"stream\n(.*?)\nendstream", pdf, re.DOTALL)
                if raw[:1] == b"x"
            ),
        ]
    )
    for expected in (
        b'pdfaid:part="3" pdfaid:conformance="U"',
        b"<dc:creator><rdf:Seq><rdf:li>Example O\xc3\x9c</rdf:li>",
        b"/OutputIntent",
        b"/StructTreeRoot",
        b"/Lang (en)",
        b"/FontFile",
        invoice.number.encode(),
    ):
        assert expected in text, expected
    assert pages(pdf) == 1


@pytest.mark.slow
def test_one_email_with_the_file(order: Order, invoice: Invoice) -> None:
    pdf = printed(invoice)
    tasks.print_invoice(invoice.pk)
    letter = OutgoingEmail.objects.get(key__startswith="invoice-")
    assert (letter.to, letter.attachment_name) == ("owner@example.com", f"{invoice.number}.pdf")
    delivery.send_batch()
    sent = [message for message in mail.outbox if message.attachments]
    assert len(sent) == 1
    assert invoice.number in sent[0].subject
    assert f"/orders/{order.number}/invoices/{invoice.number}" in str(sent[0].body)
    assert "No money moved" in str(sent[0].body)
    assert sent[0].attachments[0][1] == pdf
    assert sent[0].attachments[0][2] == "application/pdf"


@pytest.mark.slow
def test_the_billing_address_gets_it_too(order: Order, invoice: Invoice) -> None:
    order.billing["email"] = "bookkeeping@example.com"
    order.save()
    printed(invoice)
    letters = OutgoingEmail.objects.filter(key__startswith="invoice-")
    assert set(letters.values_list("to", flat=True)) == {"owner@example.com", "bookkeeping@example.com"}


@pytest.mark.slow
def test_the_same_address_gets_it_once(order: Order, invoice: Invoice) -> None:
    order.billing["email"] = "owner@example.com"
    order.save()
    printed(invoice)
    assert OutgoingEmail.objects.filter(key__startswith="invoice-").count() == 1


@pytest.mark.slow
def test_a_closed_account_gets_nothing(order: Order, invoice: Invoice) -> None:
    User.objects.filter(pk=order.account_id).update(is_active=False)
    printed(invoice)
    assert not OutgoingEmail.objects.filter(key__startswith="invoice-").exists()


@pytest.mark.slow
def test_a_refund_is_told_once_with_its_credit_note(order: Order, invoice: Invoice) -> None:
    printed(invoice)
    payment = order.payments.get()
    refunds.request_refund(payment=payment, amount_cents=payment.amount_cents, reason="It was asked for.")
    refunds.make_refunds(order.pk)
    note = order.invoices.get(kind="credit_note")
    printed(note)
    letters = OutgoingEmail.objects.exclude(key=f"invoice-{invoice.pk}-0").filter(to="owner@example.com")
    letter = letters.get(subject__contains=note.number)
    assert "It was asked for." in letter.text
    assert letter.attachment_name == f"{note.number}.pdf"
    assert letters.exclude(pk=letter.pk).filter(key__startswith="refund-").count() == 0


@pytest.mark.slow
def test_what_no_task_was_woken_for_is_found(invoice: Invoice) -> None:
    printed_ones = Invoice.objects.filter(printed_at__isnull=False)
    printing.print_waiting()
    assert not printed_ones.exists(), "the task that follows the payment has the first try"
    with time_machine.travel(timezone.now() + printing.SHORTEST_PAUSE + timedelta(seconds=1), tick=False):
        tasks.recover_orders()
    assert printed_ones.get() == invoice
    assert OutgoingEmail.objects.filter(key=f"invoice-{invoice.pk}-0").count() == 1


def test_a_try_that_fails_is_counted_and_rests(invoice: Invoice, no_pango: Callable[[], None]) -> None:
    with time_machine.travel(timezone.now(), tick=False) as moments:
        tasks.print_invoice(invoice.pk)
        moments.shift(printing.SHORTEST_PAUSE - timedelta(seconds=1))
        printing.print_waiting()
        invoice.refresh_from_db()
        assert (invoice.attempts, invoice.printed_at) == (1, None)
        moments.shift(timedelta(seconds=2))
        printing.print_waiting()
        moments.shift(printing.SHORTEST_PAUSE - timedelta(seconds=2))
        printing.print_waiting()
        invoice.refresh_from_db()
        assert invoice.attempts == 2


@pytest.mark.slow
def test_without_pango_a_link_is_emailed_and_the_file_made_later(
    order: Order, invoice: Invoice, no_pango: Callable[[], None]
) -> None:
    letters = OutgoingEmail.objects.filter(key__startswith="invoice-")
    with time_machine.travel(timezone.now(), tick=False) as moments:
        tasks.print_invoice(invoice.pk)
        rest(moments)
        assert not letters.exists()
        rest(moments)
        letter = letters.get()
        assert letter.attachment is None
        assert f"/orders/{order.number}/invoices/{invoice.number}" in letter.text
        rest(moments)
        told = OutgoingEmail.objects.filter(key__contains=f"print-{invoice.pk}")
        assert not told.exists()
        rest(moments)
        rest(moments)
        no_pango()
        rest(moments)
    invoice.refresh_from_db()
    assert invoice.printed_at is not None
    assert letters.count() == 1


def test_site_admins_get_one_email(invoice: Invoice, no_pango: Callable[[], None]) -> None:
    invoice.order.site.team_email = "team@example.com"
    invoice.order.site.save()
    with time_machine.travel(timezone.now(), tick=False) as moments:
        for _ in range(printing.ATTEMPTS_BEFORE_ALERT + 2):
            rest(moments)
    letter = OutgoingEmail.objects.get(to="team@example.com", subject__contains=invoice.number)
    assert "docs/operations/selling.md" in letter.text


@pytest.mark.slow
def test_one_that_cannot_be_printed_keeps_no_other_waiting(
    owner: ApiClient, invoice: Invoice, listing: Listing, monkeypatch: pytest.MonkeyPatch
) -> None:
    slot = {"product": "section_faq", "listing_id": listing.pk}
    other = pay(check_out(owner, slot)).invoices.get()
    real = printing.render_pdf

    def broken(found: Invoice) -> bytes:
        if found.pk == invoice.pk:
            raise ValueError("a page that cannot be laid out")
        return real(found)

    monkeypatch.setattr(printing, "render_pdf", broken)
    with time_machine.travel(timezone.now(), tick=False) as moments:
        rest(moments)
    other.refresh_from_db()
    invoice.refresh_from_db()
    assert (other.printed_at is not None, invoice.attempts) == (True, 1)


@pytest.mark.slow
def test_fifty_lines_of_awkward_names(order: Order, invoice: Invoice) -> None:
    first = order.lines.get()
    names = [
        "W" * 80,
        "שלום עולם",
        "مرحبا بالعالم",
        "🚀 Rocket 😀",
        "漢字かな",
        "<script>alert(1)</script>",
        "a\u0301" * 40,
    ]
    for position in range(2, 51):
        OrderLine.objects.create(
            order=order, position=position, product=first.product, title="Launch", description="", quantity=1,
            listing_name=names[position % len(names)], unit_price_cents=9900, net_cents=9900, vat_cents=1881,
            total_cents=11781, options={"weeks": ["2026-W48"] * 8, "categories": ["developer-tools"]},
        )  # fmt: skip
    order.billing |= {"name": "Ада 🚀 Лавлейс", "company": "X" * 120, "address": "Ω\n" * 5}
    document = invoice_document(order, payment=order.payments.get())
    said = Invoice(document={**document, "number": invoice.number, "issue_date": "2026-11-21"})
    assert len(document["lines"]) == 50
    assert pages(printing.render_pdf(said)) >= 3


@pytest.mark.slow
def test_nothing_is_fetched_but_the_fonts(invoice: Invoice, monkeypatch: pytest.MonkeyPatch) -> None:
    from weasyprint.urls import URLFetcher

    monkeypatch.setattr(URLFetcher, "fetch", lambda *_: pytest.fail("WeasyPrint's own fetcher was asked"))
    fetcher = printing._fetcher(printing.static_folder() / "fonts")
    for name in printing.FONTS:
        address = (printing.static_folder() / "fonts" / name).as_uri()
        assert fetcher(address).read()[:4] == b"wOF2"
    for address in ("https://example.com/a.png", "file:///etc/passwd", "data:text/plain,a", "file:///etc/hosts#inter"):
        with pytest.raises(ValueError, match="can't load external content"):
            fetcher(address)
    assert printed(invoice)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("🚀 Rocket 😀", "Rocket"),
        ("Tea ☕\ufe0f time", "Tea ☕ time"),
        ("👩\u200d💻 Ada", "Ada"),
        ("שלום 漢字 Łódź", "שלום 漢字 Łódź"),
        ("line\nline é", "line\nline é"),
        ("🚀", "🚀"),
    ],
)
def test_pictures_are_left_out_of_the_print(text: str, expected: str) -> None:
    assert printable({"a": [text]}) == {"a": [expected]}
