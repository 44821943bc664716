"""Every example call of the API reference is made, and answered as the reference shows.

With RECORD_ANSWERS=1 in the environment the answers are written anew.
"""

import json
import os
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import time_machine
from django.conf import settings
from django.db import connection
from django.utils import timezone

from apps.accounts.actors import SYSTEM, Actor
from apps.comments.models import Comment
from apps.drafts.models import Draft
from apps.events.models import Event
from apps.listings import history
from apps.listings.models import Category, Claim, Listing, ListingVersion, Milestone, Update
from apps.listings.services.editing import update_my_listing
from apps.orders.models import Order, Product
from apps.reviews.models import Review
from apps.sites.models import Site
from apps.sites.reference import operations
from apps.sites.reference.examples import PARAMETERS
from apps.sites.reference.operations import FOLDER, recorded_answer
from apps.stories.models import InterviewQuestion
from apps.stories.services.stories import set_founder_story
from apps.webhooks.delivery.queueing import start_now
from apps.webhooks.models import Delivery, Endpoint
from apps.webhooks.services import create_webhook_endpoint
from tests.api import ApiClient
from tests.drafts.factories import DraftFactory
from tests.factories import CategoryFactory, CompanyFactory, ListingFactory, UserFactory, complete_profile
from tests.launches.badge_results import found
from tests.stories.writing import enough

pytestmark = pytest.mark.django_db

ORIGIN = "https://launch.example"
WEBSITE = "https://tidewater.example"
NAMES = [operation.name for group in operations.groups() for operation in group.operations]
# What has to be so before a call succeeds, beside a live listing and a draft that is ready.
UNLAUNCHED = ("choose_free_listing", "quote_order", "create_checkout", "get_order", "list_my_orders", "cancel_order")
_PAGES = (("/", "home"), ("/about", "about"))
_PROPOSAL = {
    "name": "Tidewater",
    "headline": "Tide tables that plan your day",
    "summary": "Tidewater turns tide tables into a plan for the day: when to leave, where to land, when to be back.",
    "language": "en",
    "categories": ["travel"],
    "socials": {"github": "https://github.com/tidewater"},
}
_EVIDENCE = [
    {
        "field": "headline",
        "value": "Tide tables that plan your day",
        "page_url": f"{WEBSITE}/",
        "source": "og",
        "selector": 'meta[property="og:title"]',
        "snippet": '<meta property="og:title" content="Tide tables that plan your day">',
        "page_sha256": "3f1d" * 16,
        "confidence": 0.9,
        "runners_up": [
            {
                "value": "Every harbour of the coast",
                "page_url": f"{WEBSITE}/",
                "source": "dom",
                "selector": "h1",
                "snippet": "<h1>Every harbour of the coast</h1>",
                "confidence": 0.6,
            }
        ],
    }
]


@pytest.fixture(autouse=True)
def _day_of_the_examples() -> Iterator[None]:
    with time_machine.travel("2026-11-23T09:30:00Z", tick=False):
        yield


@pytest.fixture(autouse=True)
def _ids_beyond_the_examples(db: None) -> None:
    """Rows that a call makes must not meet those that have the examples' ids."""
    with connection.cursor() as cursor:
        for model in (Listing, ListingVersion, Draft, Update, Milestone, Claim):
            sequence = f"pg_get_serial_sequence('{model._meta.db_table}', 'id')"
            cursor.execute(f"SELECT setval({sequence}, greatest(nextval({sequence}), 1000))")


@pytest.fixture
def person(site: Site, settings: Any) -> ApiClient:
    """The owner of all that the examples name."""
    settings.ALLOWED_HOSTS = ["launch.example"]
    Site.objects.filter(pk=site.pk).update(host="launch.example", name="Launch", key="launch")
    user = UserFactory.create(email="ada@tidewater.example", name="Ada")
    complete_profile(user)
    return ApiClient(user, host="launch.example")


@pytest.fixture
def listing(person: ApiClient, request: pytest.FixtureRequest) -> Listing:
    called = request.node.callspec.params["name"]
    is_live = called not in UNLAUNCHED
    company = CompanyFactory.create(
        owner=person.user,
        name="Tidewater",
        website="https://harbourlog.example" if "draft" in called else WEBSITE,
        logo_url=f"{WEBSITE}/logo.png",
        logo_key=f"pictures/{'7c9e' * 8}",
        founded_year=2024,
        city="Bristol",
        country="GB",
        team_size=4,
        pricing_model="freemium",
        price_from_cents=600,
        price_period="month",
        platforms=["web", "ios"],
        socials={"github": "https://github.com/tidewater"},
    )
    made = ListingFactory.create(
        pk=PARAMETERS["listing_id"],
        company=company,
        slug="tidewater",
        headline=_PROPOSAL["headline"],
        summary=_PROPOSAL["summary"],
        live=is_live,
        votes=128 if is_live else 0,
    )
    for slug, name in (("travel", "Travel"), (PARAMETERS["category"], "Developer tools")):
        made.categories.add(_category(slug, name))
    Milestone.objects.create(pk=PARAMETERS["milestone_id"], listing=made, date="2026-09-14", title="1,000 skippers")
    Update.objects.create(
        pk=PARAMETERS["update_id"],
        listing=made,
        title="Passages are planned now",
        body="Tidewater says when to leave.",
    )
    found(made)
    return made


def _category(slug: str, name: str) -> Category:
    return Category.objects.filter(slug=slug).first() or CategoryFactory.create(slug=slug, name=name)


@pytest.fixture
def world(person: ApiClient, listing: Listing, request: pytest.FixtureRequest) -> ApiClient:
    Product.objects.update(is_active=True)
    question = InterviewQuestion.objects.order_by("pk").first()
    assert question is not None
    InterviewQuestion.objects.filter(pk=question.pk).update(id=1)
    if request.node.callspec.params["name"] != "create_draft":
        DraftFactory.create(
            pk=PARAMETERS["id"],
            owner=person.user,
            url=f"{WEBSITE}/",
            ready=True,
            pages_done=2,
            pages_planned=2,
            proposal=_PROPOSAL,
            evidence=_EVIDENCE,
            pages_read=[{"url": f"{WEBSITE}{path}", "kind": kind, "reason": ""} for path, kind in _PAGES],
        )
    return person


def _ordered(client: ApiClient) -> None:
    """The order that the examples name."""
    body = operations.call_of("create_checkout", origin=ORIGIN).body
    answer = client.post("/orders/checkout", body)
    assert answer.status_code == 201, answer.content
    Order.objects.filter(number=answer.json()["number"]).update(number=PARAMETERS["number"])


def _scheduled(client: ApiClient) -> None:
    Listing.objects.update(status="scheduled", plan="paid", launch_week="2026-W49", launched_at=None)


def _edited(client: ApiClient) -> None:
    listing = Listing.objects.get(pk=PARAMETERS["listing_id"])
    history.record_baseline(row=listing, by=SYSTEM)
    ListingVersion.objects.update(id=PARAMETERS["version_id"])
    fields = {"headline": "Tide tables for today"}
    update_my_listing(listing=listing, fields=fields, by=Actor(user=client.user, via="browser"))
    ListingVersion.objects.filter(changes__0__isnull=False).update(id=PARAMETERS["version_id"] + 1)


def _told(client: ApiClient) -> None:
    listing = Listing.objects.get(pk=PARAMETERS["listing_id"])
    set_founder_story(listing=listing, fields=enough(), by=Actor(user=client.user, via="browser"))


def _claimed(client: ApiClient) -> None:
    company = Listing.objects.get(pk=PARAMETERS["listing_id"]).company
    site = Site.objects.get(is_default=True)
    Claim.objects.create(
        pk=PARAMETERS["id"],
        company=company,
        claimant=client.account,
        site=site,
        website=company.website,
        token="7c41" * 8,
    )


def _reviewed(client: ApiClient) -> None:
    """A verified review with the owner's answer."""
    now = timezone.now()
    Review.objects.create(
        pk=31,
        listing_id=PARAMETERS["listing_id"],
        author=UserFactory.create(name="Grace"),
        rating=5,
        text="It plans our crossings so well that we stopped carrying the printed tables.",
        status="posted",
        is_verified=True,
        proof="link",
        answer="Thank you. Keep one printed table for the day without a battery.",
        answered_at=now,
    )


def _discussed(client: ApiClient) -> None:
    """A comment and the owner's reply."""
    listing = Listing.objects.get(pk=PARAMETERS["listing_id"])
    author = UserFactory.create(name="Grace")
    asked = Comment.objects.create(
        pk=21, listing=listing, author=author, text="Does it know the Bristol Channel?", status="posted"
    )
    Comment.objects.create(
        pk=22,
        listing=listing,
        author=listing.company.owner,
        parent=asked,
        text="All of it, up to Sharpness.",
        status="posted",
    )


def _committed(client: ApiClient) -> None:
    """Number the events, as a commit does."""
    connection.check_constraints()


def _hooked(client: ApiClient) -> None:
    """An endpoint."""
    _committed(client)
    body = operations.call_of("create_webhook_endpoint", origin=ORIGIN).body
    assert body
    endpoint, _ = create_webhook_endpoint(account=client.account, url=body["url"], types=body["types"])
    Endpoint.objects.filter(pk=endpoint.pk).delete()
    endpoint.pk = PARAMETERS["endpoint_id"]
    endpoint.save(force_insert=True)
    start_now(endpoint)


def _delivered(client: ApiClient) -> None:
    """A delivery that succeeded at the second attempt."""
    _hooked(client)
    endpoint = Endpoint.objects.get()
    assert endpoint.account is not None
    event = Event.objects.visible_to(endpoint.account)[0]
    delivery = Delivery.objects.create(
        pk=PARAMETERS["delivery_id"],
        endpoint=endpoint,
        event=event,
        type=event.type,
        seq=event.seq,
        object_key=f"{event.object_type}:{event.object_id}",
        status="delivered",
        attempts_made=2,
        done_at=timezone.now(),
    )
    delivery.attempts.create(error="timeout", elapsed_ms=15_000)
    delivery.attempts.create(status_code=204, elapsed_ms=83)


_BEFORE: dict[str, Callable[[ApiClient], None]] = {
    "get_order": _ordered,
    "cancel_order": _ordered,
    "move_launch": _scheduled,
    "list_versions": _edited,
    "restore_version": _edited,
    "unpublish_story": _told,
    "check_claim": _claimed,
    "claim_website": _claimed,
    "list_comments": _discussed,
    "list_reviews": _reviewed,
    "list_events": _committed,
    **dict.fromkeys(("list_webhook_endpoints", "get_webhook_endpoint", "update_webhook_endpoint"), _hooked),
    **dict.fromkeys(("delete_webhook_endpoint", "rotate_webhook_secret", "send_webhook_test"), _hooked),
    "redeliver_events": _hooked,
    **dict.fromkeys(("list_webhook_deliveries", "get_webhook_delivery", "redeliver_webhook"), _delivered),
}


@pytest.mark.parametrize("name", NAMES)
def test_the_example_call_is_answered_as_shown(name: str, world: ApiClient) -> None:
    if name in _BEFORE:
        _BEFORE[name](world)
    call = operations.call_of(name, origin=ORIGIN)
    address = urlsplit(call.url)
    sent = parse_qs(address.query) if call.method == "GET" else call.body
    path = address.path.removeprefix(settings.API_PATH)
    answer = getattr(world, call.method.lower())(path, *([sent] if sent else []))
    assert 200 <= answer.status_code < 300, answer.content
    shown = json.loads(answer.content) if answer.content else None
    if "RECORD_ANSWERS" in os.environ and shown is not None:
        FOLDER.mkdir(exist_ok=True)
        text = _settled(json.dumps(shown, indent=2, ensure_ascii=False))
        (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")
    assert (recorded_answer(name) != "") == (shown is not None)
    if shown is not None:
        assert _shape(json.loads(recorded_answer(name))) == _shape(shown)


def _settled(text: str) -> str:
    """The answer as a site at ORIGIN gives it, with the names that the examples use."""
    return re.sub(r"SL-[0-9A-Z]{10}", PARAMETERS["number"], text.replace(settings.PUBLIC_BASE_URL, ORIGIN)) + "\n"


def _shape(value: Any) -> Any:
    """The keys of a value and of what is in it, without the values."""
    if isinstance(value, dict):
        return {key: _shape(inner) for key, inner in value.items()}
    return [_shape(inner) for inner in value[:1]] if isinstance(value, list) else None
