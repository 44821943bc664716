"""What waits for moderators, on the admin dashboard."""

from apps.core.admin.metrics import Figure, Need, by_week, register_figures, register_needs
from apps.moderation.models import Appeal, Case, Report

register_needs(
    Need(
        key="reported",
        title="Reported texts",
        hint="Keep them, or remove them with a reason. They stay public until then.",
        model=Case,
        rows=lambda cases: cases.open(),
    ),
    Need(
        key="open",
        title="Appeals to answer",
        hint="Uphold or reverse the decision, if possible another moderator's.",
        model=Appeal,
        rows=lambda appeals: appeals.filter(outcome=""),
    ),
)
register_figures(
    Figure(
        title="Reports",
        hint="What people reported.",
        model=Case,
        weekly=lambda first: by_week(Report.objects.all(), "created_at", first=first),
    ),
)
