"""A receiver with the Standard Webhooks library gets every transition of a whole flow once, and again on request."""

from collections import Counter
from datetime import timedelta
from typing import Any

import orjson
import pytest
from django.utils import timezone
from standardwebhooks import Webhook, WebhookVerificationError

from apps.accounts.models import User
from apps.core.states import moved
from apps.drafts.crawl import http, job
from apps.events.recording import HasEvents
from apps.launches.badges import checks
from apps.listings.models import Listing
from apps.orders.fulfillment import services as fulfillment
from apps.orders.fulfillment.refund_lines import refund_lines
from apps.orders.fulfillment.refunds import make_refunds
from apps.webhooks.delivery.sending import send_due
from tests.api import ApiClient
from tests.drafts.conftest import HOME
from tests.factories import complete_profile
from tests.launches.badge_results import check_result, found
from tests.orders.actors import by_staff
from tests.orders.carts import check_out, launch, pay
from tests.pages_server import PagesServer
from tests.webhooks.endpoints import created
from tests.webhooks.receiver import Receiver

pytestmark = pytest.mark.django_db(transaction=True)

Moves = list[tuple[str, str, str | None, str]]
HOSTS = ("acme.localhost", "other.localhost")


def submitted(owner: ApiClient, url: str) -> Listing:
    """A listing from a draft of a website, which is read over a socket."""
    draft_id = owner.post("/drafts", {"url": url}).json()["id"]
    job.run(draft_id)
    assert owner.get(f"/drafts/{draft_id}").json()["status"] == "ready"
    listing_id = owner.post(f"/drafts/{draft_id}/submit", {}).json()["listing_id"]
    listing: Listing = Listing.objects.get(pk=listing_id)
    return listing


def launch_paid_and_refund(owner: ApiClient, listing: Listing, staff: User) -> None:
    order = pay(check_out(owner, launch(listing)))
    fulfillment.fulfill_order(order.pk)
    refund_lines(order=order, lines=list(order.lines.all()), reason="As asked", withdraw=False, by=by_staff(staff))
    make_refunds(order.pk)
    order.refresh_from_db()
    assert order.status == "refunded"


def launch_free_and_lose_the_badge(owner: ApiClient, listing: Listing) -> None:
    """The badge is found, and then missing in two checks that are further apart than the days of grace."""
    assert owner.post(f"/me/listings/{listing.pk}/free").status_code == 200
    found(Listing.objects.get(pk=listing.pk))
    for days in (1, 5, 9, 13):
        fresh = Listing.objects.get(pk=listing.pk)
        at = timezone.now() + timedelta(days=days)
        checks.record_check(listing=fresh, result=check_result(fresh, "absent", at=at))


def whole_flow(owner: ApiClient, member: User, websites: PagesServer) -> None:
    first, second = (submitted(owner, websites.url(host)) for host in HOSTS)
    launch_paid_and_refund(owner, first, member)
    launch_free_and_lose_the_badge(owner, second)
    assert owner.post(f"/me/listings/{first.pk}/updates", {"title": "Out", "body": "Version 2"}).status_code == 201
    assert owner.post(f"/me/listings/{first.pk}/archive").status_code == 200


@pytest.fixture
def websites(receiver: Receiver, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(http, "RETRY_SECONDS", 0.01)
    settings.CRAWL_DELAY_SECONDS = 0.0
    with PagesServer() as server:
        settings.CRAWL_ALLOW_PRIVATE_HOSTS |= {server.host(host) for host in HOSTS}
        for host, name in zip(HOSTS, ("Acme", "Other"), strict=True):
            server.serve(host, "/", HOME.replace("Acme", name))
        yield server


@pytest.fixture
def moves() -> Any:
    """Every transition of a row with a status, noted beside the event log."""
    noted: Moves = []

    def note(row: HasEvents, before: str | None, after: str, **_: Any) -> None:
        subject = row.event_subject()
        noted.append((subject.kind, str(subject.pk), before, str(after)))

    moved.connect(note)
    yield noted
    moved.disconnect(note)


@pytest.mark.slow
def test_every_transition_arrives_once_verified_and_again_byte_for_byte(
    owner: ApiClient, member: User, receiver: Receiver, websites: PagesServer, moves: Moves
) -> None:
    assert owner.user
    complete_profile(owner.user)
    begun = owner.get("/events").json()["next_after"]
    endpoint = created(owner, url=receiver.url)
    library = Webhook(endpoint["secret"])
    moves.clear()
    whole_flow(owner, member, websites)
    send_due()
    for each in receiver.received:
        library.verify(each.body, each.headers)
    with pytest.raises(WebhookVerificationError):
        library.verify(receiver.received[0].body + b" ", receiver.received[0].headers)

    arrived = [each.event for each in receiver.received]
    assert Counter(
        (event["object"]["type"], event["object"]["id"], event["data"]["previous_status"], event["type"].split(".")[1])
        for event in arrived
        if "previous_status" in event["data"]
    ) == Counter(moves)
    assert {event["type"] for event in arrived} >= {
        "draft.submitted",
        "listing.live",
        "listing.archived",
        "order.paid",
        "order.refunded",
        "refund.done",
        "badge.found",
        "badge.lost",
        "update.posted",
    }
    assert sorted(receiver.seqs) == list(range(begun + 1, begun + 1 + len(arrived)))

    ids = {each.id for each in receiver.received}
    receiver.received.clear()
    assert owner.post(f"/me/webhook-endpoints/{endpoint['id']}/redeliver", {"after": 0}).status_code == 200
    send_due()
    assert {each.id for each in receiver.received} >= ids
    bodies = [each.body for each in sorted(receiver.received, key=lambda each: int(each.event["seq"]))]
    listed = owner.get("/events", {"after": "0", "limit": "500"})
    assert listed.content == b'{"items":[%s],"next_after":%d}' % (b",".join(bodies), listed.json()["next_after"])
    assert [orjson.loads(body)["seq"] for body in bodies] == list(range(1, len(bodies) + 1))
