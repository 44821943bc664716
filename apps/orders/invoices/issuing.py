"""Issue invoices and credit notes: their numbers have no gaps, and their content never changes.

The row of a number series is a transaction's last lock, so nobody waits for anything while holding it. If a transaction
takes two, credit notes come before invoices.
"""

import logging
import re
from dataclasses import asdict
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Sum
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.core.delay_on_commit import delay_on_commit
from apps.core.errors import Conflict
from apps.events.recording import Subject, record
from apps.orders.checkout.billing import Billing
from apps.orders.invoices.crediting import Part, Parts, take
from apps.orders.invoices.document import (
    Document,
    credit_document,
    invoice_document,
    parts_of,
    place_of,
    scheme_of,
)
from apps.orders.models import Invoice, InvoiceSeries, Order, Payment, Refund, SellerSettings
from apps.orders.tax import vat, vies
from apps.sites.models import Site

logger = logging.getLogger(__name__)

Kind = Invoice.Kind
# A series' name has 24 characters, of which TEST-, -CN and the year take 14.
LETTERS, TEST_LETTERS = 12, 10
BATCH = 100


class CannotCorrect(Conflict):
    code = "cannot_correct"
    title = "Invoice can't be corrected"


def issue_invoice(*, order: Order) -> Invoice:
    """Issue the invoice of a paid order in the caller's transaction. A second call returns the same.

    The caller locks the order. A rollback leaves no gap in the numbers.
    """
    existing = current_invoice(order)
    if existing:
        return existing
    payment = order.payments.filter(status=Payment.Status.PAID).first()
    return _issue(order, Kind.INVOICE, invoice_document(order, payment=payment))


def issue_credit_note(*, refund: Refund) -> Invoice | None:
    """Issue the credit note of a refund in the caller's transaction. A second call returns the same.

    It credits what was refunded: the refund's line, or all lines for a refund of the whole order. None if nothing was
    invoiced: for an order without an invoice, and for money that never belonged to the order.
    """
    existing = Invoice.objects.filter(refund=refund).first()
    if existing:
        return existing
    order = refund.payment.order
    original = current_invoice(order)
    if original is None or refund.payment.status != Payment.Status.PAID:
        return None
    first = refund.line.position if refund.line else None
    left = left_of(original)
    parts = take(left, cents=_credited_cents(refund, left), first=first)
    if not parts:
        return None
    return _credit(original, parts, reason=refund.reason, refund=refund)


def _credited_cents(refund: Refund, left: Parts) -> int:
    """Return what a refund credits of an invoice: all that is left once the whole payment was refunded.

    The payment may be less than the invoice if a site admin accepted it.
    """
    payment = refund.payment
    done = payment.refunds.filter(status=Refund.Status.DONE).aggregate(sum=Sum("amount_cents"))["sum"] or 0
    if done < payment.amount_cents:
        return refund.amount_cents
    return max(refund.amount_cents, sum(part.total_cents for part in left.values()))


def correct_invoice(*, order: Order, billing: Billing, vat_number: str, by: Actor) -> Invoice:
    """Reissue an order's invoice with corrected names and addresses, and credit the old one. No money moves.

    The new invoice covers what is not credited yet. Raises CannotCorrect (409) if nothing is left, or if the VAT would
    change: then the order must be refunded and bought again. A new VAT number is looked up, so don't call this in a
    transaction.
    """
    number = _same_treatment(order, billing, vat_number)
    with transaction.atomic():
        locked = _lock_order(order.pk)
        original = current_invoice(locked)
        if original is None:
            raise CannotCorrect("This order has no invoice to correct.")
        parts = _uncredited(original)
        if not parts:
            raise CannotCorrect("This order's invoice was fully credited and can't be corrected.")
        _credit(original, parts, reason="Correction of names or addresses. A new invoice follows.")
        locked.postal_code, locked.vat_number = billing.postal_code, number
        fields = {key: value for key, value in asdict(billing).items() if key not in {"country", "postal_code"}}
        fields["email"] = billing.email or locked.billing.get("email", "")
        locked.billing = {**locked.billing, **fields}
        locked.save(update_fields=["postal_code", "vat_number", "billing"])
        payment = locked.payments.filter(status=Payment.Status.PAID).first()
        document = invoice_document(locked, payment=payment, parts=parts)
        invoice = _issue(locked, Kind.INVOICE, document, revision=original.revision + 1)
    logger.info("invoice corrected", extra={"order": order.number, "invoice": invoice.number, "by": by.account.pk})
    return invoice


def current_invoice(order: Order) -> Invoice | None:
    """Return the order's valid invoice, which is the last one issued."""
    return order.invoices.filter(kind=Kind.INVOICE).defer("pdf").order_by("-revision").first()


def left_of(invoice: Invoice) -> dict[int, Part]:
    """Return what credit notes have not returned yet of each line, by its position."""
    left = parts_of(invoice.document)
    for document in invoice.credit_notes.values_list("document", flat=True):
        for position, part in parts_of(document).items():
            left[position] = left[position].without(part)
    return left


def uninvoiced_orders() -> list[int]:
    """Return paid orders without an invoice, for `recover_orders`: those paid before there were invoices."""
    paid = Order.objects.filter(payments__status=Payment.Status.PAID, invoices__isnull=True)
    return list(paid.order_by("paid_at", "id").values_list("id", flat=True)[:BATCH])


@transaction.atomic
def invoice_order(order_id: int) -> None:
    """Issue the invoice of one paid order."""
    issue_invoice(order=_lock_order(order_id))


def uncredited_refunds() -> list[int]:
    """Return completed refunds of invoiced orders without a credit note, for `recover_orders`."""
    done = Refund.objects.filter(status=Refund.Status.DONE, amount_cents__gt=0, credit_note__isnull=True)
    has_invoice = Exists(Invoice.objects.filter(order=OuterRef("payment__order")))
    owed = done.filter(has_invoice, payment__status=Payment.Status.PAID)
    return list(owed.order_by("-id").values_list("id", flat=True)[:BATCH])


@transaction.atomic
def credit_refund(refund_id: int) -> None:
    """Issue the credit note of a completed refund."""
    _lock_order(Refund.objects.values_list("payment__order_id", flat=True).get(pk=refund_id))
    issue_credit_note(refund=Refund.objects.select_related("payment__order__site", "line").get(pk=refund_id))


def _lock_order(order_id: int) -> Order:
    order: Order = Order.objects.select_for_update(of=("self",)).select_related("site").get(pk=order_id)
    return order


def _uncredited(invoice: Invoice) -> dict[int, Part]:
    """Return what is left of each line, including free lines. Empty once everything was credited."""
    was, left = parts_of(invoice.document), left_of(invoice)
    if invoice.total_cents and not any(part.total_cents for part in left.values()):
        return {}
    return {position: part for position, part in left.items() if part.total_cents or not was[position].total_cents}


def _same_treatment(order: Order, billing: Billing, vat_number: str) -> str:
    """Return the VAT number as printed. Raises CannotCorrect (409) if the country or VAT would change."""
    if billing.country != order.country:
        raise CannotCorrect(
            "The country can't change after payment. Refund the order and ask the buyer to order again."
        )
    seller = vat.Seller.from_json(order.seller)
    typed = vat_number.strip()
    if typed == order.vat_number and billing.postal_code == order.postal_code:
        return typed
    check = vies.check_number(typed, country=order.country, seller=seller)
    day = (order.paid_at or timezone.now()).date()
    decision = vat.decide(seller=seller, country=order.country, postal_code=billing.postal_code, check=check, on=day)
    if (decision.treatment, decision.rate) != (order.vat_treatment, order.vat_rate):
        raise CannotCorrect("These details change the VAT. Refund the order and ask the buyer to order again.")
    if check and check.status == vat.NumberStatus.INVALID:
        raise CannotCorrect(f"{typed} is not a valid VAT number.")
    return (check.typed if check else "")[:20]


def _credit(original: Invoice, parts: Parts, *, reason: str, refund: Refund | None = None) -> Invoice:
    # The last note takes the euros that rounding left over, so that the notes sum to the invoice there, too.
    left = left_of(original)
    takes_all = all(part == parts.get(position, Part(0, 0)) for position, part in left.items())
    document = credit_document(
        original.document,
        parts,
        reason=reason,
        refund=refund,
        returned_eur_cents=_eur_left(original) if takes_all else 0,
    )
    return _issue(original.order, Kind.CREDIT_NOTE, document, original=original, refund=refund)


def _eur_left(invoice: Invoice) -> int:
    notes = invoice.credit_notes.values_list("document", flat=True)
    return _eur(invoice.document) - sum(_eur(document) for document in notes)


def _eur(document: Document) -> int:
    return int(document["exchange"]["vat_eur_cents"]) if document["exchange"] else 0


def _issue(
    order: Order,
    kind: Kind,
    document: Document,
    *,
    original: Invoice | None = None,
    refund: Refund | None = None,
    revision: int = 1,
) -> Invoice:
    """Number a document and save it. It is printed after the commit."""
    series, issued_at = _next_number(_stem(order, kind, is_test=document["is_test"]))
    number = f"{series.prefix}{series.last_number:06}"
    invoice = Invoice.objects.create(
        order=order,
        kind=kind,
        series=series,
        sequence=series.last_number,
        number=number,
        revision=revision,
        original=original,
        refund=refund,
        is_test=document["is_test"],
        issued_at=issued_at,
        issue_date=issued_at.date(),
        currency=order.currency,
        net_cents=document["net_cents"],
        vat_cents=document["vat_cents"],
        total_cents=document["total_cents"],
        vat_country=original.vat_country if original else place_of(order),
        vat_rate=document["vat"]["rate"],
        vat_treatment=document["vat"]["treatment"],
        vat_scheme=original.vat_scheme if original else scheme_of(order),
        document={**document, "number": number, "issue_date": issued_at.date().isoformat(), "revision": revision},
    )
    record("invoice.issued", _subject_of(invoice, order))
    # Imported here, because the tasks make refunds, and refunds are credited here.
    delay_on_commit("apps.orders.tasks.print_invoice", invoice.pk)
    logger.info("invoice issued", extra={"order": order.number, "invoice": number, "kind": kind.value})
    return invoice


def _subject_of(invoice: Invoice, order: Order) -> Subject:
    data = {
        "order": order.number,
        "kind": str(invoice.kind),
        "total_cents": invoice.total_cents,
        "currency": invoice.currency,
        "is_test": invoice.is_test,
    }
    return Subject("invoice", invoice.number, order.account_id, order.site_id, data)


def _next_number(stem: str) -> tuple[InvoiceSeries, datetime]:
    """Take the next number of the year's series, with its time. Both are final once the caller commits."""
    began = timezone.now()
    series = _lock_series(f"{stem}-{began.year}-")
    # Taken while holding the lock, so that dates never go back within a series.
    moment = timezone.now()
    if moment.year != began.year:
        series = _lock_series(f"{stem}-{moment.year}-")
    latest = series.invoices.order_by("-sequence").values_list("issued_at", flat=True).first()
    series.last_number += 1
    series.save(update_fields=["last_number"])
    # Clocks of two machines differ.
    return series, max(moment, latest) if latest else moment


def _lock_series(prefix: str) -> InvoiceSeries:
    locked = InvoiceSeries.objects.select_for_update()
    series = locked.filter(prefix=prefix).first()
    if series is None:
        # A concurrent call waits here and then finds that row.
        InvoiceSeries.objects.bulk_create([InvoiceSeries(prefix=prefix)], ignore_conflicts=True)
        series = locked.get(prefix=prefix)
    return series


def _stem(order: Order, kind: Kind, *, is_test: bool) -> str:
    own = order.seller.get("invoice_prefix") or _letters_of(order.site)
    stem = f"TEST-{own[:TEST_LETTERS]}" if is_test else own[:LETTERS]
    return f"{stem}-CN" if kind == Kind.CREDIT_NOTE else stem


def _letters_of(site: Site) -> str:
    """Return the site's key in capitals, with the site's number if another site's invoices begin the same way."""
    letters = _capitals(site.key)
    earlier = Site.objects.filter(pk__lt=site.pk).values_list("key", flat=True)
    is_taken = letters in {_capitals(key) for key in earlier}
    if is_taken or SellerSettings.objects.filter(invoice_prefix=letters).exclude(site=site).exists():
        return f"{letters[: TEST_LETTERS - len(str(site.pk))]}{site.pk}"
    return letters


def _capitals(key: str) -> str:
    return re.sub(r"[^A-Z0-9]", "", key.upper())[:TEST_LETTERS] or "SITE"
