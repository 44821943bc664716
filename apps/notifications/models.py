"""The daily digest of a person."""

from typing import ClassVar

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models

DEFAULT_HOUR = 7


class Digest(models.Model):
    """When a person gets the daily digest, and what the last one had. `email_notifications` says whether.

    The row is the lock under which one worker writes it.
    """

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="digest"
    )
    hour = models.PositiveSmallIntegerField(
        default=DEFAULT_HOUR, validators=[MaxValueValidator(23)], help_text="Hour of the day in UTC."
    )
    written_on = models.DateField(null=True, editable=False, help_text="The last day that was looked at.")
    events_sent = models.BigIntegerField(default=0, editable=False, help_text="The last event in a digest, by seq.")
    updates_sent = models.BigIntegerField(default=0, editable=False, help_text="The last followed update in a digest.")
    launches_sent = models.BigIntegerField(
        default=0, editable=False, help_text="The last launch by a followed founder in a digest."
    )

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(hour__lte=23), name="digest_hour_is_of_a_day"),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} at {self.hour}:00 UTC"
