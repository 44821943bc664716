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
    body = models.TextField(null=True, help_text="The answer as it was sent, to the letter.")  # noqa: DJ001 - null: still running
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
        default=list, blank=True, help_text="Which paragraphs look like more than text; emptied as the text is."
    )
    kind = models.CharField(max_length=20, blank=True, help_text="Of emails that an account may do without.")
    attachment = models.BinaryField(null=True, blank=True, help_text="A file with it; emptied as the text is.")
    attachment_name = models.CharField(max_length=120, blank=True, help_text="File name, which sets its type.")
    headers = models.JSONField(default=dict, blank=True)
    site_name = models.CharField(max_length=40)
    site_url = models.URLField(max_length=300)
    site_hue = models.PositiveSmallIntegerField(default=265)
    is_bulk = models.BooleanField(
        default=False, help_text="One of many, such as news to followers: single emails go first."
    )
    created_at = models.DateTimeField(default=timezone.now, db_index=True)
    send_at = models.DateTimeField(default=timezone.now, help_text="Not before; moved on when a try fails.")
    leased_at = models.DateTimeField(null=True, blank=True, help_text="A worker is sending it.")
    attempts = models.PositiveSmallIntegerField(default=0)
    last_error = models.CharField(max_length=300, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    failed_at = models.DateTimeField(null=True, blank=True, help_text="Given up after the last try.")

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
