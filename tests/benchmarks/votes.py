"""How many votes a second, as a ratio of a bare insert of the vote's row on the same connection.

Fills a throwaway database with one launch and its voters. In each round the same people vote by the service, one after
the other, and then their rows are inserted and committed without anything around them; the medians of the rounds count.
With --threads the votes come  in parallel instead, for one listing: the ledger takes them one after the other.

usage: python -m tests.benchmarks.votes [--votes 200] [--rounds 5] [--threads 1]
"""

import argparse
import statistics
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from tests.benchmarks.database import empty_database


def measure(options: argparse.Namespace) -> tuple[float, float]:
    """Median votes a second: by the service, and bare."""
    from apps.launches.models import Vote
    from apps.launches.votes.voting import toggle_vote
    from tests.actors import in_browser
    from tests.factories import ListingFactory, UserFactory

    listing = ListingFactory.create(live=True)
    bare_listing = ListingFactory.create(live=True)
    people = [UserFactory.create() for _ in range(options.votes)]

    def vote(voter: Any) -> None:
        toggle_vote(listing=listing, by=in_browser(voter), network=f"10.0.{voter.pk % 256}.0/24")

    def insert(voter: Any) -> None:
        Vote.objects.create(listing=bare_listing, user=voter)

    service, bare = [], []
    for _ in range(options.rounds):
        service.append(rate(vote, people, threads=options.threads))
        bare.append(rate(insert, people, threads=options.threads))
        Vote.objects.filter(listing=bare_listing).delete()
        for voter in people:
            vote(voter)
    return statistics.median(service), statistics.median(bare)


def rate(call: Callable[[Any], None], people: Sequence[Any], *, threads: int) -> float:
    """Calls a second, shared out to this many threads with a connection each."""
    from django.db import connection, connections

    def run(own: Sequence[Any]) -> None:
        try:
            for person in own:
                call(person)
        finally:
            if threads > 1:
                connections.close_all()

    connection.ensure_connection()
    workers = [threading.Thread(target=run, args=[people[number::threads]]) for number in range(threads)]
    began = time.monotonic()
    if threads == 1:
        run(people)
    else:
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    return len(people) / (time.monotonic() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--votes", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    with empty_database():
        service, bare = measure(options)
    sys.stdout.write(f"votes          {service:8.0f} a second   {service / bare:5.2f} of a bare insert\n")
    sys.stdout.write(f"bare inserts   {bare:8.0f} a second\n")


if __name__ == "__main__":
    main()
