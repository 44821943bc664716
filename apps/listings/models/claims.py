from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from apps.accounts.models import User
from apps.core.states import HasStates
from apps.events.recording import Subject

# The result of such a claim.
CONTESTED = "its present owner has proven it too"


class ClaimQuerySet(models.QuerySet["Claim"]):
    def visible_to(self, user: User) -> "ClaimQuerySet":
        """The claims an account has made."""
        return self.filter(claimant=user)

    def open(self) -> "ClaimQuerySet":
        """Return claims that may still be proven."""
        return self.filter(status=Claim.Status.OPEN)

    def contested(self) -> "ClaimQuerySet":
        """Return claims proven by two accounts, which site admins decide on."""
        result = self.filter(
            status=Claim.Status.REFUSED, result__contains=CONTESTED, company__verified_at__isnull=False
        )
        return result.exclude(company__owner=models.F("claimant")).filter(ended_at__gt=timezone.now() - Claim.LIFETIME)


class Claim(HasStates, models.Model):
    """An account's claim to own a company's website, and the token that can prove it.

    A claimant who proves it becomes the owner. An owner who proves it is verified. Nobody takes a company from an owner
    who has proven the website.
    """

    class Status(models.TextChoices):
        OPEN = "open"
        PROVEN = "proven"
        REFUSED = "refused"
        EXPIRED = "expired"

    class Method(models.TextChoices):
        DNS = "dns", "DNS TXT record"
        META = "meta", "meta tag"
        FILE = "file", "file"

    LIFETIME: ClassVar = timedelta(days=14)
    TRANSITIONS: ClassVar[Mapping[str, frozenset[str]]] = {
        Status.OPEN: frozenset({Status.PROVEN, Status.REFUSED, Status.EXPIRED}),
        Status.PROVEN: frozenset(),
        Status.REFUSED: frozenset({Status.OPEN}),
        Status.EXPIRED: frozenset(),
    }

    company = models.ForeignKey("listings.Company", on_delete=models.CASCADE, related_name="claims")
    claimant = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="claims")
    site = models.ForeignKey(
        "sites.Site", on_delete=models.CASCADE, related_name="+", help_text="The site where the claim was made."
    )
    website = models.URLField(max_length=300, help_text="The claimed website, which must have the proof.")
    token = models.CharField(max_length=64, unique=True, help_text="The token that proves the claim.")
    status = models.CharField(max_length=8, choices=Status, default=Status.OPEN)
    method = models.CharField(max_length=4, choices=Method, blank=True, help_text="Where the token was found.")
    result = models.CharField(max_length=300, blank=True, help_text="Result of the last check.")
    checked_at = models.DateTimeField(null=True, blank=True)
    previous_owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar = ClaimQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["company", "claimant"],
                condition=models.Q(status="open"),
                name="one_open_claim_per_account_and_company",
            ),
            models.CheckConstraint(
                condition=models.Q(status="open", ended_at__isnull=True)
                | (~models.Q(status="open") & models.Q(ended_at__isnull=False)),
                name="claim_is_open_or_ended",
            ),
            models.CheckConstraint(
                condition=models.Q(status="proven", method__gt="") | (~models.Q(status="proven") & models.Q(method="")),
                name="proven_claim_says_how",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["created_at"], condition=models.Q(status="open"), name="claims_open"),
        ]

    def __str__(self) -> str:
        return f"{self.claimant_id} claims {self.website}"

    def move_to(self, status: str, *names: str, **changes: Any) -> None:
        """Move along the transition table. Ending sets the end time, reopening clears it."""
        if status != self.status:
            changes["ended_at"] = None if status == self.Status.OPEN else timezone.now()
            if status == self.Status.OPEN:
                changes |= {"created_at": timezone.now(), "checked_at": None, "result": ""}
        super().move_to(status, *names, **changes)

    def event_subject(self) -> Subject:
        return Subject("claim", self.pk, self.claimant_id, self.site_id, {"website": self.website})

    @property
    def ends_at(self) -> datetime:
        """When an open claim expires."""
        return self.created_at + self.LIFETIME
