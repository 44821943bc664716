"""A week of votes through the real services, its ledger as a file, and the script that checks it."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import orjson
import time_machine
from django.conf import settings
from django.test import Client
from django.utils import timezone

from apps.accounts.crowds import BURST_MINUTES
from apps.accounts.models import User
from apps.core.text.weeks import Week
from apps.launches.votes.rankings import close_boards
from apps.launches.votes.voting import toggle_vote
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.actors import in_browser
from tests.factories import CategoryFactory, ListingFactory, UserFactory

WEEK = Week.parse("2026-W40")
_numbers = count()
SCRIPT = Path(settings.BASE_DIR, "static", "verify_board.py")


@contextmanager
def moment(week: Week = WEEK, *, hours: float = 12) -> Iterator[None]:
    """That many hours after the week's beginning."""
    with time_machine.travel(week.starts_at + timedelta(hours=hours), tick=False):
        yield


def person(*, days_old: int = 20, email: str = "") -> User:
    """An account that has its weight for itself; the rule sees one of less than seven days as new."""
    number = next(_numbers)
    # No two of a test joined in one burst.
    joined_at = timezone.now() - timedelta(days=days_old, minutes=number % 50 * BURST_MINUTES)
    user: User = UserFactory.create(email=email or f"voter{number}@gmail.com", joined_at=joined_at)
    return user


def play_week(site: Site, week: Week = WEEK) -> list[Listing]:
    """Three launches, eight votes, one of them taken back, one listing withdrawn; the week is closed at the end.

    Ranks: the third listing with 300 points, the first with 250, the second has left with 200.
    """
    with moment(week):
        first, second, third = (ListingFactory.create(live=True, site=site) for _ in range(3))
        first.categories.add(CategoryFactory.create(site=site))
        people = [person() for _ in range(4)]
    with moment(week, hours=20):
        for voter in people[:2]:
            for listing in (first, second, third):
                toggle_vote(listing=listing, by=in_browser(voter))
        toggle_vote(listing=first, by=in_browser(person(days_old=2)))
        toggle_vote(listing=third, by=in_browser(third.company.owner))
    with moment(week, hours=30):
        toggle_vote(listing=third, by=in_browser(people[2]))
        toggle_vote(listing=second, by=in_browser(people[3]))
        toggle_vote(listing=second, by=in_browser(people[3]))
        Listing.objects.filter(pk=second.pk).update(status=Listing.Status.ARCHIVED)
    with moment(week + 1, hours=0):
        close_boards()
    return [first, second, third]


def download(site: Site, week: Week = WEEK) -> bytes:
    """The ledger as the site gives it out."""
    answer = Client().get(f"/ledgers/{week}.jsonl", headers={"Host": site.host})
    assert answer.status_code == 200
    return b"".join(answer)


def entries_of(text: bytes) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in text.splitlines()]


def verify(folder: Path, ledger: bytes, *options: str, **files: bytes) -> tuple[int, str]:
    """Run the script as anybody would, alone and isolated; `files` become options that name them."""
    path = folder / "ledger.jsonl"
    path.write_bytes(ledger)
    words = list(options)
    for name, content in files.items():
        (folder / name).write_bytes(content)
        words += [f"--{name}", str(folder / name)]
    done = subprocess.run(
        [sys.executable, "-I", str(SCRIPT), str(path), *words], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stderr == ""
    return done.returncode, done.stdout
