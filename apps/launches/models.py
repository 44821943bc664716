from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.utils import timezone

from apps.core.valkey.generations import LISTS
from apps.core.valkey.watch import PublicRow
from apps.core.weeks import Week

_IS_WEEK = r"^\d{4}-W\d{2}$"


class LaunchWeek(PublicRow):
    """How many launches a site takes in a week. The row is also the lock for assigning its spots."""

    bulk_generations: ClassVar = (LISTS,)

    site = models.ForeignKey("sites.Site", on_delete=models.CASCADE, related_name="launch_weeks")
    iso_week = models.CharField(max_length=8, help_text="Such as 2026-W46.")
    free_places = models.PositiveSmallIntegerField()
    paid_places = models.PositiveSmallIntegerField()

    class Meta:
        ordering: ClassVar = ["site", "iso_week"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["site", "iso_week"], name="one_launch_week_per_site"),
            models.CheckConstraint(condition=models.Q(iso_week__regex=_IS_WEEK), name="launch_week_has_its_year"),
        ]

    def __str__(self) -> str:
        return f"{self.iso_week} on {self.site}"

    @property
    def week(self) -> Week:
        return Week.parse(self.iso_week)


class SpotReservation(PublicRow):
    """A spot in a week that is reserved during checkout and counts as taken."""

    bulk_generations: ClassVar = (LISTS,)

    site = models.ForeignKey("sites.Site", on_delete=models.CASCADE, related_name="spot_reservations")
    product = models.CharField(max_length=20, help_text="What the spot is for, such as launch or billboard.")
    week = models.CharField(max_length=8, help_text="ISO week such as 2026-W46.")
    categories = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    holder = models.CharField(max_length=40, help_text="Who has it, such as a line of an order.")
    expires_at = models.DateTimeField(null=True, blank=True, help_text="Empty once it is paid: until it is delivered.")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["holder", "week"], name="one_reservation_per_holder_and_week"),
            models.CheckConstraint(condition=models.Q(week__regex=_IS_WEEK), name="reserved_week_has_its_year"),
        ]
        indexes: ClassVar = [models.Index(fields=["site", "product", "week"], name="reserved_spots")]

    def __str__(self) -> str:
        return f"{self.product} in {self.week} for {self.holder}"


class Vote(models.Model):
    """One person's vote for one listing. Deleting the account removes the person but keeps the vote."""

    class Trust(models.TextChoices):
        """The account's class under the published rule at the time of the vote."""

        OWNER = "owner"
        NEW = "new"
        SETTLED = "settled"

    # Indexes below begin with the listing.
    listing = models.ForeignKey("listings.Listing", on_delete=models.PROTECT, related_name="cast_votes", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    trust = models.CharField(max_length=8, choices=Trust, default=Trust.SETTLED)
    points = models.PositiveSmallIntegerField(default=100, help_text="What the vote weighs; 100 is a whole vote.")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["listing", "user"], name="one_vote_per_person_and_listing"),
            models.CheckConstraint(condition=models.Q(points__lte=100), name="no_vote_weighs_more_than_one"),
        ]
        indexes: ClassVar = [models.Index(fields=["listing", "created_at"], name="votes_over_time")]

    def __str__(self) -> str:
        return f"{self.user_id} for {self.listing_id}"


class Standing(models.Model):
    """A launched listing's rank on the leaderboard of its week. The row is narrow, since every vote updates it.

    `rank` and `categories` are written when the week closes and never change after that. A closed row without a rank
    is a listing that was withdrawn or suspended when its week closed. A database trigger sets `left_at` from the
    listing's status, so that leaderboards read only this table.
    """

    # Indexes below begin with the site.
    site = models.ForeignKey("sites.Site", on_delete=models.PROTECT, related_name="standings", db_index=False)
    iso_week = models.CharField(max_length=8)
    listing = models.OneToOneField("listings.Listing", on_delete=models.PROTECT, related_name="standing")
    votes = models.PositiveIntegerField(default=0, help_text="People.")
    points = models.PositiveIntegerField(default=0, help_text="Their weights added up; the board's order.")
    launched_at = models.DateTimeField(help_text="Of two with the same points the earlier stands first.")
    rank = models.PositiveIntegerField(null=True, blank=True)
    categories = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    is_final = models.BooleanField(default=False)
    left_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When the listing left the site; empty while it is live."
    )

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(iso_week__regex=_IS_WEEK), name="standing_has_its_week"),
            models.CheckConstraint(
                condition=models.Q(rank__isnull=True) | models.Q(is_final=True), name="ranks_are_given_at_the_close"
            ),
            models.UniqueConstraint(
                fields=["site", "iso_week", "rank"],
                condition=models.Q(rank__isnull=False),
                name="one_listing_per_rank",
            ),
        ]
        indexes: ClassVar = [
            # Leaderboards read these columns in index order, and whole rows only for the shown page.
            models.Index(
                fields=["site", "iso_week", "-points", "launched_at", "listing"],
                include=["rank", "is_final", "left_at"],
                name="standings_of_week",
            ),
            models.Index(
                fields=["site", "-points", "launched_at", "listing"],
                include=["rank", "is_final", "left_at"],
                name="standings_of_all_time",
            ),
            models.Index(
                fields=["site", "iso_week"],
                include=["votes", "categories", "left_at"],
                condition=models.Q(rank__isnull=False, left_at__isnull=False),
                name="standings_that_left",
            ),
            models.Index(fields=["site", "iso_week"], condition=models.Q(rank=1), name="winners_of_weeks"),
            # Open weeks are left out, so that votes update fewer indexes.
            GinIndex(fields=["categories"], condition=models.Q(rank__isnull=False), name="standings_by_category"),
        ]

    def __str__(self) -> str:
        return f"{self.listing_id} in {self.iso_week}"


class VoteLedger(models.Model):
    """The vote ledger of a site's launch week: its rule, and the end of its chain of entries.

    The row is the lock for appending entries. Every week with launches has one. The close stores the leaderboard's
    totals, so that longer periods add up weeks instead of listings.
    """

    site = models.ForeignKey("sites.Site", on_delete=models.PROTECT, related_name="vote_ledgers")
    iso_week = models.CharField(max_length=8)
    salt = models.CharField(
        max_length=64, blank=True, help_text="Makes voters unrecognisable; it is forgotten when the week closes."
    )
    head = models.CharField(max_length=64, blank=True, help_text="Hash of the last entry.")
    length = models.PositiveIntegerField(default=0, help_text="Number of entries.")
    closed_at = models.DateTimeField(null=True, blank=True)
    launches = models.PositiveIntegerField(default=0, help_text="Listings ranked at the close.")
    votes = models.PositiveIntegerField(default=0, help_text="People who voted for them.")
    launches_by_category = models.JSONField(default=dict, blank=True, help_text="Listings ranked, by category slug.")

    class Meta:
        ordering: ClassVar = ["-iso_week", "site"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["site", "iso_week"], name="one_ledger_per_week"),
            models.CheckConstraint(condition=models.Q(iso_week__regex=_IS_WEEK), name="ledger_has_its_week"),
            models.CheckConstraint(
                condition=models.Q(closed_at__isnull=True) | models.Q(salt=""), name="closed_ledger_has_no_salt"
            ),
        ]

    def __str__(self) -> str:
        return f"Ledger of {self.iso_week} on {self.site}"


class LedgerEntry(models.Model):
    """One entry of a ledger. The database refuses to change or delete it.

    `body` is published and hashed. `apps/launches/votes/ledger.py` describes it for each kind.
    """

    class Kind(models.TextChoices):
        OPEN = "open"
        LAUNCH = "launch"
        CAST = "cast"
        WITHDRAW = "withdraw"
        LEAVE = "leave"
        CLOSE = "close"

    # The constraint below begins with the ledger.
    ledger = models.ForeignKey("launches.VoteLedger", on_delete=models.PROTECT, related_name="entries", db_index=False)
    number = models.PositiveIntegerField(help_text="From 1 on, without gaps.")
    kind = models.CharField(max_length=8, choices=Kind)
    body = models.JSONField()
    hash = models.CharField(max_length=64, help_text="SHA-256 over the hash before and this body.")

    class Meta:
        ordering: ClassVar = ["ledger", "number"]
        verbose_name_plural = "ledger entries"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["ledger", "number"], name="one_entry_per_number"),
        ]

    def __str__(self) -> str:
        return f"{self.ledger_id}/{self.number}: {self.kind}"
