"""Voting in the browser: one vote per person and listing, in its launch week, and taking it back."""

from datetime import datetime

from django.db import connection, transaction
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.core.errors import Conflict
from apps.core.templatetags.ui import moment_text
from apps.core.weeks import Week
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.models import LedgerEntry, Vote, VoteLedger
from apps.launches.votes import ledger as ledgers
from apps.listings.models import Listing

Kind = LedgerEntry.Kind

# Votes of a site's week come one after the other, so every statement is one that the next person waits for.
_CAST = """
    INSERT INTO launches_vote (listing_id, user_id, trust, points, created_at)
    VALUES (%s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"""
_TAKE_BACK = "DELETE FROM launches_vote WHERE listing_id = %s AND user_id = %s RETURNING trust, points"
_COUNT = """
    WITH counted AS (
        UPDATE launches_standing SET votes = votes + %(people)s, points = points + %(points)s
        WHERE listing_id = %(listing)s
    ), noted AS (
        INSERT INTO launches_ledgerentry (ledger_id, number, kind, body, hash)
        VALUES (%(ledger)s, %(length)s, %(kind)s, %(body)s, %(head)s)
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
    is_cast = _toggle(vote)
    _count(vote, locked.ledger, is_cast=is_cast, at=now)
    return is_cast


def _toggle(vote: Vote) -> bool:
    """Save the vote, or delete the one that is there; then `vote` is given what that one had."""
    with connection.cursor() as cursor:
        cursor.execute(_CAST, [vote.listing_id, vote.user_id, vote.trust, vote.points, vote.created_at])
        if cursor.rowcount:
            return True
        cursor.execute(_TAKE_BACK, [vote.listing_id, vote.user_id])
        vote.trust, vote.points = cursor.fetchone()
    return False


def _count(vote: Vote, ledger: VoteLedger, *, is_cast: bool, at: datetime) -> None:
    """Add the vote to the standing, or take exactly what it weighed away, and note it in the ledger."""
    kind, sign = (Kind.CAST, 1) if is_cast else (Kind.WITHDRAW, -1)
    entry = ledgers.next_entry(ledger, kind, ledgers.vote_facts(ledger, vote), at=at)
    values: dict[str, str | int] = {
        "listing": vote.listing_id,
        "people": sign,
        "points": sign * vote.points,
        "ledger": ledger.pk,
        "length": entry.number,
        "kind": kind.value,
        "body": ledgers.canonical(entry.body),
        "head": entry.hash,
    }
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, values)


def _refusal(listing: Listing) -> NotVotable | VotingClosed:
    """Why the listing takes no vote, looked up again: the caller may have loaded it a while ago."""
    listing = Listing.objects.only("status", "launch_week").get(pk=listing.pk)
    week = listing.week
    if listing.status != Listing.Status.LIVE or week is None:
        return NotVotable("This listing is not live.")
    if week > current_week():
        return VotingClosed(f"Voting for {week} opens on {moment_text(week.starts_at)}.")
    return VotingClosed(f"Voting for {week} closed on {moment_text(week.ends_at)}.")
