"""Whether everything that was acknowledged beside orders is in the database, once."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import LiteralString

from tests.email_server import EmailServer
from tests.faults.load import Acknowledged
from tests.faults.shop import Shop
from tests.running import PROJECT

# Answers that no outage excuses.
_BROKEN = ("500", "404", "403", "400")
_WAITING: dict[str, LiteralString] = {
    "drafts not ended": "SELECT count(*) FROM drafts_draft WHERE status IN ('crawling', 'drafting')",
    "emails not sent": "SELECT count(*) FROM core_outgoingemail WHERE sent_at IS NULL AND failed_at IS NULL",
    "votes not counted for listings": """SELECT count(*) FROM listings_listing l JOIN launches_standing s
        ON s.listing_id = l.id WHERE l.votes <> s.votes""",
}
_FAULTS: dict[str, LiteralString] = {
    "emails given up": "SELECT count(*) FROM core_outgoingemail WHERE failed_at IS NOT NULL",
    "ledgers with a gap": """SELECT count(*) FROM launches_voteledger g WHERE length <>
        (SELECT count(*) FROM launches_ledgerentry e WHERE e.ledger_id = g.id)""",
    "weeks with more paid launches than spots": """SELECT count(*) FROM launches_launchweek w WHERE paid_places <
        (SELECT count(*) FROM listings_listing l
         WHERE l.site_id = w.site_id AND l.launch_week = w.iso_week AND l.plan = 'paid')""",
}


class Written:
    """What was acknowledged, held against the database and the email server."""

    def __init__(self, shop: Shop, done: Acknowledged, emails: EmailServer | None = None) -> None:
        self._shop, self._done, self._emails = shop, done, emails

    def is_settled(self) -> bool:
        return not any(self._shop.counts(_WAITING).values())

    def outcome(self) -> dict[str, int]:
        done = self._done
        return {
            "milestones acknowledged": len(done.milestones),
            "updates acknowledged": len(done.updates),
            "headlines acknowledged": len(done.headlines),
            "stories acknowledged": len(done.stories),
            "votes acknowledged": len(done.votes),
            "drafts acknowledged": len(done.drafts),
            "emails sent": len(self._emails.messages) if self._emails else 0,
            "emails repeated after a kill": self._repeated(),
            **dict(sorted(done.reads.items())),
        }

    def faults(self) -> dict[str, int]:
        """How often each thing went wrong; all of them should be 0."""
        done = self._done
        milestones = self._found("SELECT title FROM listings_milestone")
        updates = self._found("SELECT title FROM listings_update")
        votes = Counter(
            self._shop.sql(
                "SELECT v.user_id, l.slug FROM launches_vote v JOIN listings_listing l ON l.id = v.listing_id"
            )
        )
        headlines = dict(self._shop.sql("SELECT id, headline FROM listings_listing"))
        stories = dict(self._shop.sql("SELECT listing_id, title FROM stories_founderstory"))
        drafts = {pk for [pk] in self._shop.sql("SELECT id FROM drafts_draft")}
        return {
            "milestones lost": _missing(done.milestones, milestones),
            "milestones twice": _doubled(done.milestones, milestones),
            "updates lost": _missing(done.updates, updates),
            "updates twice": _doubled(done.updates, updates),
            "headlines lost": sum(headlines.get(pk) != text for pk, text in done.headlines.items()),
            "stories lost": sum(stories.get(pk) != text for pk, text in done.stories.items()),
            "votes lost": sum(not votes[account, slug] for account, slug in done.votes),
            "standings that count other than the votes": self._miscounted(),
            "drafts lost": len(set(done.drafts) - drafts),
            "reads that broke": sum(done.reads[f"{what}: {code}"] for what in ("read", "vote") for code in _BROKEN),
            "ledgers that the public script refuses": self._refused_ledgers(),
            **self._shop.counts(_WAITING),
            **self._shop.counts(_FAULTS),
        }

    def _miscounted(self) -> int:
        """Of the load's listings: those of the demo begin with votes that nobody cast."""
        query: LiteralString = """SELECT count(*)
            FROM launches_standing s JOIN listings_listing l ON l.id = s.listing_id
            WHERE l.slug = ANY (%s) AND s.votes <> (SELECT count(*) FROM launches_vote v WHERE v.listing_id = l.id)"""
        return int(self._shop.one(query, self._done.slugs))

    def _found(self, query: LiteralString) -> Counter[str]:
        return Counter(title for [title] in self._shop.sql(query))

    def _repeated(self) -> int:
        """Emails that the server got oftener than there are rows: a worker died before it could mark them."""
        if self._emails is None:
            return 0
        got = Counter((message["To"], message["Subject"]) for message in self._emails.messages)
        rows = Counter(self._shop.sql('SELECT "to", subject FROM core_outgoingemail'))
        return sum(max(0, count - rows[what]) for what, count in got.items() if what in rows)

    def _refused_ledgers(self) -> int:
        weeks = self._shop.sql(
            "SELECT g.iso_week FROM launches_voteledger g JOIN sites_site t ON t.id = g.site_id AND t.is_default"
        )
        return sum(not self._verifies(week) for [week] in weeks)

    def _verifies(self, week: str) -> bool:
        ledger = self._shop.pages.get(f"{self._shop.base_url}/ledgers/{week}.jsonl").raise_for_status()
        command = [sys.executable, "-I", str(Path(PROJECT, "static", "verify_board.py")), "/dev/stdin"]
        return subprocess.run(command, input=ledger.content, capture_output=True, check=False).returncode == 0


def _missing(acknowledged: Iterable[str], found: Counter[str]) -> int:
    return sum(not found[title] for title in acknowledged)


def _doubled(acknowledged: Iterable[str], found: Counter[str]) -> int:
    return sum(found[title] > 1 for title in acknowledged)
