"""What accounts that one person made weigh on a leaderboard, beside honest people and an office behind one address.

Fills a throwaway database with a launch for each crowd, lets the crowd vote by the service on the week's last evening,
closes the week, and recounts the published ledger with static/verify_board.py. Ends with 1 if a crowd with a bound is
out of it or the ledger does not recount.

usage: python -m tests.community.sybil
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import time_machine

from apps.core.text.weeks import Week
from tests.benchmarks.database import empty_database

if TYPE_CHECKING:
    from apps.accounts.models import User
    from apps.launches.models import Standing
    from apps.listings.models import Listing

WEEK = Week.parse("2026-W40")
EVENING = WEEK.starts_at + timedelta(days=6, hours=20)
PROJECT = Path(__file__).resolve().parents[2]
PROVIDERS = ("gmail.com", "outlook.com", "icloud.com", "proton.me")


@dataclass(frozen=True, slots=True)
class Person:
    """An account, the address it votes from, and whether it voted in an earlier week."""

    email: str
    joined_at: datetime
    address: str
    is_regular: bool = False


@dataclass(frozen=True, slots=True)
class Crowd:
    """People who vote for one listing, and the share of whole votes that they may weigh together."""

    name: str
    people: list[Person]
    bound: Callable[[float], bool] = field(default=lambda _: True)
    wanted: str = ""


def own_address(number: int) -> str:
    """An address in a /24 of its own."""
    return f"{20 + number // 200}.{number % 200}.7.{1 + number % 250}"


def within_days(number: int, of: int, *, days: float, before: float = 0) -> datetime:
    """Moments spread evenly over some days, which ended `before` days ago."""
    return EVENING - timedelta(days=before + days * (1 - number / of), minutes=1)


def of_provider(name: str, number: int) -> str:
    return f"{name}{number}@{PROVIDERS[number % len(PROVIDERS)]}"


def crowds() -> list[Crowd]:
    two_domains = ("catch-all.example.net", "mailboxes.example.org")
    sybil = [
        Person(f"a{n}@{two_domains[n % 2]}", within_days(n, 300, days=8), f"203.0.113.{1 + n % 3}") for n in range(300)
    ]
    three_networks = [
        Person(f"b{n}@{two_domains[n % 2]}", within_days(n, 300, days=8), f"198.51.{n % 3}.9") for n in range(300)
    ]
    # A crowd that votes for a competitor, to use up the first votes that count in full.
    flooded = [
        *[Person(f"g{person.email}", person.joined_at, person.address) for person in three_networks],
        *[Person(of_provider("h", n), within_days(n, 40, days=20, before=8), own_address(n)) for n in range(40)],
    ]
    honest = [
        Person(
            f"own@person{n}.dev" if n % 8 == 7 else of_provider("honest", n),
            within_days(n, 40, days=380, before=9),
            own_address(n),
            is_regular=n % 4 > 0,
        )
        for n in range(40)
    ]
    office = [
        Person(f"c{n}@office.dev", within_days(n, 25, days=360, before=35), "192.0.2.14", is_regular=n % 2 == 0)
        for n in range(25)
    ]
    proxies = [Person(f"d{n}@catch-all.dev", within_days(n, 300, days=8), own_address(n)) for n in range(300)]
    bought = [
        Person(of_provider("e", n), within_days(n, 300, days=300, before=365), own_address(n)) for n in range(300)
    ]
    mailboxes = [Person(of_provider("f", n), within_days(n, 300, days=8), own_address(n)) for n in range(300)]
    return [
        Crowd("300 accounts, 3 addresses, 2 domains, 8 days", sybil, lambda votes: votes <= 10, "<= 10"),
        Crowd("the same from 3 networks", three_networks, lambda votes: votes <= 10, "<= 10"),
        Crowd("40 newcomers after the same 300", flooded, lambda votes: votes >= 30, ">= 30"),
        Crowd("40 honest people, 40 addresses", honest, lambda votes: votes >= 38, ">= 38"),
        Crowd("25 colleagues, 1 address, 1 domain", office, lambda votes: votes >= 7.5, ">= 7.5"),
        Crowd("300 residential proxies, 1 domain, 8 days", proxies, lambda votes: votes <= 10, "<= 10"),
        Crowd("300 bought accounts, 1 to 2 years old", bought),
        Crowd("300 mailboxes of large providers, proxies", mailboxes),
    ]


def make_accounts(people: Iterable[Person]) -> "list[User]":
    from apps.accounts.models import User

    return User.objects.bulk_create(
        User(email=person.email, password="!", joined_at=person.joined_at) for person in people
    )


def vote(user: "User", person: Person, listing: Any) -> None:
    from apps.launches.votes.voting import toggle_vote
    from tests.actors import in_browser

    toggle_vote(listing=listing, by=in_browser(user), network=person.address.rpartition(".")[0])


def play(crowd_list: list[Crowd]) -> "list[Listing]":
    """Let the crowds vote, and return their listings."""
    from tests.factories import ListingFactory

    with time_machine.travel(WEEK.starts_at - timedelta(days=6), tick=False):
        earlier = ListingFactory.create(live=True)
    with time_machine.travel(WEEK.starts_at - timedelta(days=1), tick=False):
        accounts = [make_accounts(crowd.people) for crowd in crowd_list]
        for crowd, users in zip(crowd_list, accounts, strict=True):
            for person, user in zip(crowd.people, users, strict=True):
                if person.is_regular:
                    vote(user, person, earlier)
    with time_machine.travel(WEEK.starts_at, tick=False):
        listings = [ListingFactory.create(live=True) for _ in crowd_list]
    with time_machine.travel(EVENING, tick=False):
        for crowd, users, listing in zip(crowd_list, accounts, listings, strict=True):
            for person, user in zip(crowd.people, users, strict=True):
                vote(user, person, listing)
    return listings


def standing_of(listing: "Listing") -> "Standing":
    from apps.launches.models import Standing

    return Standing.objects.get(listing=listing)


def recount() -> tuple[bool, str]:
    """Close the week and run the published script on its ledger."""
    from django.conf import settings
    from django.test import Client

    from apps.launches.votes.rankings import close_boards
    from apps.sites.models import Site

    with time_machine.travel((WEEK + 1).starts_at, tick=False):
        close_boards()
        settings.ALLOWED_HOSTS = ["*"]
        answer = Client().get(f"/ledgers/{WEEK}.jsonl", headers={"Host": Site.objects.get(is_default=True).host})
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(b"".join(answer))
        file.flush()
        command = [sys.executable, "-I", str(PROJECT / "static/verify_board.py"), file.name]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)  # noqa: S603 - our own script
    return done.returncode == 0, done.stdout.splitlines()[-1] if done.stdout else done.stderr


def main() -> int:
    with empty_database():
        crowd_list = crowds()
        listings = play(crowd_list)
        before = [standing_of(listing) for listing in listings]
        recounts, said = recount()
        after = [standing_of(listing) for listing in listings]
    failed = not recounts
    for crowd, opened, closed in zip(crowd_list, before, after, strict=True):
        votes = closed.points / 100
        fits = crowd.bound(votes)
        failed |= not fits
        verdict = f"{crowd.wanted:8}{'' if fits else 'NOT MET'}" if crowd.wanted else "no bound"
        weight = f"weigh {votes:6.2f} votes, {opened.points / 100:6.2f} without the {opened.held:3} under review"
        sys.stdout.write(f"{crowd.name:44}{closed.votes:4} people {weight}   {verdict}\n")
    sys.stdout.write(f"{said}\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
