"""Demo launches in several weeks, with votes for live listings."""

from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any

from apps.accounts import demo as accounts
from apps.accounts.models import User
from apps.core.demo import Demo
from apps.core.text.weeks import Week
from apps.launches.models import LaunchWeek, LedgerEntry, Standing, Vote, VoteLedger
from apps.launches.votes import ledger as ledgers
from apps.launches.votes.rankings import close_board, launch_facts
from apps.launches.votes.weights import Rule, Voter
from apps.listings.models import Follow, Listing, Update
from apps.sites.demo import DEFAULT, MAKERS
from apps.sites.models import Site

Status = Listing.Status
Plan = Listing.Plan
Kind = LedgerEntry.Kind
# Voters and the times of their votes.
Ballot = tuple[User, datetime]

# Weeks from the current one on, with the votes that each listing gets in its week.
LIVE: dict[str, dict[int, dict[str, int]]] = {
    DEFAULT: {
        0: {
            "orbitly": 180, "inkwell": 164, "parcel-post": 141, "quietly": 118, "ledgerline": 97,
            "tessera": 84, "harbor": 66, "mosaic-crm": 51, "fieldnote": 37, "bramble": 23,
        },
        -1: {
            "slowlane": 201, "tallymark": 139, "deskbell": 104, "coppice": 88, "galleyway": 61, "contour-lab": 56,
            "shelfwise": 44, "clipwright": 42, "rankfield": 38, "clausewell": 34, "packlight": 27, "hearthrow": 21,
        },
        -2: {
            "lanternfish": 188, "offcut-audio": 155, "cashfold": 121, "chalkline": 93, "keyhouse": 70,
            "quillquote": 29,
        },
        -3: {
            "rookery": 176, "sundial": 172, "nightjar": 149, "patchwell": 110, "glyphyard": 83, "verbena": 59,
        },
        -4: {
            "schemabook": 159, "quorum-notes": 132, "moraine": 107, "roundtrip": 75, "signalpost": 19,
        },
    },
    MAKERS: {
        0: {"quietly": 72, "fieldnote": 58, "coppice": 41, "bramble": 30, "glyphyard": 17},
        -1: {"rookery": 81, "tessera": 49, "packlight": 22},
        -2: {"offcut-audio": 64, "nightjar": 38},
        -3: {"schemabook": 57, "tallymark": 33},
    },
}  # fmt: skip
SCHEDULED: dict[str, dict[int, str]] = {
    DEFAULT: {1: "thornproof", 2: "paddock-pay", 4: "sluicegate"},
    MAKERS: {1: "sundial"},
}
PAID = frozenset(
    {
        "orbitly", "parcel-post", "ledgerline", "harbor", "slowlane", "sundial", "deskbell", "coppice",
        "lanternfish", "cashfold", "rookery", "nightjar", "schemabook", "roundtrip", "thornproof",
    }
)  # fmt: skip
WAITING = "marginalia"
IN_REVIEW = "stillpoint"
# The share of votes on each day of the week: most on the first day, more toward the end, or both.
_COURSES = (
    (30, 19, 14, 11, 10, 8, 8),
    (6, 8, 10, 14, 17, 21, 24),
    (22, 10, 7, 8, 14, 22, 17),
    (9, 14, 24, 22, 15, 9, 7),
)
_FOLLOWERS_A_VOTE = 0.35


def seed(demo: Demo) -> None:
    """Launch or schedule the listings, give the live ones their votes, and date the updates."""
    for site_key, weeks in LIVE.items():
        for offset, listings in weeks.items():
            for place, name in enumerate(listings):
                listing = _plan(demo, demo.get(Listing, f"{site_key}/{name}"), offset=offset, name=name)
                listing.launched_at = min(_week(demo, offset).starts_at + timedelta(seconds=40 + place), demo.now)
                listing.status = Status.LIVE
    for site_key, scheduled in SCHEDULED.items():
        for offset, name in scheduled.items():
            listing = _plan(demo, demo.get(Listing, f"{site_key}/{name}"), offset=offset, name=name)
            listing.status = Status.SCHEDULED
    waiting = demo.get(Listing, f"{DEFAULT}/{WAITING}")
    waiting.plan = Plan.FREE
    waiting.status = Status.AWAITING_BADGE
    in_review = demo.get(Listing, f"{DEFAULT}/{IN_REVIEW}")
    in_review.plan, in_review.submitted_at = Plan.FREE, demo.now - timedelta(hours=5)
    in_review.status = Status.IN_REVIEW
    ballots = _choose_voters(demo)
    _save(demo)
    _make_boards(demo, ballots)
    _make_followers(demo, ballots)
    _date_updates(demo)


def _week(demo: Demo, offset: int) -> Week:
    return Week.of(demo.now) + offset


def _plan(demo: Demo, listing: Listing, *, offset: int, name: str) -> Listing:
    week = _week(demo, offset)
    listing.launch_week = str(week)
    listing.plan = Plan.PAID if name in PAID else Plan.FREE
    queued_for = demo.random.randint(2, 12) if listing.plan == Plan.PAID else demo.random.randint(29, 60)
    listing.submitted_at = min(week.starts_at, demo.now) - timedelta(days=queued_for, minutes=queued_for * 7)
    if listing.plan == Plan.FREE:
        listing.badge_seen_at = listing.badge_checked_at = listing.submitted_at + timedelta(hours=1)
        listing.badge_state = Listing.BadgeState.FOUND
        listing.badge_result = f"Found on {listing.company.website}/."
    return listing


def _choose_voters(demo: Demo) -> dict[int, list[Ballot]]:
    """Choose voters and times by listing, and set the listings' `votes`."""
    voters = [user for key, user in demo.all(User).items() if key != accounts.OWNER]
    ballots: dict[int, list[Ballot]] = {}
    for site_key, weeks in LIVE.items():
        for offset, listings in weeks.items():
            week = _week(demo, offset)
            # A leaderboard that has just opened has fewer votes, but is never empty.
            share = min(0.3 + 0.7 * ((demo.now - week.starts_at) / timedelta(days=7)), 1)
            for name, count in listings.items():
                listing = demo.get(Listing, f"{site_key}/{name}")
                fair = [voter for voter in voters if voter.pk != listing.company.owner_id]
                chosen = demo.random.sample(fair, min(round(count * share), len(fair)))
                moments = _moments(demo, week=week, count=len(chosen))
                since = listing.launched_at or week.starts_at
                ballots[listing.pk] = [
                    (voter, max(moment, since)) for voter, moment in zip(chosen, moments, strict=True)
                ]
                listing.votes = len(chosen)
    return ballots


def _make_boards(demo: Demo, ballots: dict[int, list[Ballot]]) -> None:
    """Save the votes as rows, ledger entries and standings, and close past weeks, earlier ones first."""
    for site_key, weeks in LIVE.items():
        for offset in sorted(weeks):
            week = _week(demo, offset)
            ledger = ledgers.lock_or_open(site=demo.get(Site, site_key), week=week, at=week.starts_at)
            listings = [demo.get(Listing, f"{site_key}/{name}") for name in weeks[offset]]
            _keep_votes(ledger, listings, ballots)
            if offset < 0:
                close_board(ledger.pk, at=week.ends_at + timedelta(minutes=1))


def _keep_votes(ledger: VoteLedger, listings: list[Listing], ballots: dict[int, list[Ballot]]) -> None:
    rule = ledgers.rule_of(ledger)
    entries: list[tuple[Kind, dict[str, Any], datetime]] = []
    votes: list[Vote] = []
    for listing in listings:
        own = [_vote(rule, listing, voter, at) for voter, at in ballots[listing.pk]]
        standing = Standing(site=ledger.site, iso_week=ledger.iso_week, listing=listing, votes=len(own))
        standing.points = sum(vote.points for vote in own)
        standing.launched_at = listing.launched_at or Week.parse(ledger.iso_week).starts_at
        # A site with earlier launches may have closed this week, and a closed ledger takes no launches.
        standing.is_final = ledger.closed_at is not None
        standing.save()
        entries.append((Kind.LAUNCH, launch_facts(listing), standing.launched_at))
        votes += own
    Vote.objects.bulk_create(votes, batch_size=2000)
    if not ledger.closed_at:
        entries += [(Kind.CAST, ledgers.vote_facts(ledger, vote, Kind.CAST), vote.created_at) for vote in votes]
        # The sort is stable, so launches stay before the votes of the same moment.
        ledgers.append_all(ledger, sorted(entries, key=itemgetter(2)))


def _make_followers(demo: Demo, ballots: dict[int, list[Ballot]]) -> None:
    """Let some voters follow the listing from the time of their vote. The demo owner's come later, more each day."""
    own = {listing.pk: listing for listing in demo.all(Listing).values() if _is_of_demo_owner(demo, listing)}
    follows: list[Follow] = []
    for listing_id, cast in ballots.items():
        result = [ballot for ballot in cast if demo.random.random() < _FOLLOWERS_A_VOTE]
        if listing := own.get(listing_id):
            since = listing.launched_at or demo.now
            parts = [((number + 0.5) / len(result)) ** 0.5 for number in range(len(result))]
            result = [
                (voter, since + (demo.now - since) * part) for (voter, _), part in zip(result, parts, strict=True)
            ]
        follows += [Follow(listing_id=listing_id, user=voter, created_at=at) for voter, at in result]
    Follow.objects.bulk_create(follows, batch_size=2000)


def _is_of_demo_owner(demo: Demo, listing: Listing) -> bool:
    return listing.company.owner_id == demo.get(User, accounts.OWNER).pk


def _vote(rule: Rule, listing: Listing, voter: User, at: datetime) -> Vote:
    trust = rule.trust_of(Voter(voter), owner_id=listing.company.owner_id, at=at)
    return Vote(listing=listing, user=voter, trust=trust, points=rule.weights[trust], created_at=at)


def _moments(demo: Demo, *, week: Week, count: int) -> list[datetime]:
    """Return times in the week until now, along a typical curve that varies a little by listing."""
    course = demo.random.choice(_COURSES)
    begun = [
        (start, min(start + timedelta(days=1), demo.now), weight * demo.random.uniform(0.5, 1.7))
        for day, weight in enumerate(course)
        if (start := week.starts_at + timedelta(days=day)) <= demo.now
    ]
    weights = [weight * ((end - start) / timedelta(days=1) + 0.01) for start, end, weight in begun]
    days = demo.random.choices(begun, weights, k=count)
    return [start + (end - start) * demo.random.random() for start, end, _ in days]


def _save(demo: Demo) -> None:
    Listing.objects.bulk_update(
        demo.all(Listing).values(),
        [
            "status", "plan", "launch_week", "launched_at", "submitted_at", "votes", "comment_count",
            "review_count", "star_counts",
            "badge_state", "badge_seen_at", "badge_checked_at", "badge_result",
        ],
    )  # fmt: skip
    weeks = [
        LaunchWeek(
            site=demo.get(Site, site_key),
            iso_week=str(_week(demo, offset)),
            free_places=demo.get(Site, site_key).free_places_per_week,
            paid_places=demo.get(Site, site_key).paid_places_per_week,
        )
        for site_key in LIVE
        for offset in {*LIVE[site_key], *SCHEDULED[site_key]}
    ]
    LaunchWeek.objects.bulk_create(weeks, ignore_conflicts=True)


def _date_updates(demo: Demo) -> None:
    """Spread the updates of each listing over the time since its launch, and number all in the order of their times."""
    listings = {listing.pk: listing for listing in demo.all(Listing).values()}
    updates = list(Update.objects.filter(listing__in=listings).order_by("listing_id", "id"))
    for listing_id, own in groupby(updates, key=attrgetter("listing_id")):
        since = listings[listing_id].launched_at or demo.now
        these = list(own)
        moments = sorted(since + (demo.now - since) * demo.random.random() for _ in these)
        for update, moment in zip(these, moments, strict=True):
            update.created_at = moment
    # Notifications are read in the order of these numbers.
    numbers = sorted(update.pk for update in updates)
    updates.sort(key=attrgetter("created_at"))
    for number, update in zip(numbers, updates, strict=True):
        update.pk = number
    Update.objects.bulk_update(updates, ["listing", "title", "body", "created_at"])
