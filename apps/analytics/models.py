from typing import ClassVar

from django.db import models
from django.utils import timezone


class DailyStatistics(models.Model):
    """Visits to a listing's page on one UTC day. Numbers only, no personal data."""

    listing = models.ForeignKey("listings.Listing", on_delete=models.CASCADE, related_name="daily_statistics")
    day = models.DateField()
    views = models.PositiveIntegerField(default=0)
    visitors = models.PositiveIntegerField(default=0, help_text="Distinct visitors on this day.")
    clicks = models.PositiveIntegerField(default=0, help_text="Clicks on the website link.")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["listing", "day"], name="one_row_of_statistics_per_day"),
            models.CheckConstraint(
                condition=models.Q(visitors__lte=models.F("views")), name="visitors_have_viewed_the_page"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.listing_id} on {self.day}"


class DailyReferrer(models.Model):
    """Views of a listing's page on one day from one source."""

    listing = models.ForeignKey("listings.Listing", on_delete=models.CASCADE, related_name="daily_referrers")
    day = models.DateField()
    source = models.CharField(max_length=80, help_text="A registrable domain, or the value of ref= or utm_source=.")
    views = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["listing", "day", "source"], name="one_row_per_referrer_and_day"),
        ]

    def __str__(self) -> str:
        return f"{self.source} to {self.listing_id} on {self.day}"


class StatisticsBatch(models.Model):
    """A saved batch of counts. Prevents counting it twice if it reappears in Valkey."""

    key = models.UUIDField(primary_key=True)
    written_at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return str(self.key)
