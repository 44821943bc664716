"""Drafts that wait to be published: the rules are applied anew when something they depend on has changed."""

import logging
from datetime import timedelta

from django.db.models import F, Q, QuerySet

from apps.stories.models import FounderStory, StoryQuerySet
from apps.stories.services import stories

logger = logging.getLogger(__name__)

# A change has the time at which it began, and is visible once it is committed. A run in between applied the rules to
# the former state, so a change counts as new for this long.
COMMITTED_WITHIN = timedelta(minutes=5)


def publish_pending_stories() -> int:
    """Publish the pending drafts that meet the rules now; returns how many.

    These are the drafts for which the site's rules, the author's profile or the owner of the company may have changed
    since the rules were last applied. What fails for one is logged, does not stop the others, and is tried again.
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
