"""Comments as something to report and decide about."""

from apps.accounts.actors import Actor
from apps.comments.announcing import page_path
from apps.comments.models import Comment
from apps.comments.services import moderation
from apps.contributions.kinds import ContributionKind
from apps.moderation.kinds import Written


class CommentKind(ContributionKind):
    name = "comment"
    label = "Comment"
    model = "comments.Comment"
    approving = "The comments appear on their listings."
    removing = "The text disappears from all public pages. For 30 days, a moderator reads the author's comments first."

    def written(self, row: Comment) -> Written:
        return Written(
            author=row.author,
            site=row.listing.site,
            title=f"Comment on {row.listing.company.name}",
            text=row.text,
            path=page_path(row),
        )

    def approve(self, row: Comment, *, note: str = "", by: Actor) -> object:
        return moderation.approve_comment(comment=row, note=note, by=by)

    def remove(self, row: Comment, *, reason: str, note: str = "", by: Actor) -> object:
        return moderation.remove_comment(comment=row, reason=reason, note=note, by=by)

    def publish_again(self, row: Comment, *, note: str = "", by: Actor) -> object:
        return moderation.restore_comment(comment=row, note=note, by=by)


KINDS = (CommentKind(),)
