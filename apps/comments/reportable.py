"""Comments as something to report and decide about."""

from django.db.models import QuerySet

from apps.accounts.actors import Actor
from apps.comments.announcing import page_path
from apps.comments.models import Comment
from apps.comments.services import moderation
from apps.listings.models import Listing
from apps.moderation.kinds import Kind, Written
from apps.moderation.models import Decision
from apps.sites.models import Site


class CommentKind(Kind):
    name = "comment"
    label = "Comment"
    model = "comments.Comment"
    removing = "The text disappears from all public pages. For 30 days, a moderator reads the author's comments first."
    written_at = "created_at"

    def rows(self) -> QuerySet[Comment]:
        return Comment.objects.select_related("author", "listing__company", "listing__site")

    def public(self, site: Site) -> QuerySet[Comment]:
        of_site = {"listing__site": site, "listing__status": Listing.Status.LIVE, "listing__merged_into": None}
        return self.rows().filter(status=Comment.Status.POSTED, **of_site)

    def written(self, row: Comment) -> Written:
        return Written(
            author=row.author,
            site=row.listing.site,
            title=f"Comment on {row.listing.company.name}",
            text=row.text,
            path=page_path(row),
        )

    def remove(self, row: Comment, *, reason: str, note: str, by: Actor) -> object:
        return moderation.remove_comment(comment=row, reason=reason, note=note, by=by)

    def restore(self, decision: Decision, *, note: str, by: Actor) -> object:
        comment = Comment.objects.get(pk=decision.case.object_id)
        return moderation.restore_comment(comment=comment, note=note, by=by)

    def why_not_remove(self, row: Comment) -> str:
        return {Comment.Status.REMOVED: "Already removed.", Comment.Status.DELETED: "Deleted by its author."}.get(
            Comment.Status(row.status), ""
        )


KINDS = (CommentKind(),)
