from django.conf import settings
from django.db import models


class IdempotencyRecord(models.Model):
    """The stored answer of a request that carried an Idempotency-Key; one row an account and key."""

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
