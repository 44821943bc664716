"""Printing and emailing an invoice anew, when the site team asks for it. What it says stays the same."""

import logging

from django.db import transaction
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.core.delay_on_commit import delay_on_commit
from apps.orders.invoices import printing
from apps.orders.models import Invoice
from apps.orders.staff_review import check_staff

logger = logging.getLogger(__name__)


@transaction.atomic
def print_again(*, invoice: Invoice, by: Actor) -> None:
    """Have the file made anew by a worker; until then the old one stays. Nobody is emailed twice.

    Raises Forbidden (403).
    """
    check_staff(by)
    Invoice.objects.filter(pk=invoice.pk).update(printed_at=None, attempts=0, tried_at=None)
    delay_on_commit("apps.orders.tasks.print_invoice", invoice.pk)
    logger.info("an invoice is printed anew", extra={"invoice": invoice.number, "by": by.account.pk})


@transaction.atomic
def email_again(*, invoice: Invoice, by: Actor) -> None:
    """Email an invoice once more to everybody who gets it, with its file where that is printed.

    Two clicks in one minute are one email. Raises Forbidden (403).
    """
    check_staff(by)
    current = Invoice.objects.select_related("order__site", "order__account").get(pk=invoice.pk)
    pdf = bytes(current.pdf) if current.pdf is not None else None
    printing.put_invoice_emails(current, pdf, occasion=f"-again-{timezone.now():%Y-%m-%dT%H:%M}")
    logger.info("an invoice is emailed once more", extra={"invoice": invoice.number, "by": by.account.pk})
