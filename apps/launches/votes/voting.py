"""Voting in the browser: one vote per person and listing, in its launch week, and taking it back."""

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

# Votes of a site's week come one after the other, so every statement is one that the next person waits for.
# Cast, count and note are one: the first part decides whether the others do anything.
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
    """Whether the listing can be voted for at this moment, as buttons show it."""
    return listing.status == Listing.Status.LIVE and listing.week == current_week()


@transaction.atomic
def toggle_vote(*, listing: Listing, by: Actor) -> bool:
    """Vote, or take the vote back; returns whether the person votes for the listing now.

    Vote, standing and ledger change together or not at all; `Listing.votes` follows by `standings.copy_votes`. Raises
    NotVotable (409) for a listing that is not live and VotingClosed (409) outside of its launch week.
    """
    # The order of locks is written down in apps/launches/votes/ledger.py.
    locked = ledgers.lock_for_vote(listing_id=listing.pk)
    # The clock is read once, under the lock: a vote that had to wait past the end of the week is refused.
    now = timezone.now()
    if locked is None or locked.ledger.iso_week != str(Week.of(now)):
        raise _refusal(listing)
    trust = locked.rule.trust_of(by.account, owner_id=locked.owner_id, at=now)
    vote = Vote(listing=listing, user=by.account, trust=trust, points=locked.rule.weights[trust], created_at=now)
    with connection.cursor() as cursor:
        cursor.execute(_CAST, _values(vote, locked.ledger, Kind.CAST, at=now))
        if cursor.rowcount:
            return True
        # It was there already: take away exactly what it weighed.
        cursor.execute(_TAKE_BACK, [vote.listing_id, vote.user_id])
        vote.trust, vote.points = cursor.fetchone()
        cursor.execute(_WITHDRAW, _values(vote, locked.ledger, Kind.WITHDRAW, at=now))
    return False


def _values(vote: Vote, ledger: VoteLedger, kind: Kind, *, at: datetime) -> dict[str, Any]:
    """Return what the statements write, with the entry that follows the ledger's last one."""
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
    """Why the listing takes no vote, looked up again: the caller may have loaded it a while ago."""
    listing = Listing.objects.only("status", "launch_week").get(pk=listing.pk)
    week = listing.week
    if listing.status != Listing.Status.LIVE or week is None:
        return NotVotable("This listing is not live.")
    if week > current_week():
        return VotingClosed(f"Voting for {week} opens on {moment_text(week.starts_at)}.")
    return VotingClosed(f"Voting for {week} closed on {moment_text(week.ends_at)}.")
