"""Endpoints, how far each has read the event log, and what was sent to them."""

from datetime import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone

from apps.accounts.models import User
from apps.core.fetch.configuration import MAX_ADDRESS_CHARACTERS
from apps.events.recording import Subject
from apps.sites.models import Site

MAX_NAME_LENGTH = 60


class EndpointQuerySet(models.QuerySet["Endpoint"]):
    def visible_to(self, user: User) -> "EndpointQuerySet":
        """Return an account's own endpoints, oldest first."""
        return self.filter(account=user).order_by("pk")

    def in_use(self) -> "EndpointQuerySet":
        """Return those of sites and of active accounts. Deactivated accounts get nothing."""
        return self.filter(Q(account=None) | Q(account__is_active=True))


class Endpoint(models.Model):
    """An address that gets the events of one account, or without an account those of all accounts of a site.

    `failures` counts failed attempts since the last success. Secrets are encrypted, and only `signing` reads them.
    `older_secrets` has each that was rotated before the old one, with the time until which it signs too.
    """

    class Status(models.TextChoices):
        ACTIVE = "active"
        PAUSED = "paused"
        DISABLED = "disabled"

    class Format(models.TextChoices):
        STANDARD = "standard", "Standard Webhooks"
        SLACK = "slack", "Slack"
        DISCORD = "discord", "Discord"

    class Signature(models.TextChoices):
        V1 = "v1", "v1 (HMAC-SHA256, shared secret)"
        V1A = "v1a", "v1a (Ed25519, public key)"

    account = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+")
    site = models.ForeignKey("sites.Site", null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    url = models.CharField("URL", max_length=MAX_ADDRESS_CHARACTERS)
    types = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    format = models.CharField(max_length=10, choices=Format, default=Format.STANDARD)
    signature = models.CharField(max_length=4, choices=Signature, default=Signature.V1)
    status = models.CharField(max_length=10, choices=Status, default=Status.ACTIVE)
    secret = models.TextField(editable=False)
    old_secret = models.TextField(blank=True, editable=False)
    old_secret_until = models.DateTimeField(null=True, editable=False)
    older_secrets = models.JSONField(default=list, db_default=[], editable=False)
    public_key = models.CharField(max_length=60, blank=True, editable=False)
    failures = models.PositiveIntegerField(default=0, editable=False)
    failing_since = models.DateTimeField(null=True, editable=False)
    waits_until = models.DateTimeField(null=True, editable=False)
    warned_at = models.DateTimeField(null=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects: ClassVar = EndpointQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(account__isnull=False, site__isnull=True) | Q(account__isnull=True, site__isnull=False),
                name="endpoint_of_an_account_or_site",
            ),
        ]
        verbose_name = "webhook endpoint"

    def __str__(self) -> str:
        return self.name or self.host

    @property
    def host(self) -> str:
        """The host of the URL, whose path is often a secret."""
        return self.url.partition("://")[2].partition("/")[0]

    @property
    def masked_url(self) -> str:
        """The URL without what follows its host."""
        return f"{self.url.partition('://')[0]}://{self.host}/..."

    @property
    def is_active(self) -> bool:
        return self.status == self.Status.ACTIVE

    @property
    def is_failing(self) -> bool:
        return self.is_active and self.failing_since is not None

    @property
    def home(self) -> Site:
        """The endpoint's site, or the main one for an account's endpoint."""
        return self.site or Site.objects.for_host(settings.PUBLIC_HOST)

    def valid_old_secrets(self, now: datetime) -> list[tuple[str, datetime]]:
        """Return the old secrets that still sign, the newest first, each with its end."""
        old = [(self.old_secret, self.old_secret_until)] if self.old_secret_until else []
        old += [(secret, datetime.fromisoformat(until)) for secret, until in self.older_secrets]
        return [(secret, until) for secret, until in old if until > now]

    def event_subject(self) -> Subject:
        """Return what its events are about, without the URL's path."""
        return Subject("webhook_endpoint", self.pk, self.account_id, self.home.pk, {"host": self.host})

    def wants(self, type_: str) -> bool:
        """Return whether events of a type are sent here."""
        return not self.types or type_ in self.types or type_.partition(".")[0] in self.types


class Cursor(models.Model):
    """The last `seq` of an account whose event was queued for an endpoint. Without a row it is 0."""

    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, related_name="cursors")
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+"
    )
    seq = models.BigIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["endpoint", "account"], name="one_cursor_per_endpoint_and_account")
        ]

    def __str__(self) -> str:
        return f"{self.endpoint_id}, {self.account_id}: {self.seq}"


class Delivery(models.Model):
    """An event to send to an endpoint. One without an event is a test, or its event is deleted.

    Only the oldest waiting delivery about an object is sent. `leased_until` gives it to one sender, who writes its
    result only as long as the value stays.
    """

    class Status(models.TextChoices):
        WAITING = "waiting"
        DELIVERED = "delivered"
        FAILED = "failed"

    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    event = models.ForeignKey(
        "events.Event",
        null=True,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        db_index=False,
        related_name="+",
    )
    test_id = models.UUIDField(null=True, editable=False)
    type = models.CharField(max_length=40)
    seq = models.BigIntegerField(default=0)
    object_key = models.CharField(max_length=64)
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    attempts_made = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(default=timezone.now)
    leased_until = models.DateTimeField(null=True)
    first_tried_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    done_at = models.DateTimeField(null=True)

    objects: ClassVar[Any] = models.Manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        verbose_name_plural = "deliveries"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["endpoint", "event"], name="one_delivery_per_endpoint_and_event")
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["endpoint", "object_key", "event"],
                condition=Q(status="waiting"),
                name="deliveries_waiting",
            ),
            models.Index(fields=["endpoint", "next_at", "id"], condition=Q(status="waiting"), name="deliveries_due"),
            models.Index(fields=["endpoint", "-id"], name="deliveries_of_endpoint"),
            models.Index(fields=["created_at"], name="deliveries_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.object_key}"

    @property
    def is_test(self) -> bool:
        return self.test_id is not None

    @property
    def is_waiting(self) -> bool:
        return self.status == self.Status.WAITING

    @property
    def next_attempt_at(self) -> datetime | None:
        """When it is tried next. None if it isn't, such as for an endpoint that is paused or disabled."""
        return self.next_at if self.is_waiting and (self.endpoint.is_active or self.is_test) else None


class Attempt(models.Model):
    """One request to an endpoint and its answer. Without a `status_code` there was none, and `error` says why."""

    delivery = models.ForeignKey(Delivery, on_delete=models.CASCADE, related_name="attempts")
    at = models.DateTimeField(default=timezone.now)
    status_code = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=20, blank=True)
    elapsed_ms = models.PositiveIntegerField(default=0)
    answer = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return str(self.status_code or self.error)
