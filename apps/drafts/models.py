from collections.abc import Mapping
from datetime import timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Coalesce, Now
from django.utils import timezone

from apps.accounts.models import User
from apps.core.states import HasStates
from apps.events.recording import Subject
from apps.listings.models import ListedPicture

LIFETIME = timedelta(days=30)
MAX_ATTEMPTS = 3
CRAWLS_PER_OWNER = 2
# Half of a crawler's slots. While fewer are taken, an owner of many websites may have more crawls than that.
SHARED_CRAWLS = settings.CRAWL_THREADS * 3 // 8


class DraftQuerySet(models.QuerySet["Draft"]):
    def visible_to(self, user: User) -> "DraftQuerySet":
        """Return the drafts of an account, on all sites and in any status."""
        return self.filter(owner=user)

    def in_progress(self) -> "DraftQuerySet":
        """Return drafts that a worker still has to finish."""
        return self.filter(status__in=Draft.IN_PROGRESS)

    def active(self) -> "DraftQuerySet":
        """Return drafts that a new request for the same address reuses."""
        return self.filter(status__in=Draft.ACTIVE)

    def leased(self) -> "DraftQuerySet":
        """Return drafts that a worker is busy with, by the database's clock. Canceled ones drop out soon."""
        return self.filter(leased_until__gt=Now())

    def cancelled_while_leased(self) -> "DraftQuerySet":
        """Return drafts canceled while their worker has not noticed yet, or has died."""
        return self.filter(status=Draft.Status.CANCELLED, leased_until__isnull=False)

    def unleased(self) -> "DraftQuerySet":
        """Return drafts in progress that no worker has leased."""
        return self.in_progress().filter(models.Q(leased_until=None) | models.Q(leased_until__lte=Now()))

    def crawlable(self) -> "DraftQuerySet":
        """Return drafts that may be crawled now, in an order that is fair to owners.

        An owner with fewer running crawls comes first, then the one whose last crawl ended earlier. An owner's drafts
        go oldest first. A domain never exceeds its crawl limit, and an owner only while half of the slots are free.
        """
        theirs = Draft.objects.filter(owner=models.OuterRef("owner")).order_by().values("owner")
        running = theirs.filter(leased_until__gt=Now()).annotate(count=models.Count("pk")).values("count")
        served = theirs.annotate(at=models.Max("finished_at")).values("at")
        beside = Draft.objects.leased().filter(domain=models.OuterRef("domain"))
        waiting = (
            self.unleased()
            .filter(~models.Exists(beside), attempt__lt=MAX_ATTEMPTS)
            .annotate(running=Coalesce(models.Subquery(running), 0), served_at=models.Subquery(served))
            .order_by("running", models.F("served_at").asc(nulls_first=True), "created_at", "pk")
        )
        is_quiet = Draft.objects.leased().count() < SHARED_CRAWLS
        return waiting if is_quiet else waiting.filter(running__lt=CRAWLS_PER_OWNER)


class Draft(HasStates, models.Model):
    """A listing proposed from a website: the values read there, and their evidence.

    The row is the truth about the crawl. A message to a worker only says that there is work.
    """

    class Status(models.TextChoices):
        CRAWLING = "crawling"
        DRAFTING = "drafting"
        READY = "ready"
        SUBMITTED = "submitted"
        FAILED = "failed"
        EXPIRED = "expired"
        CANCELLED = "cancelled", "Canceled"

    class Failure(models.TextChoices):
        UNREACHABLE = "unreachable"
        ROBOTS = "robots", "robots.txt"
        BLOCKED = "blocked"
        PRIVATE_ADDRESS = "private_address", "Private address"
        TOO_THIN = "too_thin", "Too thin"
        DUPLICATE = "duplicate"

    IN_PROGRESS: ClassVar = (Status.CRAWLING, Status.DRAFTING)
    ACTIVE: ClassVar = (*IN_PROGRESS, Status.READY)
    TRANSITIONS: ClassVar[Mapping[str, frozenset[str]]] = {
        # Drafting goes back to crawling when a worker was lost and another one starts over.
        Status.CRAWLING: frozenset({Status.DRAFTING, Status.FAILED, Status.CANCELLED}),
        Status.DRAFTING: frozenset({Status.CRAWLING, Status.READY, Status.FAILED, Status.CANCELLED}),
        Status.READY: frozenset({Status.SUBMITTED, Status.EXPIRED, Status.CANCELLED}),
        Status.SUBMITTED: frozenset(),
        # Filled in by hand, or discarded.
        Status.FAILED: frozenset({Status.SUBMITTED, Status.CANCELLED}),
        Status.EXPIRED: frozenset(),
        Status.CANCELLED: frozenset(),
    }

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="drafts")
    site = models.ForeignKey("sites.Site", on_delete=models.CASCADE, related_name="drafts")
    url = models.URLField("URL", max_length=300, help_text="Home page of the requested website.")
    website_key = models.CharField(max_length=300, help_text="The key that identifies the website.")
    domain = models.CharField(max_length=260, help_text="Only one crawl per domain runs at a time.")
    website = models.URLField(max_length=300, blank=True, help_text="The URL it redirected to.")

    status = models.CharField(max_length=12, choices=Status, default=Status.CRAWLING)
    attempt = models.PositiveSmallIntegerField(default=0, help_text="Number of leases. Only the latest may write.")
    leased_until = models.DateTimeField(null=True, blank=True, help_text="When the worker's lease ends.")
    queued_at = models.DateTimeField(default=timezone.now, help_text="When it was last queued.")
    pages_done = models.PositiveSmallIntegerField(default=0)
    pages_planned = models.PositiveSmallIntegerField(default=0)
    pages_read = models.JSONField(
        default=list, blank=True, help_text="Each planned page: URL, kind, and why it wasn't used."
    )

    proposal = models.JSONField(default=dict, blank=True, help_text="Proposed value by listing field.")
    evidence = models.JSONField(default=list, blank=True, help_text="Where each value was read.")
    missing = models.JSONField(default=list, blank=True, help_text="What wasn't found, and what to do.")
    warnings = models.JSONField(
        default=list, blank=True, help_text="Text on the website that is addressed to assistants, with its page."
    )
    edited = models.JSONField(default=list, blank=True, help_text="Fields the owner changed. Their evidence is kept.")
    confirmed = models.JSONField(default=list, blank=True, help_text="Fields the owner confirmed without a change.")
    error_code = models.CharField(max_length=16, choices=Failure, blank=True)
    error_message = models.CharField(max_length=300, blank=True)

    listing = models.ForeignKey(
        "listings.Listing", on_delete=models.CASCADE, null=True, blank=True, related_name="drafts"
    )
    rereads = models.ForeignKey(
        "listings.Listing",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="rereads",
        help_text="The listing to compare with, when its website is read again.",
    )
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True, help_text="When the crawl succeeded or failed.")
    submitted_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar = DraftQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["owner", "site", "website_key"],
                condition=models.Q(status__in=["crawling", "drafting", "ready"]),
                name="one_active_draft_per_address",
            ),
            models.CheckConstraint(
                condition=models.Q(status="submitted", listing__isnull=False, submitted_at__isnull=False)
                | (~models.Q(status="submitted") & models.Q(listing__isnull=True, submitted_at__isnull=True)),
                name="submitted_draft_has_a_listing",
            ),
            models.CheckConstraint(
                condition=models.Q(status="failed", error_code__gt="")
                | models.Q(status="cancelled")
                | models.Q(~models.Q(status__in=["failed", "cancelled"]), error_code=""),
                name="failed_draft_has_an_error",
            ),
            models.CheckConstraint(
                condition=~models.Q(status="submitted")
                | models.Q(rereads__isnull=True)
                | models.Q(rereads=models.F("listing")),
                name="rereading_ends_in_its_own_listing",
            ),
            models.CheckConstraint(
                condition=models.Q(leased_until__isnull=True)
                | models.Q(status__in=["crawling", "drafting", "cancelled"]),
                name="only_a_draft_being_read_is_leased",
            ),
            models.CheckConstraint(
                condition=models.Q(status__in=["crawling", "drafting"], finished_at__isnull=True)
                | (~models.Q(status__in=["crawling", "drafting"]) & models.Q(finished_at__isnull=False)),
                name="draft_is_finished_or_in_progress",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["owner", "-created_at"], name="draft_owner"),
            models.Index(
                fields=["domain"],
                condition=models.Q(status__in=["crawling", "drafting"]),
                name="draft_in_progress",
            ),
            models.Index(fields=["created_at"], condition=models.Q(status="ready"), name="draft_ready"),
        ]

    def __str__(self) -> str:
        return self.url

    def event_subject(self) -> Subject:
        return Subject("draft", self.pk, self.owner_id, self.site_id, {"url": self.url, "listing_id": self.listing_id})

    @property
    def is_editable(self) -> bool:
        """Whether the proposal can be edited and submitted: a ready one, or a failed one filled in by hand."""
        if self.status == self.Status.FAILED:
            # A reread listing can be edited directly, and another company's website belongs to that company.
            return self.rereads_id is None and self.error_code != self.Failure.DUPLICATE
        return self.status == self.Status.READY

    def move_to(self, status: str, *names: str, **changes: Any) -> None:
        """Move along the transition table. A final status releases the draft's lease."""
        if status != self.status and status in {self.Status.READY, self.Status.FAILED, self.Status.CANCELLED}:
            changes["finished_at"] = self.finished_at or timezone.now()
            # The worker of a canceled draft keeps its domain until it notices, so no other crawl may read there yet.
            if status != self.Status.CANCELLED:
                changes["leased_until"] = None
        super().move_to(status, *names, **changes)


class DraftPicture(ListedPicture):
    """A logo or screenshot that was found on a draft's website. Its listing takes over the files."""

    draft = models.ForeignKey("drafts.Draft", on_delete=models.CASCADE, related_name="pictures")
