"""Remove photos or texts from founder profiles, and email the owner the reason."""

import logging
from typing import Literal, TypeAlias

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.founders import services
from apps.accounts.models import FounderProfile, User
from apps.core.email import outbox
from apps.core.email.text import render_words
from apps.core.errors import Conflict
from apps.sites.models import Site

logger = logging.getLogger(__name__)

Part: TypeAlias = Literal["photo", "texts"]


class NothingToTake(Conflict):
    code = "nothing_to_take"
    title = "Nothing to remove"


@transaction.atomic
def take_photo_away(*, profile: FounderProfile, reason: str, by: Actor) -> FounderProfile:
    """Remove a founder's photo and its files. Published stories stay. Raises NothingToTake (409)."""
    _check(profile, "photo")
    changed = services.remove_photo(user=profile.user)
    _notify(profile.user, "photo", reason=reason, by=by)
    return changed


@transaction.atomic
def empty_texts(*, profile: FounderProfile, reason: str, by: Actor) -> FounderProfile:
    """Clear a founder's name, role, bio and links. The photo, the page's URL and published stories stay.

    Raises NothingToTake (409).
    """
    _check(profile, "texts")
    changed = services.update_profile(user=profile.user, real_name="", role="", bio="", links=[])
    _notify(profile.user, "texts", reason=reason, by=by)
    return changed


def why_not(part: Part, profile: FounderProfile) -> str:
    """Return why a part can't be removed, as a sentence. Empty if it can."""
    if part == "photo":
        return "" if profile.photo_key else "The profile has no photo."
    has_texts = any((profile.real_name, profile.role, profile.bio, profile.links))
    return "" if has_texts else "The profile has no texts."


def _check(profile: FounderProfile, part: Part) -> None:
    if problem := why_not(part, FounderProfile.objects.select_for_update().get(pk=profile.pk)):
        raise NothingToTake(problem)


def _notify(person: User, taken: Part, *, reason: str, by: Actor) -> None:
    account = by.user.pk if by.user else None
    logger.info("taken off a founder profile", extra={"taken": taken, "founder": person.pk, "account": account})
    if not person.is_active:
        return
    site = Site.objects.for_host(settings.PUBLIC_HOST)
    context = {"site": site, "reason": reason, "profile_url": site.url(reverse("profile"))}
    outbox.put(
        # Send once per occurrence, which the transaction ensures. It can happen again.
        key=f"profile-{person.pk}-{taken}-{timezone.now():%Y%m%dT%H%M%S%f}",
        to=person.email,
        words=render_words(f"accounts/emails/{taken}_taken", context),
        site=site,
    )
