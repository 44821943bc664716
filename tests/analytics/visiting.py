"""What tests of statistics share: browsers that come, and what is counted of them."""

from datetime import date
from typing import Any

from django.test import Client

from apps.accounts.models import User
from apps.analytics.batches import save_counts
from apps.analytics.models import DailyReferrer, DailyStatistics
from apps.listings.models import Listing

CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0"
HOST = "testserver.localhost"
Numbers = tuple[int, int, int]


def browser(agent: str = CHROME, *, address: str = "192.0.2.1", user: User | None = None) -> Client:
    """A browser of its own at an address, in which nobody is signed in or a certain account."""
    client = Client(headers={"host": HOST, "user-agent": agent}, REMOTE_ADDR=address)
    if user:
        client.force_login(user)
    return client


def view(client: Client, listing: Listing, *, query: str = "", **headers: str) -> Any:
    """Open the listing's page."""
    return client.get(f"{listing.path}{query}", headers=headers)


def click(client: Client, listing: Listing, **headers: str) -> Any:
    """What a browser sends automatically when somebody follows the link to the website."""
    return client.post(f"{listing.path}/visit", b"PING", content_type="text/ping", headers=headers)


def counted(listing: Listing, day: date | None = None) -> Numbers:
    """Views, visitors and clicks in PostgreSQL, after everything was moved there; of one day or of all."""
    save_counts()
    rows = DailyStatistics.objects.filter(listing=listing, **({"day": day} if day else {}))
    numbers = list(rows.values_list("views", "visitors", "clicks"))
    return (sum(row[0] for row in numbers), sum(row[1] for row in numbers), sum(row[2] for row in numbers))


def sources(listing: Listing) -> dict[str, int]:
    save_counts()
    return dict(DailyReferrer.objects.filter(listing=listing).values_list("source", "views"))
