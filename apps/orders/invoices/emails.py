"""Emails with invoices and credit notes, and the alert to site admins when one can't be printed."""

import logging
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.core.email import outbox
from apps.core.email.text import Row, render_words
from apps.core.templatetags.ui import money
from apps.listings import emails
from apps.orders.invoices.document import Document, readable
from apps.orders.models import Invoice
from apps.orders.providers.payout_link import payout_url
from apps.orders.staff_review import check_staff

logger = logging.getLogger(__name__)


def email_invoice(invoice: Invoice, pdf: bytes | None) -> None:
    """Email an invoice to the account and the billing address once, in the caller's transaction.

    Without a file, the email has a link.
    """
    if Invoice.objects.filter(pk=invoice.pk, emailed_at__isnull=True).update(emailed_at=timezone.now()):
        put_invoice_emails(invoice, pdf)


def put_invoice_emails(invoice: Invoice, pdf: bytes | None, *, occasion: str = "") -> None:
    """Email an invoice to all recipients, once per occasion, in the caller's transaction."""
    order = invoice.order
    has_payout_link = bool(invoice.refund and payout_url(invoice.refund))
    context = _context(invoice) | {"is_attached": pdf is not None, "has_payout_link": has_payout_link}
    words = render_words(f"orders/emails/{invoice.kind}", context)
    own = order.account.email if order.account.is_active else ""
    for number, address in enumerate(dict.fromkeys(filter(None, (own, order.billing.get("email", ""))))):
        outbox.put(
            key=f"invoice-{invoice.pk}-{number}{occasion}",
            to=address,
            words=words,
            site=order.site,
            attachment=outbox.Attachment(name=f"{invoice.number}.pdf", content=pdf) if pdf else None,
        )


@transaction.atomic
def email_again(*, invoice: Invoice, by: Actor) -> None:
    """Email an invoice to all recipients again, with its PDF if there is one.

    Two clicks in one minute send one email. Raises Forbidden (403).
    """
    check_staff(by)
    current = Invoice.objects.select_related("order__site", "order__account").get(pk=invoice.pk)
    pdf = bytes(current.pdf) if current.pdf is not None else None
    put_invoice_emails(current, pdf, occasion=f"-again-{timezone.now():%Y-%m-%dT%H:%M}")
    logger.info("an invoice is emailed again", extra={"invoice": invoice.number, "by": by.account.pk})


def notify_print_failed(invoice: Invoice, *, problem: str) -> None:
    """Alert site admins once that an invoice can't be printed."""
    emails.notify_team(
        site=invoice.order.site,
        key=f"print-{invoice.pk}",
        words=render_words(
            "orders/emails/print_failed",
            _context(invoice) | {"problem": problem[:300]},
            subject=f"Couldn't create the PDF of {invoice.number}",
        ),
    )


def _context(invoice: Invoice) -> dict[str, Any]:
    document = readable(invoice.document)
    return {
        "invoice": invoice,
        "document": document,
        "rows": document_rows(document),
        "order": invoice.order,
        "site": invoice.order.site,
        "url": invoice.order.site.url(f"/orders/{invoice.order.number}/invoices/{invoice.number}"),
    }


def document_rows(document: Document) -> list[Row]:
    """Return a row for each line without VAT, one for any VAT, and the total with its currency."""
    rows = [Row(title=_title(line), value=money(line["net_cents"])) for line in document["lines"]]
    if document["vat_cents"]:
        rows.append(Row(title="VAT", value=money(document["vat_cents"])))
    total = f"{money(document['total_cents'])} {document['currency']}"
    return [*rows, Row(title="Total", value=total, is_total=True)]


def _title(line: Document) -> str:
    option = f" ({line['option_text']})" if line["option_text"] else ""
    return ", ".join(filter(None, (line["title"], line["listing"]))) + option
