"""What comments and reviews have in common: the text of a person on a listing."""

from typing import TYPE_CHECKING, Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from apps.core.states import HasStates
from apps.core.stores.valkey.generations import listing_name
from apps.core.stores.valkey.watch import PublicRow
from apps.moderation.models import MAX_REASON

if TYPE_CHECKING:
    from apps.accounts.models import User
    from apps.listings.models import Listing


class Contribution(HasStates, PublicRow):
    """A person's text on a listing. `listing`, `author`, `text` and `status` are fields of each kind.

    `hosts` and `fingerprint` are what its text has in common with floods of others.
    """

    if TYPE_CHECKING:
        listing: "models.ForeignKey[Listing, Listing]"
        author: "models.ForeignKey[User, User]"
        listing_id: int
        author_id: int
        text: Any

    # Spam that waits for a moderator is no event.
    announces_start = False

    removed_reason = models.CharField(
        max_length=MAX_REASON, blank=True, help_text="Why a moderator removed it. Emailed to its author."
    )
    hosts = ArrayField(models.CharField(max_length=253), default=list, blank=True, editable=False)
    fingerprint = models.CharField(max_length=64, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now)
    edited_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        words = " ".join(self.text.split())
        return words[:60] + ("…" if len(words) > 60 else "") or f"{type(self).__name__} {self.pk}"

    def generations(self) -> tuple[str, ...]:
        return (listing_name(self.listing_id),)

    @property
    def is_posted(self) -> bool:
        return bool(self.status == "posted")
