"""Newsletter subscriptions and emailed issues."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from apps.core.stores.valkey.generations import LISTS
from apps.core.stores.valkey.watch import PublicRow


class NewsletterSubscription(models.Model):
    """A subscription to a site's newsletter: of an account, or of an email address whose owner confirmed it."""

    site = models.ForeignKey("sites.Site", on_delete=models.CASCADE, related_name="newsletter_subscriptions")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="newsletter_subscriptions",
    )
    email = models.EmailField(
        blank=True, help_text="In lower case. Empty for accounts, which use their own email address."
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["site", "user"], name="one_subscription_per_person_and_site"),
            models.UniqueConstraint(
                fields=["site", "email"], condition=~models.Q(email=""), name="one_subscription_per_email_and_site"
            ),
            models.CheckConstraint(
                condition=models.Q(user__isnull=True) ^ models.Q(email=""), name="subscription_of_account_or_email"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id or self.email} reads {self.site}"

    @property
    def address(self) -> str:
        return self.user.email if self.user else self.email


class NewsletterIssue(PublicRow):
    """The emails of a completed week and their progress. Locking the row serializes writing them."""

    bulk_generations: ClassVar = (LISTS,)

    site = models.ForeignKey("sites.Site", on_delete=models.CASCADE, related_name="newsletter_issues")
    week = models.CharField(max_length=8, help_text="ISO week such as 2026-W46.")
    sent_through = models.BigIntegerField(default=0, help_text="The last subscription whose email is in the outbox.")
    sent_at = models.DateTimeField(null=True, blank=True, help_text="When all subscribers' emails were in the outbox.")

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
