"""Newsletter subscriptions and emailed issues."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from apps.core.valkey.generations import LISTS
from apps.core.valkey.watch import PublicRow


class NewsletterSubscription(models.Model):
    """A person's subscription to a site's newsletter."""

    site = models.ForeignKey("sites.Site", on_delete=models.CASCADE, related_name="newsletter_subscriptions")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="newsletter_subscriptions"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["site", "user"], name="one_subscription_per_person_and_site"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} reads {self.site}"


class NewsletterIssue(PublicRow):
    """The emails of a completed week and their progress. Locking the row serializes writing them."""

    bulk_generations: ClassVar = (LISTS,)

    site = models.ForeignKey("sites.Site", on_delete=models.CASCADE, related_name="newsletter_issues")
    week = models.CharField(max_length=8, help_text="ISO week such as 2026-W46.")
    sent_through = models.BigIntegerField(
        default=0, help_text="Subscriptions up to this one have their email in the outbox."
    )
    sent_at = models.DateTimeField(
        null=True, blank=True, help_text="When the last subscriber's email was put into the outbox."
    )

    class Meta:
        ordering: ClassVar = ["site", "-week"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["site", "week"], name="one_newsletter_per_week"),
            models.CheckConstraint(condition=models.Q(week__regex=r"^\d{4}-W\d{2}$"), name="newsletter_has_its_week"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["id"], condition=models.Q(sent_at__isnull=True), name="newsletters_to_send"),
        ]

    def __str__(self) -> str:
        return f"{self.week} on {self.site}"
