"""The vote ledger: one chain of entries per site and launch week, which the database refuses to change.

The `hash` of an entry is the SHA-256, in hex, of the previous hash (nothing before the first entry) followed by the
canonical JSON of its body: sorted keys, no spaces, non-ASCII characters escaped, integers as the only numbers. Every
body has `number` (from 1, without gaps), `kind` and `at` (UTC, to the second). Each kind adds:

open      version (1), site (its key), week, rule {new_account_days, young_account_days, weights by class, shares and
          review by kind of group}, previous: {week, hash} of the site's last closed ledger, or null
launch    listing (its id), slug, launched_at (UTC, to the microsecond: it decides between equal points)
cast      listing, voter, trust, groups {kind: name}, points, state (counted or held: held points don't count yet)
withdraw  listing, voter, trust, points, as in the vote that it takes back
decide    listing, state (counted or dismissed), votes (how many, all that are held), reason
leave     listing: it was not live when the week closed, so it has no rank
close     results [{rank, listing, votes, points, categories}], first rank first

`voter` is the HMAC-SHA256, in hex, of 'listing id:user id' under the ledger's salt. It is the same for all of a
person's votes for one listing, and different for each listing. `trust` and `groups` give the weight (weights.py). The
name of a group is a digest under the same salt, the same for its members' votes for one listing, and different for each
listing. The salt is deleted at the close, with all that votes had in common.

Locks are taken in this order, to avoid deadlocks:

1. the listing, which every command on a listing locks first
2. the row of the launch week, where spots are assigned
3. ledgers, earlier weeks first: only the holder changes the entries, standings and votes of a week
4. standings and votes: only the holder of their ledger writes them, so nobody waits for them

A vote shares the listing's lock with other votes (FOR KEY SHARE) and with copying votes for search. It waits for a
running suspension or edit, and has to do so before it locks the ledger. Otherwise the foreign key of its row would wait
at the commit, and every other vote of the site with it.

The close first locks the listings of its week, in a mode that doesn't block votes. Archiving or suspending a listing
holds its lock and then changes its standing by a trigger, so that it happens completely before or after the close.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.utils import CursorWrapper
from django.utils import timezone

from apps.accounts.models import User
from apps.core.text.weeks import Week
from apps.launches.models import LedgerEntry, Vote, VoteLedger
from apps.launches.votes.weights import Rule, Voter
from apps.sites.models import Site

if TYPE_CHECKING:
    from apps.core.stores.postgresql.base import DatabaseWrapper

VERSION = 1
# Enough to tell the groups of a week apart.
_GROUP_NAME_LENGTH = 16

Kind = LedgerEntry.Kind

# The listing is locked first, then the ledger. The rule is in the first entry, which never changes. A single join would
# take PostgreSQL twice as long, mostly for planning.
_LOCK_FOR_VOTE = """
    WITH listing AS (
        SELECT site_id, launch_week, company_id FROM listings_listing WHERE id = %(listing)s AND status = 'live'
        FOR KEY SHARE
    )
    SELECT id, iso_week, salt, head, length,
        (SELECT body FROM launches_ledgerentry WHERE ledger_id = ledger.id AND number = 1),
        (SELECT owner_id FROM listings_company WHERE id = (SELECT company_id FROM listing)),
        EXISTS (SELECT FROM socialaccount_socialaccount WHERE user_id = %(user)s)
            OR EXISTS (SELECT FROM mfa_authenticator WHERE user_id = %(user)s AND type = 'webauthn'),
        EXISTS (
            SELECT FROM listings_listing l JOIN listings_company c ON c.id = l.company_id
            WHERE c.owner_id = %(user)s AND l.launched_at IS NOT NULL AND l.status <> 'suspended'
        ),
        EXISTS (
            SELECT FROM launches_vote WHERE user_id = %(user)s AND created_at < %(week)s AND state <> 'dismissed'
        )
    FROM launches_voteledger ledger
    WHERE closed_at IS NULL AND (site_id, iso_week) = (SELECT site_id, launch_week FROM listing)
    FOR UPDATE"""


@dataclass(frozen=True, slots=True)
class LockedLedger:
    """An open ledger, locked until the transaction ends, with the facts for one person's vote on one listing."""

    ledger: VoteLedger
    rule: Rule
    owner_id: int
    voter: Voter


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


def prepared_cursor() -> CursorWrapper:
    """Return a cursor of the primary database whose statements are planned once on a connection."""
    return cast("DatabaseWrapper", connections[DEFAULT_DB_ALIAS]).prepared_cursor()


def lock_for_vote(*, listing_id: int, user: User, network: str = "") -> LockedLedger | None:
    """Lock and return a live listing's open ledger, or None if the listing isn't live or the ledger is closed."""
    values: dict[str, Any] = {"listing": listing_id, "user": user.pk, "week": Week.of(timezone.now()).starts_at}
    with prepared_cursor() as cursor:
        cursor.execute(_LOCK_FOR_VOTE, values)
        row = cursor.fetchone()
    if row is None:
        return None
    pk, week, salt, head, length, opened, owner_id, *facts = row
    ledger = VoteLedger(pk=pk, iso_week=week, salt=salt, head=head, length=length)
    return LockedLedger(ledger, Rule.of_body(json.loads(opened)), owner_id, Voter(user, network, *facts))


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


def vote_facts(ledger: VoteLedger, vote: Vote, kind: LedgerEntry.Kind) -> dict[str, Any]:
    """Return the facts of a vote for its `cast` or `withdraw` entry."""
    if vote.user_id is None:
        raise ValueError("the vote of a deleted account can't change")
    facts = {
        "listing": vote.listing_id,
        "voter": voter(ledger, listing_id=vote.listing_id, user_id=vote.user_id),
        "trust": str(vote.trust),
        "points": vote.points,
    }
    if kind == Kind.CAST:
        facts["state"] = str(vote.state)
        facts["groups"] = {sign: _published(ledger, name) for sign, name in vote.groups.items()}
    return facts


def _published(ledger: VoteLedger, name: str) -> str:
    return hmac.new(bytes.fromhex(ledger.salt), name.encode(), hashlib.sha256).hexdigest()[:_GROUP_NAME_LENGTH]


def _previous(ledger: VoteLedger) -> dict[str, str] | None:
    before = (
        VoteLedger.objects.filter(site=ledger.site_id, iso_week__lt=ledger.iso_week, closed_at__isnull=False)
        .order_by("-iso_week")
        .first()
    )
    return {"week": before.iso_week, "hash": before.head} if before else None
