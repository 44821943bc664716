"""The log of events, which are added in the transaction of their cause and never changed."""

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from apps.accounts.models import User
from apps.core.versions.models import Via


class EventQuerySet(models.QuerySet["Event"]):
    def visible_to(self, user: User) -> "EventQuerySet":
        """Return an account's committed events on all sites, oldest first."""
        return self.filter(account=user, seq__gt=0).order_by("seq")


class Event(models.Model):
    """What happened to an account's data: its type, the object, who did it and how.

    `seq` counts an account's events without gaps, in the order of their commits. Triggers of the database set it as the
    last step of a transaction (see the migration), so that its lock is held for the shortest time. Events of unowned
    companies have no account and no `seq`. The rows refer to accounts and sites without constraints, because checking
    those takes locks.
    """

    public_id = models.UUIDField(default=uuid.uuid4, editable=False)
    seq = models.BigIntegerField(null=True, editable=False)
    type = models.CharField(max_length=40)
    at = models.DateTimeField(default=timezone.now)
    site = models.ForeignKey(
        "sites.Site", on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        db_index=False,
        related_name="+",
    )
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        db_index=False,
        related_name="+",
    )
    via = models.CharField(max_length=12, choices=Via)
    credential = models.CharField(max_length=255, blank=True, help_text="Name of the API key or of the client.")
    object_type = models.CharField(max_length=20)
    object_id = models.CharField(max_length=40)
    data = models.JSONField(default=dict)

    objects: ClassVar = EventQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account", "seq"], name="one_event_per_seq"),
            models.UniqueConstraint(fields=["public_id"], name="one_event_per_public_id"),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["seq"],
                condition=models.Q(account__isnull=False) & (models.Q(seq__isnull=True) | models.Q(seq__lt=0)),
                name="events_to_number",
            ),
            models.Index(fields=["at"], name="events_by_age"),
            models.Index(fields=["site", "-id"], name="events_of_site"),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.object_type} {self.object_id}"

    @property
    def key(self) -> str:
        """The id of the event in the API, and of every delivery of it."""
        return f"evt_{self.public_id.hex}"


class EventCounter(models.Model):
    """The last `seq` of an account. The row is the lock for numbering its events."""

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        primary_key=True,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        related_name="+",
    )
    last = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.account_id}: {self.last}"
