"""What the event log costs: checkouts and votes a second with it, as a ratio of those without it.

Both alternate in each round, on the same connection and listing; the medians of the rounds' ratios count.

usage: python -m tests.benchmarks.events [--calls 40] [--rounds 9]
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.benchmarks.database import empty_database


def measure(options: argparse.Namespace) -> dict[str, float]:
    """Return the median ratio of each kind of call."""
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
        "checkouts": _ratio(check_out, options),
        "votes": _ratio(vote, options),
    }


def _ratio(call: Callable[[], object], options: argparse.Namespace) -> float:
    call()
    ratios = []
    for _ in range(options.rounds):
        with _no_events():
            without = _rate(call, options.calls)
        ratios.append(_rate(call, options.calls) / without)
    return statistics.median(ratios)


def _rate(call: Callable[[], object], calls: int) -> float:
    began = time.perf_counter()
    for _ in range(calls):
        call()
    return calls / (time.perf_counter() - began)


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
    parser.add_argument("--calls", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    with empty_database():
        for name, ratio in measure(options).items():
            sys.stdout.write(f"{name}: {ratio:.2f} of those without events\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
