"""Payments, the providers' messages, refunds, and the test gateway's own record."""

from collections.abc import Mapping
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from apps.core.states import HasStates
from apps.events.recording import Subject


class Payment(HasStates, models.Model):
    """One attempt to pay an order with a provider."""

    class Status(models.TextChoices):
        STARTING = "starting"
        OPEN = "open"
        PAID = "paid"
        FAILED = "failed"
        SURPLUS = "surplus"
        NEEDS_REVIEW = "needs_review", "Needs review"

    # Providers may report money for an abandoned attempt. It is used for the order or refunded.
    TRANSITIONS: ClassVar[Mapping[str, frozenset[str]]] = {
        Status.STARTING: frozenset({Status.OPEN, Status.PAID, Status.FAILED, Status.SURPLUS, Status.NEEDS_REVIEW}),
        Status.OPEN: frozenset({Status.PAID, Status.FAILED, Status.SURPLUS, Status.NEEDS_REVIEW}),
        Status.FAILED: frozenset({Status.PAID, Status.SURPLUS, Status.NEEDS_REVIEW}),
        Status.PAID: frozenset(),
        Status.SURPLUS: frozenset(),
        Status.NEEDS_REVIEW: frozenset({Status.PAID, Status.SURPLUS}),
    }
    UNSETTLED: ClassVar = frozenset({Status.STARTING, Status.OPEN})

    order = models.ForeignKey("orders.Order", on_delete=models.PROTECT, related_name="payments")
    attempt = models.PositiveIntegerField()
    provider = models.CharField(max_length=16)
    reference = models.CharField(max_length=120, null=True, blank=True, help_text="The provider's ID.")  # noqa: DJ001 - unknown until the provider answered, and unique once known
    status = models.CharField(max_length=12, choices=Status, default=Status.STARTING)
    amount_cents = models.BigIntegerField()
    currency = models.CharField(max_length=3, default="usd")
    is_test = models.BooleanField(default=False)
    return_url = models.URLField(max_length=500)
    pay_url = models.CharField(max_length=1000, blank=True, help_text="URL where the buyer pays.")
    problem = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    settled_at = models.DateTimeField(null=True, blank=True)
    polled_at = models.DateTimeField(null=True, blank=True, help_text="When a task last asked the provider.")
    leased_at = models.DateTimeField(null=True, blank=True, help_text="When the provider started to open it.")

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["order", "attempt"], name="one_payment_per_attempt"),
            models.UniqueConstraint(fields=["provider", "reference"], name="one_payment_per_reference"),
            models.CheckConstraint(condition=models.Q(amount_cents__gte=0), name="payment_is_not_negative"),
            models.UniqueConstraint(fields=["order"], condition=models.Q(status="paid"), name="an_order_is_paid_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["status", "created_at"], name="payments_to_poll")]

    def __str__(self) -> str:
        # Without the reference: anyone with a test session's reference can decide it.
        return f"{self.provider} payment {self.pk}"

    def event_subject(self) -> Subject:
        return self.subject_of("payment", self.pk, self.amount_cents)

    def subject_of(self, kind: str, pk: int, cents: int) -> Subject:
        """Return what events about money of this payment are about."""
        order = self.order
        data = {"order": order.number, "amount_cents": cents, "currency": self.currency, "is_test": self.is_test}
        return Subject(kind, pk, order.account_id, order.site_id, data)

    @property
    def key(self) -> str:
        """The idempotency key of the provider's calls for this attempt. Needs the loaded order."""
        return f"{self.order.number}:{self.attempt}"


class PaymentEvent(models.Model):
    """A provider's message, stored so that it is processed once."""

    provider = models.CharField(max_length=16)
    event_id = models.CharField(max_length=120)
    kind = models.CharField(max_length=80)
    reference = models.CharField(max_length=120)
    received_at = models.DateTimeField(default=timezone.now)
    processed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["provider", "event_id"], name="one_row_per_event"),
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.event_id}"


class Refund(HasStates, models.Model):
    """A refund: of an undelivered or withdrawn line, or of a surplus payment."""

    class Status(models.TextChoices):
        REQUESTED = "requested"
        DONE = "done"
        FAILED = "failed"

    # A bank can return the money days later. A site admin then retries the refund.
    TRANSITIONS: ClassVar[Mapping[str, frozenset[str]]] = {
        Status.REQUESTED: frozenset({Status.DONE, Status.FAILED}),
        Status.DONE: frozenset({Status.FAILED}),
        Status.FAILED: frozenset({Status.REQUESTED}),
    }

    payment = models.ForeignKey("orders.Payment", on_delete=models.PROTECT, related_name="refunds")
    line = models.OneToOneField(
        "orders.OrderLine", on_delete=models.PROTECT, null=True, blank=True, related_name="refund"
    )
    amount_cents = models.BigIntegerField()
    reason = models.CharField(max_length=300)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    status = models.CharField(max_length=10, choices=Status, default=Status.REQUESTED)
    attempt = models.PositiveIntegerField(
        default=1, help_text="Part of the key sent to the provider. A new number sends a new refund."
    )
    reference = models.CharField(max_length=120, blank=True)
    problem = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    tried_at = models.DateTimeField(null=True, blank=True, help_text="When it was last sent to the provider.")
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(amount_cents__gte=0), name="refund_is_not_negative"),
            models.UniqueConstraint(
                fields=["payment"], condition=models.Q(line__isnull=True), name="one_whole_refund_per_payment"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["status", "id"], name="refunds_to_make")]

    def __str__(self) -> str:
        return f"{self.amount_cents} of {self.payment_id}"

    def event_subject(self) -> Subject:
        return self.payment.subject_of("refund", self.pk, self.amount_cents)

    @property
    def key(self) -> str:
        """The idempotency key of the provider's calls for this refund."""
        return f"refund-{self.pk}-{self.attempt}"


class GatewaySession(models.Model):
    """The test gateway's own record. It is the provider's side: only the gateway reads or writes it."""

    class State(models.TextChoices):
        OPEN = "open"
        PAID = "paid"
        DECLINED = "declined"
        CANCELLED = "cancelled", "Canceled"
        EXPIRED = "expired"

    reference = models.CharField(max_length=64, unique=True)
    key = models.CharField(max_length=80, unique=True, help_text="Starting twice with the same key gives one session.")
    order_number = models.CharField(max_length=16)
    amount_cents = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    return_url = models.URLField(max_length=500)
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    refunds = models.JSONField(default=dict, blank=True, help_text="Refunded amount by key.")
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.reference
