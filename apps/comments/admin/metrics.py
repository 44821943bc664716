"""What waits for moderators, on the admin dashboard."""

from apps.comments.models import Comment
from apps.core.admin.metrics import Need, register_needs

register_needs(
    Need(
        key="waiting",
        title="Comments to review",
        hint="Approve them, or remove them with a reason.",
        model=Comment,
        rows=lambda comments: comments.waiting(),
    ),
)
