from datetime import timedelta
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone


class IdempotencyRecord(models.Model):
    """The stored response to a request with an Idempotency-Key, one row per account and key."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    body = models.TextField(null=True, help_text="The response exactly as sent.")  # noqa: DJ001 - null: still running
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "key"], name="one_record_per_account_and_key")]

    def __str__(self) -> str:
        return f"{self.account_id}: {self.key}"


class OutgoingEmailQuerySet(models.QuerySet["OutgoingEmail"]):
    # How long a worker has for the emails it leased. After that, others take it for dead.
    LEASE = timedelta(minutes=5)

    def unsent(self) -> "OutgoingEmailQuerySet":
        """Return waiting or failed emails that can be retried and that no worker has leased."""
        is_free = models.Q(leased_at__isnull=True) | models.Q(leased_at__lt=timezone.now() - self.LEASE)
        return self.filter(is_free, sent_at__isnull=True)

    def unleased(self) -> "OutgoingEmailQuerySet":
        """Unsent emails that no worker has leased."""
        return self.unsent().filter(failed_at__isnull=True)

    def still_leased(self, email: "OutgoingEmail") -> "OutgoingEmailQuerySet":
        """Return the row of an email that a worker leased, unless the lease has passed to another."""
        return self.filter(pk=email.pk, leased_at=email.leased_at)


class OutgoingEmail(models.Model):
    """An email to send, written in the transaction that is the reason for it.

    `key` names the reason, so that no email is written twice. The text is emptied once the email is sent.
    """

    key = models.CharField(max_length=120, unique=True)
    to = models.EmailField(max_length=254)
    subject = models.CharField(max_length=200)
    text = models.TextField(blank=True)
    blocks = models.JSONField(
        default=list, blank=True, help_text="Buttons, tables and other blocks of the text. Deleted when sent."
    )
    kind = models.CharField(max_length=20, blank=True, help_text="The kind of an optional email.")
    attachment = models.BinaryField(null=True, blank=True, help_text="The attached file. Deleted when sent.")
    attachment_name = models.CharField(
        max_length=120, blank=True, help_text="The file name. Its extension sets the type."
    )
    headers = models.JSONField(default=dict, blank=True)
    site_name = models.CharField(max_length=40)
    site_url = models.URLField(max_length=300)
    site_hue = models.PositiveSmallIntegerField(default=265)
    site_color = models.CharField(max_length=7, blank=True)
    site_logo_url = models.URLField(max_length=400, blank=True)
    site_sender = models.CharField(max_length=320, blank=True, help_text="The From header. Empty for the default.")
    site_contact = models.EmailField(max_length=254, blank=True, help_text="The Reply-To header.")
    is_bulk = models.BooleanField(
        default=False, help_text="One of many, such as an update for followers. Single emails are sent first."
    )
    created_at = models.DateTimeField(default=timezone.now, db_index=True)
    send_at = models.DateTimeField(
        default=timezone.now, help_text="The earliest time to send it. Each failed attempt moves it."
    )
    leased_at = models.DateTimeField(null=True, blank=True, help_text="When a worker started to send it.")
    attempts = models.PositiveSmallIntegerField(default=0)
    last_error = models.CharField(max_length=300, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    failed_at = models.DateTimeField(null=True, blank=True, help_text="When sending was given up.")

    objects: ClassVar = OutgoingEmailQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(sent_at__isnull=True) | models.Q(failed_at__isnull=True),
                name="email_is_sent_or_given_up",
            ),
        ]
        indexes = [
            models.Index(
                fields=["is_bulk", "send_at", "id"],
                condition=models.Q(sent_at__isnull=True, failed_at__isnull=True),
                name="eemails_to_send",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subject} to {self.to}"
