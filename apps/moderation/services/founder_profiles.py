"""Remove photos or texts from founder profiles, and email the owner the reason."""

import logging
from typing import Literal, TypeAlias

from django.db import transaction
from django.urls import reverse

from apps.accounts.actors import Actor
from apps.accounts.founders import services
from apps.accounts.models import FounderProfile
from apps.core.email import outbox
from apps.core.email.text import render_words
from apps.core.errors import Conflict
from apps.moderation.emails import appeal_url
from apps.moderation.models import Decision
from apps.moderation.services.decisions import clean_reason, keep_decision

logger = logging.getLogger(__name__)

Part: TypeAlias = Literal["photo", "texts"]
_TEXTS = ("real_name", "role", "bio", "links")


class NothingToTake(Conflict):
    code = "nothing_to_take"
    title = "Nothing to remove"


class NotRestorable(Conflict):
    code = "not_restorable"
    title = "Nothing to restore"


@transaction.atomic
def take_photo_away(*, profile: FounderProfile, reason: str, note: str = "", by: Actor) -> FounderProfile:
    """Remove a founder's photo and its files. Published stories stay. Raises NothingToTake (409)."""
    return _take(profile, "photo", reason=reason, note=note, by=by)


@transaction.atomic
def empty_texts(*, profile: FounderProfile, reason: str, note: str = "", by: Actor) -> FounderProfile:
    """Clear a founder's name, role, bio and links. The photo, the page's URL and published stories stay.

    Raises NothingToTake (409).
    """
    return _take(profile, "texts", reason=reason, note=note, by=by)


@transaction.atomic
def restore_texts(*, decision: Decision, note: str = "", by: Actor) -> FounderProfile:
    """Undo `empty_texts` where the founder has written nothing since. Raises NotRestorable (409)."""
    texts, person = decision.kept, decision.author
    profile = FounderProfile.objects.select_for_update().get(user=person)
    if not texts:
        raise NotRestorable("You can't restore a removed photo. The founder can upload it again.")
    if not why_not("texts", profile):
        raise NotRestorable("The founder has changed the profile since then.")
    # Not `update_profile`: a block list has no say in what a moderator allows.
    for name, text in texts.items():
        setattr(profile, name, text)
    profile.save()
    keep_decision("founder_profile", profile, Decision.Action.RESTORED, note=note, by=by)
    return profile


def why_not(part: Part, profile: FounderProfile) -> str:
    """Return why a part can't be removed, as a sentence. Empty if it can."""
    if part == "photo":
        return "" if profile.photo_key else "The profile has no photo."
    has_texts = any((profile.real_name, profile.role, profile.bio, profile.links))
    return "" if has_texts else "The profile has no texts."


def _take(profile: FounderProfile, part: Part, *, reason: str, note: str, by: Actor) -> FounderProfile:
    reason = clean_reason(reason)
    locked = FounderProfile.objects.select_for_update().select_related("user").get(pk=profile.pk)
    if problem := why_not(part, locked):
        raise NothingToTake(problem)
    kept = {name: getattr(locked, name) for name in _TEXTS} if part == "texts" else {}
    decision = keep_decision(
        "founder_profile", locked, Decision.Action.REMOVED, reason=reason, note=note, kept=kept, by=by
    )
    _notify(decision, part)
    if part == "photo":
        return services.remove_photo(user=profile.user)
    return services.update_profile(user=profile.user, real_name="", role="", bio="", links=[])


def _notify(decision: Decision, taken: Part) -> None:
    person = decision.author
    logger.info("taken off a founder profile", extra={"taken": taken, "founder": person.pk, "decision": decision.pk})
    if not person.is_active:
        return
    site = decision.case.site
    context = {
        "site": site,
        "reason": decision.reason,
        "profile_url": site.url(reverse("profile")),
        "appeal_url": appeal_url(decision),
    }
    outbox.put(
        key=f"profile-{taken}-{decision.pk}",
        to=person.email,
        words=render_words(f"accounts/emails/{taken}_taken", context),
        site=site,
    )
