"""The ledger of votes: one chain of entries for each site and launch week, which the database refuses to change.

`hash` of an entry is SHA-256, in hex, over the hash before it (nothing before the first) followed by the canonical JSON
of its body. Canonical JSON: keys sorted, no spaces, everything beyond ASCII escaped, and no numbers but integers. Every
body has `number` (from 1, without gaps), `kind` and `at` (UTC, to the second). What else it holds:

open      version (1), site (its key), week, rule {new_account_days, weights {owner, new, settled}}, previous: {week,
          hash} of the site's ledger before this one, which is closed by then, or null
launch    listing (its id), slug, launched_at (UTC, to the microsecond: it decides between equal points)
cast      listing, voter, trust, points
withdraw  listing, voter, trust, points: what the cast that it takes back had
leave     listing: it was not live when the week closed, so it has no rank
close     results [{rank, listing, votes, points, categories}], first rank first

`voter` is HMAC-SHA256, in hex, of 'listing id:user id' under the ledger's salt: one person's cast and withdrawal of one
listing have the same name, votes of one person for two listings have not. The salt is forgotten at the close.

Locks are taken in this order, so that nothing waits in a circle:

1. the listing, with which every command on a listing begins;
2. the row of the launch week, where places are given away;
3. ledgers, the earlier week first: its holder alone has its entries, and the standings and votes of its week;
4. standings and votes: written only by who holds their ledger, so there is nobody to wait for.

A vote shares the listing's lock with other votes (FOR KEY SHARE) and with the copying of votes for searches. It waits
for a suspension or an edit that is under way, and it must do so before it has the ledger. Otherwise the foreign key of
its row would wait at the commit, and every other vote of the site with it.

The close takes the listings of its week first, in a strength that votes do not wait for. Archiving or
suspending one of them holds its lock and then changes its standing, by a trigger: each comes completely before the
close, or after it.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.utils import timezone

from apps.core.weeks import Week
from apps.launches.models import LedgerEntry, Vote, VoteLedger
from apps.launches.votes.weights import Rule
from apps.sites.models import Site

VERSION = 1

Kind = LedgerEntry.Kind

# The listing is locked first, then the ledger. The rule is in the first entry, which never changes. A single join would
# take PostgreSQL twice as long, mostly for planning.
_LOCK_FOR_VOTE = """
    WITH listing AS (
        SELECT site_id, launch_week, company_id FROM listings_listing WHERE id = %s AND status = 'live' FOR KEY SHARE
    )
    SELECT id, iso_week, salt, head, length,
        (SELECT body FROM launches_ledgerentry WHERE ledger_id = ledger.id AND number = 1),
        (SELECT owner_id FROM listings_company WHERE id = (SELECT company_id FROM listing))
    FROM launches_voteledger ledger
    WHERE closed_at IS NULL AND (site_id, iso_week) = (SELECT site_id, launch_week FROM listing)
    FOR UPDATE"""


@dataclass(frozen=True, slots=True)
class LockedLedger:
    """An open ledger, locked until the transaction ends, with the facts for a vote on one listing."""

    ledger: VoteLedger
    rule: Rule
    owner_id: int


def canonical(value: object) -> str:
    """Return a body as canonical JSON, so that everyone hashes the same characters."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def chained(before: str, body: dict[str, Any]) -> str:
    """Return the hash of an entry that follows the hash `before`."""
    return hashlib.sha256((before + canonical(body)).encode()).hexdigest()


def seconds(moment: datetime) -> str:
    """Format a time as `2026-11-16T00:00:40Z`."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def microseconds(moment: datetime) -> str:
    """Format a time as `2026-11-16T00:00:40.000001Z`."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def lock_for_vote(*, listing_id: int) -> LockedLedger | None:
    """Lock and return a live listing's open ledger, or None if the listing isn't live or the ledger is closed."""
    with connection.cursor() as cursor:
        cursor.execute(_LOCK_FOR_VOTE, [listing_id])
        row = cursor.fetchone()
    if row is None:
        return None
    pk, week, salt, head, length, opened, owner_id = row
    ledger = VoteLedger(pk=pk, iso_week=week, salt=salt, head=head, length=length)
    return LockedLedger(ledger, Rule.of_body(json.loads(opened)), owner_id)


def lock_or_open(*, site: Site, week: Week, at: datetime | None = None) -> VoteLedger:
    """Lock and return the week's ledger. The week's first launch opens it with the current rule.

    The site's earlier ledgers should be closed by then, because the `open` entry stores the last closed hash.
    """
    VoteLedger.objects.bulk_create([VoteLedger(site=site, iso_week=str(week))], ignore_conflicts=True)
    ledger = VoteLedger.objects.select_for_update().get(site=site, iso_week=str(week))
    if not ledger.length:
        ledger.salt = secrets.token_hex(32)
        facts = {
            "version": VERSION,
            "site": site.key,
            "week": str(week),
            "rule": Rule.of_site(site).body,
            "previous": _previous(ledger),
        }
        append(ledger, Kind.OPEN, facts, at=at)
    return ledger


def append(ledger: VoteLedger, kind: Kind, facts: dict[str, Any], *, at: datetime | None = None) -> None:
    """Append an entry. The caller must hold the ledger's lock."""
    append_all(ledger, [(kind, facts, at or timezone.now())])


def append_all(ledger: VoteLedger, entries: Iterable[tuple[Kind, dict[str, Any], datetime]]) -> None:
    """Append entries in this order. The caller must hold the ledger's lock. Always two queries."""
    added = []
    for kind, facts, moment in entries:
        added.append(next_entry(ledger, kind, facts, at=moment))
        ledger.length, ledger.head = added[-1].number, added[-1].hash
    LedgerEntry.objects.bulk_create(added, batch_size=2000)
    ledger.save()


def next_entry(ledger: VoteLedger, kind: Kind, facts: dict[str, Any], *, at: datetime) -> LedgerEntry:
    """Build the entry after the ledger's last one. The caller saves it together with the ledger's new end."""
    number = ledger.length + 1
    body = {"number": number, "kind": kind.value, "at": seconds(at), **facts}
    return LedgerEntry(ledger=ledger, number=number, kind=kind, body=body, hash=chained(ledger.head, body))


def rule_of(ledger: VoteLedger) -> Rule:
    """Return the rule of the ledger's week."""
    return Rule.of_body(LedgerEntry.objects.get(ledger=ledger, number=1).body)


def voter(ledger: VoteLedger, *, listing_id: int, user_id: int) -> str:
    """Return a person's pseudonym in this ledger for votes on one listing. Raises ValueError once the salt is gone."""
    if not ledger.salt:
        raise ValueError("the salt of a closed ledger is forgotten")
    return hmac.new(bytes.fromhex(ledger.salt), f"{listing_id}:{user_id}".encode(), hashlib.sha256).hexdigest()


def vote_facts(ledger: VoteLedger, vote: Vote) -> dict[str, Any]:
    """Return the facts of a vote for its `cast` or `withdraw` entry."""
    if vote.user_id is None:
        raise ValueError("the vote of a deleted account can't change")
    return {
        "listing": vote.listing_id,
        "voter": voter(ledger, listing_id=vote.listing_id, user_id=vote.user_id),
        "trust": str(vote.trust),
        "points": vote.points,
    }


def _previous(ledger: VoteLedger) -> dict[str, str] | None:
    before = (
        VoteLedger.objects.filter(site=ledger.site_id, iso_week__lt=ledger.iso_week, closed_at__isnull=False)
        .order_by("-iso_week")
        .first()
    )
    return {"week": before.iso_week, "hash": before.head} if before else None
