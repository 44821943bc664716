"""Cast and withdraw votes: one per person and listing, in its launch week, only in the browser."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.backends.utils import CursorWrapper
from django.utils import timezone
from django.utils.crypto import salted_hmac

from apps.accounts.actors import Actor, only_person
from apps.core.errors import Conflict
from apps.core.text.dates import moment_text
from apps.core.text.weeks import Week
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.models import LedgerEntry, Vote, VoteLedger
from apps.launches.votes import ledger as ledgers
from apps.listings.models import Listing

Kind = LedgerEntry.Kind

# Votes of a site's week are serialized, so the next voter waits for every statement. Vote, count and ledger entry are
# one statement, whose first part decides whether the others do anything.
_CAST = """
    WITH cast_vote AS (
        INSERT INTO launches_vote (listing_id, user_id, trust, state, groups, points, created_at)
        VALUES (%(listing)s, %(user)s, %(trust)s, %(state)s, %(groups)s::jsonb, %(points)s, %(at)s)
        ON CONFLICT DO NOTHING RETURNING listing_id
    ), joined AS (
        INSERT INTO launches_votegroup (name, ledger_id, members)
        SELECT name, %(ledger)s::bigint, 1 FROM unnest(%(names)s::text[]) name WHERE EXISTS (SELECT FROM cast_vote)
        ON CONFLICT (name) DO UPDATE SET members = launches_votegroup.members + 1
    ), counted AS (
        UPDATE launches_standing SET votes = votes + 1, points = points + %(counted)s, held = held + %(held)s
        WHERE listing_id = (SELECT listing_id FROM cast_vote)
    ), noted AS (
        INSERT INTO launches_ledgerentry (ledger_id, number, kind, body, hash)
        SELECT %(ledger)s::bigint, %(length)s::int, 'cast', %(body)s::jsonb, %(head)s FROM cast_vote
    )
    UPDATE launches_voteledger SET head = %(head)s, length = %(length)s
    WHERE id = %(ledger)s AND EXISTS (SELECT FROM cast_vote)"""
_TAKE_BACK = """
    DELETE FROM launches_vote WHERE listing_id = %s AND user_id = %s AND state <> 'dismissed'
    RETURNING trust, state, groups, points"""
_MEMBERS = "SELECT name, members FROM launches_votegroup WHERE name = ANY (%s::text[])"
_WITHDRAW = """
    WITH counted AS (
        UPDATE launches_standing SET votes = votes - 1, points = points - %(counted)s, held = held - %(held)s
        WHERE listing_id = %(listing)s
    ), left_groups AS (
        UPDATE launches_votegroup SET members = members - 1 WHERE name = ANY (%(names)s::text[])
    ), noted AS (
        INSERT INTO launches_ledgerentry (ledger_id, number, kind, body, hash)
        VALUES (%(ledger)s, %(length)s, 'withdraw', %(body)s::jsonb, %(head)s)
    )
    UPDATE launches_voteledger SET head = %(head)s, length = %(length)s WHERE id = %(ledger)s"""


class NotVotable(Conflict):
    code = "not_votable"
    title = "Listing not live"


class VotingClosed(Conflict):
    code = "voting_closed"
    title = "Voting closed"


class VoteDismissed(Conflict):
    code = "vote_dismissed"
    title = "Vote dismissed"


def takes_votes(*, status: str, launch_week: str) -> bool:
    """Return whether such a listing takes votes now, as buttons show it."""
    return status == Listing.Status.LIVE and launch_week == str(current_week())


@transaction.atomic
def toggle_vote(*, listing: Listing, by: Actor, network: str = "") -> bool:
    """Cast the vote or take it back. Returns whether the person has a vote for the listing now.

    `network` is where the person votes from. Only a keyed digest of it is stored, until the week closes.

    Vote, standing and ledger change together or not at all. `rankings.copy_votes` updates `Listing.votes` later. Raises
    Forbidden (403) for keys and clients, NotVotable (409) for a listing that isn't live, VotingClosed (409) outside its
    launch week, and VoteDismissed (409) for a vote that a review dismissed.
    """
    # apps/launches/votes/ledger.py describes the order of locks.
    locked = ledgers.lock_for_vote(listing_id=listing.pk, user=only_person(by).account, network=network)
    # The clock is read once, under the lock, so that a vote that waits past the end of the week is refused.
    now = timezone.now()
    if locked is None or locked.ledger.iso_week != str(Week.of(now)):
        raise _refusal(listing)
    with ledgers.prepared_cursor() as cursor:
        vote = _weighed(cursor, locked, listing, at=now)
        taken = locked.rule.taken(vote.groups, trust=vote.trust, state=vote.state)
        cursor.execute(_CAST, _values(vote, locked.ledger, Kind.CAST, taken=taken, at=now))
        if cursor.rowcount:
            return True
        # The vote exists already, so subtract exactly its weight.
        cursor.execute(_TAKE_BACK, [vote.listing_id, vote.user_id])
        taken_back = cursor.fetchone()
        if taken_back is None:
            raise VoteDismissed("A site admin reviewed your vote for this listing and dismissed it.")
        vote.trust, vote.state, groups, vote.points = taken_back
        cursor.execute(_WITHDRAW, _values(vote, locked.ledger, Kind.WITHDRAW, taken=json.loads(groups), at=now))
    return False


def _weighed(cursor: CursorWrapper, locked: ledgers.LockedLedger, listing: Listing, *, at: datetime) -> Vote:
    """Return the vote with its class, groups and weight. Only after the lock are the groups' members counted."""
    rule, voter = locked.rule, locked.voter
    trust = rule.trust_of(voter, owner_id=locked.owner_id, at=at)
    groups = {kind: group_name(listing.pk, kind, sign) for kind, sign in rule.groups_of(voter, at=at).items()}
    members: dict[str, int] = {}
    if groups:
        cursor.execute(_MEMBERS, [list(groups.values())])
        members = dict(cursor.fetchall())
    places = {kind: members.get(name, 0) + 1 for kind, name in groups.items()}
    return Vote(
        listing=listing,
        user=voter.user,
        trust=trust,
        state=rule.state(places),
        groups=groups,
        points=rule.points(trust, places),
        created_at=at,
    )


def group_name(listing_id: int, kind: str, sign: str) -> str:
    """Return the name of a group of votes for one listing. It doesn't reveal the sign without SECRET_KEY."""
    return salted_hmac("apps.launches.votes", f"{listing_id}:{kind}:{sign}", algorithm="sha256").hexdigest()


def _values(vote: Vote, ledger: VoteLedger, kind: Kind, *, taken: Mapping[str, str], at: datetime) -> dict[str, Any]:
    """Return the values for the statements, with the next ledger entry. Only the groups of places are stored."""
    entry = ledgers.next_entry(ledger, kind, ledgers.vote_facts(ledger, vote, kind), at=at)
    return {
        "listing": vote.listing_id,
        "user": vote.user_id,
        "trust": vote.trust,
        "groups": json.dumps(taken),
        "names": list(taken.values()),
        "state": vote.state,
        "points": vote.points,
        "counted": vote.points if vote.state == Vote.State.COUNTED else 0,
        "held": int(vote.state == Vote.State.HELD),
        "at": vote.created_at,
        "ledger": ledger.pk,
        "length": entry.number,
        "body": ledgers.canonical(entry.body),
        "head": entry.hash,
    }


def _refusal(listing: Listing) -> NotVotable | VotingClosed:
    """Return why the listing takes no vote. Reads it again, because the caller's copy may be old."""
    listing = Listing.objects.only("status", "launch_week").get(pk=listing.pk)
    week = listing.week
    if listing.status != Listing.Status.LIVE or week is None:
        return NotVotable("This listing is not live.")
    if week > current_week():
        return VotingClosed(f"Voting for {week} opens on {moment_text(week.starts_at)}.")
    return VotingClosed(f"Voting for {week} closed on {moment_text(week.ends_at)}.")
