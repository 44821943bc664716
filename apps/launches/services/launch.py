"""Commands that launch listings: the free plan and paid launches."""

import logging
from dataclasses import dataclass
from functools import partial

from django.db import transaction
from django.utils import timezone
from redis.exceptions import RedisError

from apps.accounts.actors import Actor
from apps.core.delay_on_commit import delay_on_commit
from apps.core.errors import Conflict, TooManyRequests
from apps.core.stores.valkey.counters import Limit
from apps.core.text.weeks import Week
from apps.launches.calendar import launch_weeks, reservations
from apps.launches.services import queue
from apps.launches.services.publish import go_live, while_the_week_lasts
from apps.listings.guidance.badge_status import LEASE
from apps.listings.models import Listing
from apps.listings.services.locks import lock_listing
from apps.sites.models import Site

logger = logging.getLogger(__name__)

Status = Listing.Status
Plan = Listing.Plan


class NotLaunchable(Conflict):
    code = "not_launchable"
    title = "Listing can't launch"


@dataclass(frozen=True, slots=True)
class FreeChoice:
    """A listing on the free plan, and the seconds until the hourly limit allows a badge check, if it is exceeded."""

    listing: Listing
    refused_for: int | None = None


@transaction.atomic
def choose_free_listing(*, listing: Listing, by: Actor) -> FreeChoice:
    """Choose the free plan: the listing waits for the site's badge and a complete profile, then joins the queue.

    Starts a badge check, which `wait_for_check` waits for. Choosing again is safe and checks again, also for a
    scheduled listing. Raises NotLaunchable (409) if the listing is live, paid, in review or withdrawn.
    """
    listing = lock_listing(listing.pk)
    if listing.company.owner_id != by.account.pk:
        raise NotLaunchable("The listing now belongs to another account.")
    if listing.status not in Listing.LAUNCHABLE:
        raise NotLaunchable(f"The listing is {listing.state_words}. The free plan is only available before launch.")
    if listing.plan == Plan.PAID:
        raise NotLaunchable("This launch is already paid for, so it doesn't need the free plan.")
    if listing.status == Status.DRAFT:
        listing.move_to(Status.AWAITING_BADGE, plan=Plan.FREE)
        logger.info("free plan chosen", extra={"listing": listing.pk, "account": by.account.pk})
    refused_for = _request_badge_check(listing)
    return FreeChoice(queue.queue_if_ready(listing=listing), refused_for)


def _request_badge_check(listing: Listing) -> int | None:
    """Ask a worker for a badge check, within a limit, because every check visits the owner's website.

    Returns the seconds until the limit allows a check, or None if the check was requested.
    """
    limit = Limit("badge", count=listing.site.badge_checks_per_hour, window_seconds=3600, events="badge checks")
    try:
        limit.take(str(listing.pk))
    except TooManyRequests as error:
        logger.info("badge checked too often", extra={"listing": listing.pk})
        return error.retry_after
    except RedisError:
        # The broker is probably down, too. That loses the check but not the choice.
        logger.warning("the limit of badge checks cannot be counted", exc_info=True)
    now = timezone.now()
    listing.badge_check_requested_at = now
    # If the broker is down, the check is lost but not the choice. The listing is due again when the lease ends.
    listing.badge_check_at = min(listing.badge_check_at or now + LEASE, now + LEASE)
    listing.save(update_fields=["badge_check_at", "badge_check_requested_at"])
    delay_on_commit("apps.launches.tasks.check_badge", listing.pk)
    return None


def check_paid_week(*, site: Site, week: Week | None, holder: str = "") -> None:
    """Check that a paid launch can get this week (None means now). Raises InvalidWeek (422) or WeekFull (409).

    A spot reserved by `holder` counts as free.
    """
    chosen = week or launch_weeks.current_week()
    launch_weeks.check_week(chosen)
    (result,) = launch_weeks.places(site, first=chosen, count=1)
    if result.paid_left < 1 and not reservations.is_reserved_for(
        holder, product=reservations.LAUNCH, weeks=[str(chosen)]
    ):
        raise launch_weeks.full(site, chosen, Plan.PAID)


def launch_paid(*, listing: Listing, week: Week | None, holder: str = "") -> Listing:
    """Launch a paid listing: immediately for None or a week that has begun, otherwise in its week.

    A free listing in the queue is upgraded and gives up its spot. A spot reserved by `holder` counts as free. Raises
    NotLaunchable (409) or WeekFull (409).
    """
    return while_the_week_lasts(partial(_launch_paid, listing.pk, week, holder))


def _launch_paid(pk: int, week: Week | None, holder: str) -> Listing:
    listing = lock_listing(pk)
    if listing.status not in Listing.LAUNCHABLE:
        raise NotLaunchable(f"The listing is {listing.state_words} and can't launch.")
    now = launch_weeks.current_week()
    chosen = max(week, now) if week else now
    launch_weeks.lock_place(listing.site, chosen, Plan.PAID, holder=holder)
    listing.plan = Plan.PAID
    listing.badge_check_at = None
    if chosen == now:
        return go_live(listing=listing, week=now)
    return queue.schedule(listing=listing, week=chosen)


@transaction.atomic
def upgrade_listing(*, listing: Listing) -> Listing:
    """Change a live free listing to the paid plan. Its launch week and ranks stay.

    Raises NotLaunchable (409) if it isn't live, or is already paid.
    """
    listing = lock_listing(listing.pk)
    if not listing.is_upgradable:
        raise NotLaunchable("You can only upgrade live listings on the free plan.")
    listing.plan, listing.upgraded_at = Plan.PAID, timezone.now()
    listing.save(update_fields=["plan", "upgraded_at", "updated_at"])
    logger.info("live listing upgraded", extra={"listing": listing.pk})
    return listing


@transaction.atomic
def withdraw_paid_launch(*, listing: Listing, is_upgrade: bool) -> Listing:
    """Undo a paid launch that hasn't begun, or with `is_upgrade` the upgrade of a live free listing.

    The first makes the listing a draft again and frees its spot. The second returns it to the free plan in any status,
    and it stays live without a badge. Raises NotLaunchable (409) if the launch has begun or nothing was bought. Neither
    undoes the other.
    """
    listing = lock_listing(listing.pk)
    if is_upgrade:
        if not listing.upgraded_at:
            raise NotLaunchable("The listing has no upgrade to reverse.")
        logger.info("upgrade withdrawn", extra={"listing": listing.pk})
        listing.plan, listing.upgraded_at = Plan.FREE, None
        listing.save(update_fields=["plan", "upgraded_at", "updated_at"])
        return listing
    if listing.launched_at:
        raise NotLaunchable(f"The listing went live in {listing.launch_week}. This can't be reversed.")
    if listing.status != Status.SCHEDULED or listing.plan != Plan.PAID:
        raise NotLaunchable(f"The listing is {listing.state_words} and has no upcoming paid launch.")
    logger.info("paid launch withdrawn", extra={"listing": listing.pk, "week": listing.launch_week})
    listing.move_to(Status.DRAFT, plan=Plan.NONE, launch_week="")
    return listing
