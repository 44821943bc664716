"""Cast and withdraw votes: one per person and listing, in its launch week, only in the browser."""

from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.core.dates import moment_text
from apps.core.errors import Conflict
from apps.core.weeks import Week
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.models import LedgerEntry, Vote, VoteLedger
from apps.launches.votes import ledger as ledgers
from apps.listings.models import Listing

Kind = LedgerEntry.Kind

# Votes of a site's week are serialized, so the next voter waits for every statement. Vote, count and ledger entry are
# one statement, whose first part decides whether the others do anything.
_CAST = """
    WITH cast_vote AS (
        INSERT INTO launches_vote (listing_id, user_id, trust, points, created_at)
        VALUES (%(listing)s, %(user)s, %(trust)s, %(points)s, %(at)s) ON CONFLICT DO NOTHING RETURNING listing_id
    ), counted AS (
        UPDATE launches_standing SET votes = votes + 1, points = points + %(points)s
        WHERE listing_id = (SELECT listing_id FROM cast_vote)
    ), noted AS (
        INSERT INTO launches_ledgerentry (ledger_id, number, kind, body, hash)
        SELECT %(ledger)s, %(length)s, 'cast', %(body)s, %(head)s FROM cast_vote
    )
    UPDATE launches_voteledger SET head = %(head)s, length = %(length)s
    WHERE id = %(ledger)s AND EXISTS (SELECT FROM cast_vote)"""
_TAKE_BACK = "DELETE FROM launches_vote WHERE listing_id = %s AND user_id = %s RETURNING trust, points"
_WITHDRAW = """
    WITH counted AS (
        UPDATE launches_standing SET votes = votes - 1, points = points - %(points)s WHERE listing_id = %(listing)s
    ), noted AS (
        INSERT INTO launches_ledgerentry (ledger_id, number, kind, body, hash)
        VALUES (%(ledger)s, %(length)s, 'withdraw', %(body)s, %(head)s)
    )
    UPDATE launches_voteledger SET head = %(head)s, length = %(length)s WHERE id = %(ledger)s"""


class NotVotable(Conflict):
    code = "not_votable"
    title = "Listing not live"


class VotingClosed(Conflict):
    code = "voting_closed"
    title = "Voting closed"


def takes_votes(listing: Listing) -> bool:
    """Return whether the listing takes votes now, as buttons show it."""
    return listing.status == Listing.Status.LIVE and listing.week == current_week()


@transaction.atomic
def toggle_vote(*, listing: Listing, by: Actor) -> bool:
    """Cast the vote or take it back. Returns whether the person has a vote for the listing now.

    Vote, standing and ledger change together or not at all. `rankings.copy_votes` updates `Listing.votes` later. Raises
    NotVotable (409) for a listing that isn't live, and VotingClosed (409) outside its launch week.
    """
    # apps/launches/votes/ledger.py describes the order of locks.
    locked = ledgers.lock_for_vote(listing_id=listing.pk)
    # The clock is read once, under the lock, so that a vote that waits past the end of the week is refused.
    now = timezone.now()
    if locked is None or locked.ledger.iso_week != str(Week.of(now)):
        raise _refusal(listing)
    trust = locked.rule.trust_of(by.account, owner_id=locked.owner_id, at=now)
    vote = Vote(listing=listing, user=by.account, trust=trust, points=locked.rule.weights[trust], created_at=now)
    with connection.cursor() as cursor:
        cursor.execute(_CAST, _values(vote, locked.ledger, Kind.CAST, at=now))
        if cursor.rowcount:
            return True
        # The vote exists already, so subtract exactly its weight.
        cursor.execute(_TAKE_BACK, [vote.listing_id, vote.user_id])
        vote.trust, vote.points = cursor.fetchone()
        cursor.execute(_WITHDRAW, _values(vote, locked.ledger, Kind.WITHDRAW, at=now))
    return False


def _values(vote: Vote, ledger: VoteLedger, kind: Kind, *, at: datetime) -> dict[str, Any]:
    """Return the values for the statements, with the next ledger entry."""
    entry = ledgers.next_entry(ledger, kind, ledgers.vote_facts(ledger, vote), at=at)
    return {
        "listing": vote.listing_id,
        "user": vote.user_id,
        "trust": vote.trust,
        "points": vote.points,
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
