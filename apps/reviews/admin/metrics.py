"""What waits for moderators, on the admin dashboard."""

from apps.core.admin.metrics import Need, register_needs
from apps.reviews.models import Review

register_needs(
    Need(
        key="waiting",
        title="Reviews to moderate",
        hint="Approve or remove with a reason.",
        model=Review,
        rows=lambda reviews: reviews.filter(status="in_review"),
    ),
)
