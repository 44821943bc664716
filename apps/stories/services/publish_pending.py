"""Publish waiting drafts when something their rules depend on has changed."""

import logging
from datetime import timedelta

from django.db.models import F, Q, QuerySet

from apps.stories.models import FounderStory, StoryQuerySet
from apps.stories.services import stories

logger = logging.getLogger(__name__)

# A change's time is its beginning, but it becomes visible at commit. A run in between used the old state, so changes
# count as new for this long.
COMMITTED_WITHIN = timedelta(minutes=5)


def publish_pending_stories() -> int:
    """Publish pending drafts that now meet the rules. Returns how many.

    Checks drafts for which the site's rules, the author's profile or the company's owner may have changed since the
    last check. A failure is logged and retried later, without stopping the others.
    """
    published = 0
    for pk in list(_due().order_by("rules_applied_at").values_list("pk", flat=True)):
        try:
            published += stories.publish_if_ready(pk)
        except Exception:
            logger.exception("the rules could not be applied to a story", extra={"story": pk})
    return published


def _due() -> QuerySet[FounderStory]:
    pending: StoryQuerySet = FounderStory.objects.pending()
    applied = F("rules_applied_at") - COMMITTED_WITHIN
    return pending.filter(
        Q(listing__site__updated_at__gt=applied)
        | Q(author__founder_profile__updated_at__gt=applied)
        | Q(listing__company__updated_at__gt=applied)
    )
