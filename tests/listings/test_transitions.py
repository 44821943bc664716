"""Every from-by-to pair of a listing's statuses, which command goes from where to where, and who may give it."""

from collections.abc import Callable
from datetime import date
from itertools import product
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.core.errors import DomainError
from apps.core.states import IllegalTransition
from apps.core.text.weeks import Week
from apps.launches.services.launch import choose_free_listing, launch_paid
from apps.launches.services.publish import go_live
from apps.launches.services.reschedule import move_launch
from apps.launches.services.rollover import roll_over_week
from apps.launches.votes.voting import toggle_vote
from apps.listings.models import Listing
from apps.listings.services import moderation
from apps.listings.services.editing import update_my_listing
from apps.listings.services.followers import follow
from apps.listings.services.milestones import add_milestone
from apps.listings.services.updates import post_listing_update
from tests.actors import in_browser
from tests.factories import UserFactory
from tests.listings.statuses import in_status

Status = Listing.Status

# From each status to those that may follow.
LEGAL = {
    "draft": {"awaiting_badge", "in_review", "scheduled", "live", "archived"},
    "in_review": {"draft", "rejected", "archived"},
    "rejected": set(),
    "awaiting_badge": {"scheduled", "live", "archived"},
    "scheduled": {"draft", "awaiting_badge", "live", "suspended", "archived"},
    "live": {"archived", "suspended"},
    "archived": {"suspended"},
    "suspended": {"scheduled", "live", "archived"},
}


@pytest.mark.parametrize(("before", "after"), list(product(Status.values, Status.values)))
def test_every_pair(before: str, after: str) -> None:
    listing = Listing(status=before)
    if before == after or after in LEGAL[before]:
        listing.check_move(after)
    else:
        with pytest.raises(IllegalTransition, match=f"from {before} to {after}"):
            listing.move_to(after)
        assert listing.status == before


def test_every_status_is_in_the_table() -> None:
    assert Listing.TRANSITIONS.keys() == set(Status.values) == LEGAL.keys()


# ---- commands ----
def _week(ahead: int) -> Week:
    return Week.of(timezone.now()) + ahead


def _actor(listing: Listing) -> Actor:
    return Actor(user=listing.company.owner, via="browser")


TEAM = Actor(user=None, via="admin")
COMMANDS: dict[str, Callable[[Listing], object]] = {
    "approve": lambda one: moderation.approve_listing(listing=one, by=TEAM),
    "reject": lambda one: moderation.reject_listing(listing=one, reason="No.", by=TEAM),
    "suspend": lambda one: moderation.suspend_listing(listing=one, reason="Spam.", by=TEAM),
    "restore": lambda one: moderation.restore_listing(listing=one, by=TEAM),
    "archive": lambda one: moderation.archive_listing(listing=one, by=_actor(one)),
    "choose_free": lambda one: choose_free_listing(listing=one, by=in_browser(one.company.owner)),
    "launch_now": lambda one: launch_paid(listing=one, week=None),
    "launch_later": lambda one: launch_paid(listing=one, week=_week(2)),
    "move": lambda one: move_launch(listing=one, week=_week(6), by=in_browser(one.company.owner)),
    "go_live": lambda one: go_live(listing=one, week=_week(0)),
    "turn": lambda one: roll_over_week(),
    "vote": lambda one: toggle_vote(listing=one, by=in_browser(UserFactory.create())),
    "follow": lambda one: follow(listing=one, by=in_browser(UserFactory.create())),
    "post_listing_update": lambda one: post_listing_update(listing=one, title="News", body="Text", by=_actor(one)),
    "edit": lambda one: update_my_listing(listing=one, fields={"headline": "New"}, by=_actor(one)),
    "add_milestone": lambda one: add_milestone(listing=one, date=date(2026, 1, 1), title="First", by=_actor(one)),
}
_STAYS = {status: status for status in Status.values}
# Which status allows which command, and where it leads; whatever is not here is refused and changes nothing.
ALLOWED: dict[str, dict[str, str]] = {
    "approve": {"in_review": "draft"},
    "reject": {"in_review": "rejected"},
    "suspend": {"scheduled": "suspended", "live": "suspended", "archived": "suspended"},
    "restore": {"suspended": "live"},
    "archive": {"live": "archived"},
    "choose_free": {"draft": "awaiting_badge", "awaiting_badge": "awaiting_badge", "scheduled": "scheduled"},
    "launch_now": {"draft": "live", "awaiting_badge": "live", "scheduled": "live"},
    "launch_later": {"draft": "scheduled", "awaiting_badge": "scheduled", "scheduled": "scheduled"},
    "move": {"scheduled": "scheduled"},
    "go_live": {"draft": "live", "awaiting_badge": "live", "scheduled": "live", "live": "live"},
    # Nothing is due: the turn touches nothing, whatever is there.
    "turn": _STAYS,
    "vote": {"live": "live"},
    "follow": {"live": "live"},
    "post_listing_update": {"live": "live"},
    "edit": {status: status for status in Status.values if status != "rejected"},
    "add_milestone": {status: status for status in Status.values if status != "rejected"},
}


@pytest.mark.parametrize(("command", "status"), list(product(COMMANDS, Status.values)))
def test_which_status_allows_which_command(db: None, command: str, status: str) -> None:
    listing = in_status(status)
    before = dict(Listing.objects.filter(pk=listing.pk).values().get())
    to = ALLOWED[command].get(status)
    if to is None:
        with pytest.raises(DomainError) as refusal:
            COMMANDS[command](listing)
        assert refusal.value.status == 409
        assert dict(Listing.objects.filter(pk=listing.pk).values().get()) == before
    else:
        COMMANDS[command](listing)
        assert Listing.objects.get(pk=listing.pk).status == to


def test_every_command_has_its_row() -> None:
    assert COMMANDS.keys() == ALLOWED.keys()


# ---- who ----
def _persona(name: str, listing: Listing) -> User:
    if name == "owner":
        return listing.company.owner
    user: User = UserFactory.create(is_staff=name.startswith("staff"))
    if name == "staff with the right":
        user.user_permissions.set(Permission.objects.filter(codename__in=["view_listing", "change_listing"]))
    return user


PERSONAS = ("nobody", "another owner", "owner", "staff", "staff with the right")
OWNER, TEAM_ONLY = {"owner"}, {"staff with the right"}
# Where a person gives the command, from which status, what is sent, and who may.
DOORS: list[tuple[str, str, dict[str, Any], set[str]]] = [
    ("/listings/{slug}/archive", "live", {}, OWNER),
    ("/listings/{slug}/free", "draft", {}, OWNER),
    ("/listings/{slug}/move", "scheduled", {"week": "+6"}, OWNER),
    ("/admin/listings/listing/{pk}/approve_one/", "in_review", {"confirmed": "yes"}, TEAM_ONLY),
    ("/admin/listings/listing/{pk}/reject_one/", "in_review", {"confirmed": "yes", "reason": "No."}, TEAM_ONLY),
    ("/admin/listings/listing/{pk}/suspend_one/", "live", {"confirmed": "yes", "reason": "Spam."}, TEAM_ONLY),
    ("/admin/listings/listing/{pk}/restore_one/", "suspended", {"confirmed": "yes"}, TEAM_ONLY),
    ("/admin/listings/listing/{pk}/move/", "scheduled", {"confirmed": "yes", "week": "+6"}, TEAM_ONLY),
]


@pytest.mark.parametrize("who", PERSONAS)
@pytest.mark.parametrize(("door", "status", "sent", "may"), DOORS)
def test_who_may(
    client: Client, db: None, door: str, status: str, sent: dict[str, str], may: set[str], who: str
) -> None:
    listing = in_status(status)
    before = (listing.status, listing.launch_week)
    if who != "nobody":
        client.force_login(_persona(who, listing))
    values = {name: str(_week(6)) if value == "+6" else value for name, value in sent.items()}
    answer = client.post(door.format(slug=listing.slug, pk=listing.pk), values)
    listing.refresh_from_db()
    assert ((listing.status, listing.launch_week) != before) == (who in may)
    assert answer.status_code in ({302} if who in may or who == "nobody" else {302, 403, 404})
