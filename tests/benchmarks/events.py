"""What the event log costs: checkouts and votes a second with it and without it, on the same connection and listing.

Each call with events is followed by one without, or comes after it in every other round. What counts is the processor
time of this process and of its server process, which other work on the machine hardly changes.

usage: python -m tests.benchmarks.events [--calls 400]
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from tests.benchmarks.database import empty_database


def measure(options: argparse.Namespace) -> dict[str, tuple[float, float]]:
    """Return how many calls a processor second there are of each kind, with events and without."""
    from apps.accounts.actors import Actor
    from apps.launches.votes.voting import toggle_vote
    from apps.orders.checkout.create import create_checkout
    from apps.orders.checkout.quote import QuoteRequest
    from tests.actors import in_browser
    from tests.factories import ListingFactory, UserFactory

    listing = ListingFactory.create(live=True)
    owner = Actor(user=listing.company.owner, via="browser")
    voter = in_browser(UserFactory.create())
    cart = QuoteRequest(items=[{"listing_id": listing.pk, "product": "section_faq"}])

    def check_out() -> None:
        create_checkout(cart, site=listing.site, by=owner, address="127.0.0.1")

    def vote() -> None:
        toggle_vote(listing=listing, by=voter)

    return {
        "checkouts": _rates(check_out, options.calls),
        "votes": _rates(vote, options.calls),
    }


def _rates(call: Callable[[], object], calls: int) -> tuple[float, float]:
    seconds = {True: 0.0, False: 0.0}
    call()
    for number in range(calls):
        for has_events in (number % 2 == 0, number % 2 == 1):
            with nullcontext() if has_events else _no_events():
                began = _processor_seconds()
                call()
                seconds[has_events] += _processor_seconds() - began
    return calls / seconds[True], calls / seconds[False]


def _processor_seconds() -> float:
    from django.db import connection

    connection.ensure_connection()
    server = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat").read_text(encoding="ascii")
    return time.process_time() + int(server.split()[0]) / 1e9


@contextmanager
def _no_events() -> Iterator[None]:
    from apps.core.states import moved
    from apps.events.recording import follow_states

    moved.disconnect(dispatch_uid="apps.events")
    try:
        yield
    finally:
        follow_states()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=400)
    options = parser.parse_args()
    with empty_database():
        for name, (rate, without) in measure(options).items():
            told = f"{rate:.0f} a processor second, {without:.0f} without events: {rate / without:.2f} of them"
            sys.stdout.write(f"{name}: {told}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
