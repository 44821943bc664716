"""Entries of a ledger can be added, never changed or deleted; and what was launched before gets its standing.

Weeks that are over get final standings without a ledger: nobody can prove afterwards how their votes came in. The
current week gets a ledger of the votes that are there. How entries are hashed is written out here, as it was when this
migration was made: later changes of apps/launches/votes/ledger.py must not change what it does.
"""

import hashlib
import hmac
import json
import secrets
from datetime import UTC

from django.db import migrations
from django.utils import timezone

FORBID = """
CREATE FUNCTION launches_refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'entries of a vote ledger are never changed or deleted' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER ledger_entries_stay BEFORE UPDATE OR DELETE ON launches_ledgerentry
    FOR EACH ROW EXECUTE FUNCTION launches_refuse_ledger_change();
"""
ALLOW = """
DROP TRIGGER ledger_entries_stay ON launches_ledgerentry;
DROP FUNCTION launches_refuse_ledger_change();
"""
WHOLE_VOTE = 100


def give_standings(apps, schema_editor):
    Listing = apps.get_model("listings", "Listing")
    Vote = apps.get_model("launches", "Vote")
    weeks = {}
    for listing in Listing.objects.filter(launched_at__isnull=False).exclude(launch_week="").order_by("pk"):
        weeks.setdefault((listing.launch_week, listing.site_id), []).append(listing)
    now = timezone.now()
    year, number, _ = now.astimezone(UTC).isocalendar()
    current = f"{year:04d}-W{number:02d}"
    for (week, site_id), listings in sorted(weeks.items()):
        votes = list(Vote.objects.filter(listing__in=listings).order_by("created_at", "pk"))
        points = dict.fromkeys((listing.pk for listing in listings), 0)
        for vote in votes:
            points[vote.listing_id] += vote.points
        listings.sort(key=lambda listing: (-points[listing.pk], listing.launched_at, listing.pk))
        _stand(apps, listings, points, is_final=week < current)
        if week >= current:
            _open_ledger(apps, site_id, week, listings, votes, now)


def _stand(apps, listings, points, *, is_final):
    Standing = apps.get_model("launches", "Standing")
    standings, rank = [], 0
    for listing in listings:
        is_ranked = is_final and listing.status == "live"
        rank += is_ranked
        standings.append(
            Standing(
                site_id=listing.site_id,
                iso_week=listing.launch_week,
                listing=listing,
                votes=listing.votes,
                points=points[listing.pk],
                launched_at=listing.launched_at,
                rank=rank if is_ranked else None,
                categories=sorted(category.slug for category in listing.categories.all()) if is_final else [],
                is_final=is_final,
            )
        )
    Standing.objects.bulk_create(standings)


def _open_ledger(apps, site_id, week, listings, votes, now):
    LedgerEntry = apps.get_model("launches", "LedgerEntry")
    VoteLedger = apps.get_model("launches", "VoteLedger")
    Site = apps.get_model("sites", "Site")
    site = Site.objects.get(pk=site_id)
    salt = secrets.token_hex(32)
    weights = {"owner": 0, "new": site.vote_new_account_percent, "settled": WHOLE_VOTE}
    rule = {"new_account_days": site.vote_new_account_days, "weights": weights}
    facts = [("open", now, {"version": 1, "site": site.key, "week": week, "rule": rule, "previous": None})]
    for listing in sorted(listings, key=lambda listing: (listing.launched_at, listing.pk)):
        launched_at = listing.launched_at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"
        facts.append(("launch", now, {"listing": listing.pk, "slug": listing.slug, "launched_at": launched_at}))
    for vote in votes:
        person = f"{vote.listing_id}:{vote.user_id}" if vote.user_id else f"{vote.listing_id}:vote {vote.pk}"
        voter = hmac.new(bytes.fromhex(salt), person.encode(), hashlib.sha256).hexdigest()
        cast = {"listing": vote.listing_id, "voter": voter, "trust": vote.trust, "points": vote.points}
        facts.append(("cast", vote.created_at, cast))
    ledger = VoteLedger.objects.create(site=site, iso_week=week, salt=salt)
    entries, head = [], ""
    for entry_number, (kind, at, more) in enumerate(facts, start=1):
        moment = at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"
        body = {"number": entry_number, "kind": kind, "at": moment, **more}
        text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        head = hashlib.sha256((head + text).encode()).hexdigest()
        entries.append(LedgerEntry(ledger=ledger, number=entry_number, kind=kind, body=body, hash=head))
    LedgerEntry.objects.bulk_create(entries, batch_size=2000)
    ledger.head, ledger.length = head, len(entries)
    ledger.save()


class Migration(migrations.Migration):

    dependencies = [
        ('launches', '0002_standings_and_ledgers'),
    ]

    operations = [
        migrations.RunSQL(FORBID, ALLOW),
        migrations.RunPython(give_standings, migrations.RunPython.noop),
    ]
