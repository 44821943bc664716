"""Money and delivery figures of the admin dashboard."""

from datetime import timedelta

from django.conf import settings
from django.db.models import BigIntegerField, Case, Exists, F, OuterRef, QuerySet, Sum, When
from django.utils import timezone

from apps.core.admin.metrics import Figure, Need, by_week, register_figures, register_needs
from apps.core.text.weeks import Week
from apps.orders.invoices.printing import ATTEMPTS_BEFORE_ALERT
from apps.orders.models import Invoice, Order, OrderLine, Payment, Refund, SellerSettings
from apps.sites.models import Site

# What is paid is delivered within seconds, and tried again at least every half hour.
LATE_AFTER = timedelta(hours=1)


def _to_review(orders: QuerySet[Order]) -> QuerySet[Order]:
    return orders.filter(needs_review=True)


def _undelivered(orders: QuerySet[Order]) -> QuerySet[Order]:
    pending = OrderLine.objects.filter(order=OuterRef("pk"), status=OrderLine.Status.PENDING)
    paid = orders.filter(status__in=Order.DELIVERABLE, paid_at__lt=timezone.now() - LATE_AFTER)
    return paid.filter(Exists(pending))


def _in_review(payments: QuerySet[Payment]) -> QuerySet[Payment]:
    return payments.filter(status=Payment.Status.NEEDS_REVIEW)


def _failed(refunds: QuerySet[Refund]) -> QuerySet[Refund]:
    return refunds.filter(status=Refund.Status.FAILED)


def _unprinted(invoices: QuerySet[Invoice]) -> QuerySet[Invoice]:
    return invoices.filter(printed_at__isnull=True, attempts__gte=ATTEMPTS_BEFORE_ALERT)


def _without_seller(sites: QuerySet[Site]) -> QuerySet[Site]:
    return sites.exclude(Exists(SellerSettings.objects.filter(site=OuterRef("pk"))))


def _net(first: Week) -> dict[str, int]:
    """Invoices less credit notes, without VAT and without tests, in cents. In local mode all orders are tests."""
    if settings.LOCAL:
        paid = Order.objects.filter(status__in=Order.DELIVERABLE)
        return by_week(paid, "paid_at", first=first, measure=Sum("net_cents"))
    given_back = When(kind=Invoice.Kind.CREDIT_NOTE, then=F("net_cents") * -1)
    signed = Case(given_back, default=F("net_cents"), output_field=BigIntegerField())
    return by_week(Invoice.objects.filter(is_test=False), "issue_date", first=first, measure=Sum(signed))


register_needs(
    Need(
        key="to_review",
        title="Orders to review",
        hint="The amount received doesn't match. Accept or refund it.",
        model=Order,
        rows=_to_review,
        urgency="now",
    ),
    Need(
        key="in_review",
        title="Payments to review",
        hint="Accept or refund them.",
        model=Payment,
        rows=_in_review,
        urgency="now",
    ),
    Need(
        key="failed",
        title="Failed refunds",
        hint="Check the provider's error, then retry.",
        model=Refund,
        rows=_failed,
        urgency="now",
    ),
    Need(
        key="undelivered",
        title="Paid but not delivered",
        hint="Retry the delivery or refund it.",
        model=Order,
        rows=_undelivered,
        urgency="now",
    ),
    Need(
        key="unprinted",
        title="Invoices without PDF",
        hint="Check the worker's log, fix the cause, then create the PDF again.",
        model=Invoice,
        rows=_unprinted,
    ),
    Need(
        key="without_seller",
        title="Sites without a seller",
        hint="Add seller settings to accept payments.",
        model=Site,
        rows=_without_seller,
        urgency="some day",
    ),
)
register_figures(
    Figure(
        title="Revenue",
        hint="Paid orders without VAT, which are tests in local mode."
        if settings.LOCAL
        else "Invoices minus credit notes, without VAT and test orders.",
        model=Invoice,
        weekly=_net,
        is_money=True,
    ),
)
