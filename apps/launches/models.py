from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from apps.core.weeks import Week


class LaunchWeek(models.Model):
    """How many launches a site takes in a week. The row is also the lock for giving away its places."""

    site = models.ForeignKey("sites.Site", on_delete=models.CASCADE, related_name="launch_weeks")
    iso_week = models.CharField(max_length=8, help_text="Such as 2026-W46.")
    free_places = models.PositiveSmallIntegerField()
    paid_places = models.PositiveSmallIntegerField()

    class Meta:
        ordering: ClassVar = ["site", "iso_week"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["site", "iso_week"], name="one_launch_week_per_site"),
            models.CheckConstraint(
                condition=models.Q(iso_week__regex=r"^\d{4}-W\d{2}$"), name="launch_week_has_its_year"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.iso_week} on {self.site}"

    @property
    def week(self) -> Week:
        return Week.parse(self.iso_week)


class Vote(models.Model):
    """One person's vote for one listing."""

    listing = models.ForeignKey("listings.Listing", on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["listing", "user"], name="one_vote_per_person_and_listing")
        ]
        indexes: ClassVar = [models.Index(fields=["listing", "created_at"], name="votes_over_time")]

    def __str__(self) -> str:
        return f"{self.user_id} for {self.listing_id}"
