"""What comments, reviews and collections have in common for moderators."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from django.apps import apps
from django.db.models import QuerySet

from apps.accounts.actors import Actor
from apps.core.errors import NotFound
from apps.listings.models import Listing
from apps.moderation.kinds import Kind
from apps.moderation.models import Decision
from apps.sites.models import Site

_WHY_NOT_REMOVE = {"removed": "Already removed.", "deleted": "Deleted by its author.", "private": "Private."}


class ContributionKind(Kind):
    """Texts that a moderator may read before they appear. `approving` says what approval does."""

    approving: ClassVar[str]
    written_at = "created_at"

    @abstractmethod
    def approve(self, row: Any, *, note: str = "", by: Actor) -> object:
        """Publish a row in review. Raises DomainError."""

    @abstractmethod
    def publish_again(self, row: Any, *, note: str = "", by: Actor) -> object:
        """Publish a removed row. Raises DomainError."""

    def effects(self, row: Any) -> Sequence[str]:
        return [f"By {row.author} on {row.listing}"]

    def rows(self) -> QuerySet[Any]:
        rows: Any = apps.get_model(self.model)._default_manager
        return rows.select_related("author", "listing__company__owner", "listing__site")  # type: ignore[no-any-return]  # as above

    def public(self, site: Site) -> QuerySet[Any]:
        live = {"listing__site": site, "listing__status": Listing.Status.LIVE, "listing__merged_into": None}
        return self.rows().filter(status="posted", **live)

    def restore(self, decision: Decision, *, note: str, by: Actor) -> object:
        row = self.find(decision.case.object_id)
        if row is None:
            raise NotFound("It was deleted.")
        return self.publish_again(row, note=note, by=by)

    def why_not_approve(self, row: Any) -> str:
        """Return why a row can't be approved now, as a sentence, or an empty string."""
        return "" if row.status == "in_review" else "Not in review."

    def why_not_remove(self, row: Any) -> str:
        return _WHY_NOT_REMOVE.get(str(row.status), "")

    def why_not_restore(self, row: Any) -> str:
        """Return the same for publishing a row again."""
        return "" if row.status == "removed" else "Not removed."
