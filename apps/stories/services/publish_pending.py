"""Drafts that wait for their publication: held against the rules anew when something they depend on has changed."""

import logging
from datetime import timedelta

from django.db.models import F, Q, QuerySet

from apps.stories.models import FounderStory, StoryQuerySet
from apps.stories.services import stories

logger = logging.getLogger(__name__)

# A change bears the time at which it was begun, and is seen once it is committed. Whoever judged in between judged by
# what was before, so that a change counts as new for so long.
COMMITTED_WITHIN = timedelta(minutes=5)


def publish_waiting() -> int:
    """Publish the waiting drafts that meet the rules now; returns how many.

    Looked at are those for which the site's rules, the author's profile or the owner of the company may have changed
    since they were last held against them. What fails for one is logged, does not stop the others, and is tried again.
    """
    published = 0
    for pk in list(_due().order_by("judged_at").values_list("pk", flat=True)):
        try:
            published += stories.publish_if_ready(pk)
        except Exception:
            logger.exception("a story could not be held against the rules", extra={"story": pk})
    return published


def _due() -> QuerySet[FounderStory]:
    waiting: StoryQuerySet = FounderStory.objects.waiting()
    judged = F("judged_at") - COMMITTED_WITHIN
    return waiting.filter(
        Q(listing__site__updated_at__gt=judged)
        | Q(author__founder_profile__updated_at__gt=judged)
        | Q(listing__company__updated_at__gt=judged)
    )
