"""Orders and their lines."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from apps.accounts.models import User
from apps.core.states import HasStates
from apps.events.recording import Subject
from apps.listings.models import Listing
from apps.orders.models.catalog import LAUNCH, product_choices
from apps.orders.models.invoices import Invoice
from apps.orders.models.payments import Payment, Refund


class OrderQuerySet(models.QuerySet["Order"]):
    def visible_to(self, user: User) -> "OrderQuerySet":
        """Return the account's own orders, on all sites."""
        return self.filter(account=user)

    def with_details(self) -> "OrderQuerySet":
        """Load everything a list shows, in a fixed number of queries."""
        return self.select_related("site").prefetch_related("lines")

    def with_everything(self) -> "OrderQuerySet":
        """Load everything that owners see of orders in a fixed number of queries, without invoice texts and files."""
        invoices = Invoice.objects.defer("document", "pdf").order_by("id")
        payments = Payment.objects.order_by("attempt")
        listings = Listing.objects.only("pk", "plan", "status", "suspended_from", "launch_week", "unlocked_sections")
        return self.select_related("site", "account").prefetch_related(
            "lines__placements",
            models.Prefetch("lines__listing", queryset=listings),
            models.Prefetch("lines__listing__order_lines", queryset=launch_lines(), to_attr="launch_lines"),
            models.Prefetch("payments", queryset=payments),
            models.Prefetch("payments__refunds", queryset=Refund.objects.order_by("id")),
            models.Prefetch("invoices", queryset=invoices),
        )


class Order(HasStates, models.Model):
    """What an account wants to buy on a site, with prices, texts, seller and promo as of its creation."""

    class Status(models.TextChoices):
        PENDING = "pending"
        PROCESSING = "processing"
        PAID = "paid"
        PARTIALLY_REFUNDED = "partially_refunded", "Partially refunded"
        REFUNDED = "refunded"
        EXPIRED = "expired"
        CANCELLED = "cancelled", "Canceled"

    # Money can still arrive for an expired order: what can be delivered is, and the rest is refunded.
    TRANSITIONS: ClassVar[Mapping[str, frozenset[str]]] = {
        Status.PENDING: frozenset({Status.PROCESSING, Status.EXPIRED, Status.CANCELLED}),
        Status.PROCESSING: frozenset({Status.PENDING, Status.PAID, Status.EXPIRED, Status.CANCELLED}),
        Status.PAID: frozenset({Status.PARTIALLY_REFUNDED, Status.REFUNDED}),
        Status.PARTIALLY_REFUNDED: frozenset({Status.REFUNDED}),
        Status.REFUNDED: frozenset(),
        Status.EXPIRED: frozenset({Status.PAID, Status.REFUNDED}),
        Status.CANCELLED: frozenset({Status.REFUNDED}),
    }
    PAYABLE: ClassVar = frozenset({Status.PENDING, Status.PROCESSING})
    DELIVERABLE: ClassVar = frozenset({Status.PAID, Status.PARTIALLY_REFUNDED})
    OPEN_AFTER_PAYMENT: ClassVar = timedelta(days=30)

    site = models.ForeignKey("sites.Site", on_delete=models.PROTECT, related_name="orders")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="orders")
    number = models.CharField(max_length=16, unique=True)
    secret = models.CharField(max_length=64, unique=True, help_text="Secret part of the checkout URL.")
    status = models.CharField(max_length=20, choices=Status, default=Status.PENDING)
    currency = models.CharField(max_length=3, default="usd")

    subtotal_cents = models.BigIntegerField()
    discount_cents = models.BigIntegerField(default=0)
    net_cents = models.BigIntegerField()
    vat_cents = models.BigIntegerField(
        "VAT cents", null=True, blank=True, help_text="Empty while the country is unknown."
    )
    total_cents = models.BigIntegerField()

    promo = models.ForeignKey(
        "orders.PromoCode", on_delete=models.SET_NULL, null=True, blank=True, related_name="orders"
    )
    promo_code = models.CharField(max_length=40, blank=True)
    promo_terms = models.JSONField(
        default=dict, blank=True, help_text="Terms of the promo code when the order was placed."
    )

    country = models.CharField(max_length=2, blank=True)
    postal_code = models.CharField(max_length=16, blank=True)
    vat_number = models.CharField("VAT number", max_length=20, blank=True)
    vat_number_status = models.CharField("VAT number status", max_length=12, blank=True)
    vat_treatment = models.CharField("VAT treatment", max_length=16, blank=True)
    vat_rate = models.PositiveIntegerField(
        "VAT rate", null=True, blank=True, help_text="In basis points: 2550 is 25.5%."
    )
    vat_place = models.CharField(
        "VAT place", max_length=2, blank=True, help_text="Country that gets the VAT. Empty if none is due."
    )
    vat_scheme = models.CharField(
        "VAT scheme", max_length=5, blank=True, help_text="How the VAT is reported: local or oss."
    )
    consultation_number = models.CharField(max_length=60, blank=True, help_text="Proof of the VAT number check.")
    notices = models.JSONField(default=list, blank=True, help_text="VAT notes shown to the buyer.")
    billing = models.JSONField(default=dict, blank=True, help_text="Name, company, address and city.")
    seller = models.JSONField(default=dict, blank=True)
    evidence = models.JSONField(default=list, blank=True, help_text="Evidence of the customer's country.")

    needs_review = models.BooleanField(
        default=False, db_index=True, help_text="A site admin has to decide about the payment."
    )
    review_reason = models.CharField(max_length=300, blank=True, help_text="Why the order needs review.")
    terms = models.ForeignKey(
        "orders.TermsOfSale", on_delete=models.PROTECT, null=True, blank=True, related_name="orders"
    )
    terms_accepted_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(help_text="Prices are held until then.")
    paid_at = models.DateTimeField(null=True, blank=True)
    tried_at = models.DateTimeField(null=True, blank=True, help_text="When a task last processed it.")

    objects: ClassVar = OrderQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-created_at", "-id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(subtotal_cents__gte=0, discount_cents__gte=0, net_cents__gte=0, total_cents__gte=0),
                name="order_money_is_not_negative",
            ),
            models.CheckConstraint(
                condition=models.Q(net_cents=models.F("subtotal_cents") - models.F("discount_cents")),
                name="order_net_is_subtotal_less_discount",
            ),
            models.CheckConstraint(
                condition=models.Q(vat_cents__isnull=True, total_cents=models.F("net_cents"))
                | models.Q(vat_cents__gte=0, total_cents=models.F("net_cents") + models.F("vat_cents")),
                name="order_total_is_net_and_vat",
            ),
            models.CheckConstraint(
                condition=models.Q(paid_at__isnull=False) | ~models.Q(status__in=["paid", "partially_refunded"]),
                name="paid_order_says_when",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["account", "-created_at", "-id"], name="orders_of_account"),
            models.Index(fields=["status", "expires_at"], name="orders_to_expire"),
        ]

    def __str__(self) -> str:
        return self.number

    def event_subject(self) -> Subject:
        data = {"total_cents": self.total_cents, "currency": self.currency}
        return Subject("order", self.number, self.account_id, self.site_id, data)

    @property
    def is_payable(self) -> bool:
        """Whether its checkout page can still take a payment."""
        return self.status in self.PAYABLE and self.expires_at > timezone.now() and not self.needs_review

    @property
    def is_behind_sign_in(self) -> bool:
        """Whether the checkout URL alone no longer opens it, because it was paid a while ago."""
        return self.opens_until is not None and self.opens_until <= timezone.now()

    @property
    def opens_until(self) -> datetime | None:
        """Until when the checkout URL opens it without signing in. None while it is not paid."""
        return None if self.paid_at is None else self.paid_at + self.OPEN_AFTER_PAYMENT

    @property
    def checkout_url(self) -> str:
        return self.site.url(f"/checkout/{self.secret}")

    @property
    def page_url(self) -> str:
        return self.site.url(f"/orders/{self.number}")

    @property
    def refunds(self) -> list[Refund]:
        """All refunds of its payments. No query if loaded `with_everything()`."""
        return [refund for payment in self.payments.all() for refund in payment.refunds.all()]


class OrderLine(HasStates, models.Model):
    """One item of an order, fulfilled on its own."""

    # The event of its order tells it.
    announces_start = False

    class Status(models.TextChoices):
        PENDING = "pending"
        FULFILLED = "fulfilled"
        FAILED = "failed"
        WITHDRAWN = "withdrawn"

    # Withdrawn: delivered, then taken back together with its refund.
    TRANSITIONS: ClassVar[Mapping[str, frozenset[str]]] = {
        Status.PENDING: frozenset({Status.FULFILLED, Status.FAILED}),
        Status.FULFILLED: frozenset({Status.WITHDRAWN}),
        Status.FAILED: frozenset(),
        Status.WITHDRAWN: frozenset(),
    }

    order = models.ForeignKey("orders.Order", on_delete=models.CASCADE, related_name="lines")
    position = models.PositiveSmallIntegerField()
    product = models.CharField(max_length=20, choices=product_choices)
    title = models.CharField(max_length=80)
    description = models.CharField(max_length=300)
    unlocks = ArrayField(models.CharField(max_length=20), default=list, blank=True)
    listing = models.ForeignKey(
        "listings.Listing", on_delete=models.SET_NULL, null=True, blank=True, related_name="order_lines"
    )
    listing_name = models.CharField(max_length=80, blank=True)
    has_listing = models.BooleanField(default=False, help_text="Bought for a listing, even if that was deleted since.")
    options = models.JSONField(default=dict, blank=True)
    quantity = models.PositiveIntegerField()
    unit_price_cents = models.BigIntegerField()
    discount_cents = models.BigIntegerField(default=0)
    net_cents = models.BigIntegerField(help_text="Without VAT, after the discount.")
    vat_cents = models.BigIntegerField(null=True, blank=True)
    total_cents = models.BigIntegerField()

    status = models.CharField(max_length=10, choices=Status, default=Status.PENDING)
    fulfilled_at = models.DateTimeField(null=True, blank=True)
    failure = models.CharField(max_length=300, blank=True, help_text="Why delivery failed.")
    attempts = models.PositiveIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["order", "position"], name="one_line_per_position"),
            models.CheckConstraint(
                condition=models.Q(net_cents__gte=0, discount_cents__gte=0, unit_price_cents__gte=0, quantity__gte=1),
                name="line_money_is_not_negative",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    net_cents=models.F("unit_price_cents") * models.F("quantity") - models.F("discount_cents")
                ),
                name="line_net_is_price_less_discount",
            ),
            models.CheckConstraint(
                condition=models.Q(status__in=["fulfilled", "withdrawn"], fulfilled_at__isnull=False)
                | models.Q(status__in=["pending", "failed"], fulfilled_at__isnull=True),
                name="fulfilled_line_says_when",
            ),
            models.CheckConstraint(
                condition=~models.Q(status="failed") | ~models.Q(failure=""), name="failed_line_says_why"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title} of {self.order_id}"

    def event_subject(self) -> Subject:
        data = {"order": self.order.number, "product": self.product, "listing_id": self.listing_id}
        return Subject("order_line", self.pk, self.order.account_id, self.order.site_id, data)

    @property
    def is_fulfilled(self) -> bool:
        return self.status == self.Status.FULFILLED

    @property
    def is_upgrade(self) -> bool:
        """Whether it is the launch of a listing that was already live, which takes no week."""
        return self.product == LAUNCH and "week" not in self.options

    @property
    def holder(self) -> str:
        """The name under which its spots are reserved."""
        return f"line-{self.pk}"

    @property
    def weeks(self) -> list[str]:
        weeks: Any = self.options.get("weeks", [])
        return list(weeks)


def launch_lines() -> models.QuerySet[OrderLine]:
    """Return the lines of launches that are paid or can still be paid."""
    over = [Order.Status.EXPIRED, Order.Status.CANCELLED, Order.Status.REFUNDED]
    lines = OrderLine.objects.filter(product=LAUNCH).exclude(order__status__in=over)
    return lines.select_related("order__site").order_by("order_id", "position")
