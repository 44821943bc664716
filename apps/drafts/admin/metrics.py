"""Draft figures of the admin dashboard."""

from datetime import timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from apps.core.admin.metrics import Figure, Need, by_week, register_figures, register_needs
from apps.drafts.models import Draft

# After this time, the owner has retried the draft or given up.
FAILED_WITHIN = timedelta(days=7)
# Reading a website takes at most a minute, and a lost worker is noticed within seconds.
STUCK_AFTER = timedelta(minutes=10)


def _failed(drafts: QuerySet[Draft]) -> QuerySet[Draft]:
    """Failures of the last days, without those whose owner has started again with the same website."""
    later = Draft.objects.filter(
        owner=OuterRef("owner"),
        site=OuterRef("site"),
        website_key=OuterRef("website_key"),
        created_at__gt=OuterRef("created_at"),
    )
    failed = Q(status=Draft.Status.FAILED, finished_at__gt=timezone.now() - FAILED_WITHIN)
    return drafts.filter(failed).exclude(Exists(later))


def _stuck(drafts: QuerySet[Draft]) -> QuerySet[Draft]:
    return drafts.filter(status__in=Draft.IN_PROGRESS, created_at__lt=timezone.now() - STUCK_AFTER)


register_needs(
    Need(
        key="failed",
        title="Failed drafts",
        hint="Most failures are caused by the website. Retry those that weren't.",
        model=Draft,
        rows=_failed,
        urgency="some day",
    ),
    Need(
        key="stuck",
        title="Slow drafts",
        hint="The crawler may be down, or many drafts are waiting for one website.",
        model=Draft,
        rows=_stuck,
        urgency="now",
    ),
)
register_figures(
    Figure(
        title="Drafts",
        hint="Drafts requested.",
        model=Draft,
        weekly=lambda first: by_week(Draft.objects.all(), "created_at", first=first),
    ),
)
