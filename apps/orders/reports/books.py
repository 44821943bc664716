"""Select the invoices, credit notes and orders of a report."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from apps.orders.models import Invoice, OrderLine, Payment
from apps.orders.reports.periods import Period
from apps.sites.models import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Books:
    """The books of a period, of one site or all, with test payments only if requested."""

    period: Period
    site: Site | None = None
    with_tests: bool = False

    @property
    def days(self) -> tuple[date, date]:
        """The first and last day of the period."""
        return self.period.first_date, self.period.last_date

    def documents(self) -> QuerySet[Invoice]:
        """Return invoices and credit notes by the day of their number, earliest first."""
        return self.documents_of_all_times().filter(issue_date__range=self.days).order_by("issue_date", "id")

    def documents_of_all_times(self) -> QuerySet[Invoice]:
        """Return those of the site or sites, whenever they were issued, without their files."""
        result = Invoice.objects.filter(order__site=self.site) if self.site else Invoice.objects.all()
        return (result if self.with_tests else result.filter(is_test=False)).defer("pdf", "document")

    def lines(self) -> QuerySet[OrderLine]:
        """Return the lines of orders that were paid in the period."""
        result = OrderLine.objects.filter(
            order__paid_at__gte=self.period.begins_at, order__paid_at__lt=self.period.ends_at
        )
        if self.site:
            result = result.filter(order__site=self.site)
        if not self.with_tests:
            result = result.exclude(Exists(_paid(OuterRef("order")).filter(is_test=True)))
        return result.order_by("order__paid_at", "order_id", "position")


def with_payment(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Return who took an order's money, by `provider`, with `payment_reference`."""
    paid = _paid(OuterRef("order"))
    with_both: QuerySet[Any] = rows.annotate(
        provider=Subquery(paid.values("provider")[:1]), payment_reference=Subquery(paid.values("reference")[:1])
    )
    return with_both


def _paid(order: OuterRef) -> QuerySet[Payment]:
    return Payment.objects.filter(order=order, status=Payment.Status.PAID)
