"""What waits for moderators, on the admin dashboard."""

from apps.core.admin.metrics import Need, register_needs
from apps.curation.models import Collection

register_needs(
    Need(
        key="waiting",
        title="Collections to review",
        hint="Approve or remove with a reason.",
        model=Collection,
        rows=lambda collections: collections.waiting(),
    ),
)
