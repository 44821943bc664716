from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.utils import timezone

from apps.core.stores.valkey.generations import LISTS
from apps.core.stores.valkey.watch import PublicRow
from apps.core.text.dates import week_text
from apps.core.text.weeks import Week

_IS_WEEK = r"^\d{4}-W\d{2}$"


class LaunchWeek(PublicRow):
    """How many launches a site takes in a week. The row is also the lock for assigning its spots."""

    bulk_generations: ClassVar = (LISTS,)

    site = models.ForeignKey("sites.Site", on_delete=models.CASCADE, related_name="launch_weeks")
    iso_week = models.CharField(max_length=8, help_text="ISO week such as 2026-W46.")
    free_places = models.PositiveSmallIntegerField("free spots")
    paid_places = models.PositiveSmallIntegerField("paid spots")

    class Meta:
        ordering: ClassVar = ["site", "iso_week"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["site", "iso_week"], name="one_launch_week_per_site"),
            models.CheckConstraint(condition=models.Q(iso_week__regex=_IS_WEEK), name="launch_week_has_its_year"),
        ]

    def __str__(self) -> str:
        return f"{week_text(self.iso_week)} on {self.site}"

    @property
    def week(self) -> Week:
        return Week.parse(self.iso_week)


class SpotReservation(PublicRow):
    """A spot in a week that is reserved during checkout and counts as taken."""

    bulk_generations: ClassVar = (LISTS,)

    site = models.ForeignKey("sites.Site", on_delete=models.CASCADE, related_name="spot_reservations")
    product = models.CharField(max_length=20, help_text="Product the spot is for, such as launch or billboard.")
    week = models.CharField(max_length=8, help_text="ISO week such as 2026-W46.")
    categories = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    holder = models.CharField(max_length=40, help_text="What holds the spot, such as an order line.")
    expires_at = models.DateTimeField(null=True, blank=True, help_text="When the reservation ends. Empty once paid.")

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
        DISPOSABLE = "disposable"
        NEW = "new"
        VERIFIED = "verified"
        SETTLED = "settled"
        CONTRIBUTOR = "contributor"

    class State(models.TextChoices):
        """Whether the weight counts, waits for a review, or was dismissed."""

        COUNTED = "counted"
        HELD = "held"
        DISMISSED = "dismissed"

    # Indexes below begin with the listing.
    listing = models.ForeignKey("listings.Listing", on_delete=models.PROTECT, related_name="cast_votes", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    trust = models.CharField(max_length=12, choices=Trust, default=Trust.SETTLED)
    state = models.CharField(max_length=9, choices=State, default=State.COUNTED)
    groups = models.JSONField(
        default=dict,
        blank=True,
        help_text="Names of the groups where the vote has a place, by kind. Empty once closed.",
    )
    points = models.PositiveSmallIntegerField(default=100, help_text="Weight of the vote. A whole vote is 100.")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["listing", "user"], name="one_vote_per_person_and_listing"),
            models.CheckConstraint(condition=models.Q(points__lte=100), name="no_vote_weighs_more_than_one"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["listing", "created_at"], name="votes_over_time"),
            models.Index(fields=["listing"], condition=models.Q(state="held"), name="votes_under_review"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} for {self.listing_id}"


class VoteGroup(models.Model):
    """How many votes for one listing have a sign in common, such as a network. Deleted when the week closes.

    The name is a digest of the listing, the kind of sign and the sign, keyed with SECRET_KEY.
    """

    name = models.CharField(max_length=64, primary_key=True)
    # Few rows, and only the close looks for them by ledger.
    ledger = models.ForeignKey("launches.VoteLedger", on_delete=models.CASCADE, related_name="groups", db_index=False)
    members = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.members} in {self.name}"


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
    votes = models.PositiveIntegerField(default=0, help_text="Number of people who voted.")
    points = models.PositiveIntegerField(default=0, help_text="Sum of the votes' weights. It decides the rank.")
    held = models.PositiveIntegerField(default=0, help_text="Votes under review, whose weight isn't in the sum yet.")
    launched_at = models.DateTimeField(help_text="If points are equal, the earlier launch ranks higher.")
    rank = models.PositiveIntegerField(null=True, blank=True)
    categories = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    is_final = models.BooleanField(default=False)
    left_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When the listing left the site. Empty while it is live."
    )

    # On the leaderboard read by `RankedStandings`, which selects it.
    place: int

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
        return f"{self.listing}, {week_text(self.iso_week)}"


class LaunchReminder(models.Model):
    """The wish for one email when a listing launches: of an account, or of an address whose owner confirmed it."""

    listing = models.ForeignKey("listings.Listing", on_delete=models.CASCADE, related_name="launch_reminders")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="launch_reminders"
    )
    email = models.EmailField(
        blank=True, help_text="In lower case. Empty for accounts, which use their own email address."
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["listing", "user"], name="one_reminder_per_person_and_listing"),
            models.UniqueConstraint(
                fields=["listing", "email"], condition=~models.Q(email=""), name="one_reminder_per_email_and_listing"
            ),
            models.CheckConstraint(
                condition=models.Q(user__isnull=True) ^ models.Q(email=""), name="reminder_of_account_or_email"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id or self.email} waits for {self.listing_id}"

    @property
    def address(self) -> str:
        return self.user.email if self.user else self.email


class VoteLedger(models.Model):
    """The vote ledger of a site's launch week: its rule, and the end of its chain of entries.

    The row is the lock for appending entries. Every week with launches has one. The close stores the leaderboard's
    totals, so that longer periods add up weeks instead of listings.
    """

    site = models.ForeignKey("sites.Site", on_delete=models.PROTECT, related_name="vote_ledgers")
    iso_week = models.CharField(max_length=8)
    salt = models.CharField(max_length=64, blank=True, help_text="Hides who voted. Deleted when the week closes.")
    head = models.CharField(max_length=64, blank=True, help_text="Hash of the last entry.")
    length = models.PositiveIntegerField(default=0, help_text="Number of entries.")
    closed_at = models.DateTimeField(null=True, blank=True)
    launches = models.PositiveIntegerField(default=0, help_text="Number of listings ranked at the close.")
    votes = models.PositiveIntegerField(default=0, help_text="Number of votes for them.")
    launches_by_category = models.JSONField(
        default=dict, blank=True, help_text="Number of ranked listings by category slug."
    )
    vote_counts = models.JSONField(
        default=dict, blank=True, help_text="Votes by class, and how many shared, were reviewed or were dismissed."
    )
    decisions = models.JSONField(default=list, blank=True, help_text="How votes under review were decided, and why.")

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
        return f"Vote ledger of {week_text(self.iso_week)} on {self.site}"


class LedgerEntry(models.Model):
    """One entry of a ledger. The database refuses to change or delete it.

    `body` is published and hashed. `apps/launches/votes/ledger.py` describes it for each kind.
    """

    class Kind(models.TextChoices):
        OPEN = "open"
        LAUNCH = "launch"
        CAST = "cast"
        WITHDRAW = "withdraw"
        DECIDE = "decide"
        LEAVE = "leave"
        CLOSE = "close"

    # The constraint below begins with the ledger.
    ledger = models.ForeignKey("launches.VoteLedger", on_delete=models.PROTECT, related_name="entries", db_index=False)
    number = models.PositiveIntegerField(help_text="Starts at 1, without gaps.")
    kind = models.CharField(max_length=8, choices=Kind)
    body = models.JSONField()
    hash = models.CharField(max_length=64, help_text="SHA-256 of the previous hash and this body.")

    class Meta:
        ordering: ClassVar = ["ledger", "number"]
        verbose_name_plural = "ledger entries"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["ledger", "number"], name="one_entry_per_number"),
        ]

    def __str__(self) -> str:
        return f"Entry {self.number}: {self.kind}"
