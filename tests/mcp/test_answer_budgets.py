"""What the answer of each tool costs a model by default, on the demo's data."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from django.core.management import call_command
from django.db import connection
from django.test import override_settings

from apps.accounts.models import User
from apps.core.api import schema
from apps.launches.calendar.launch_weeks import current_week
from apps.listings.models import Listing
from apps.mcp.registry import read_tools
from apps.orders.models import Product
from apps.stories.models import InterviewQuestion
from tests.api import ApiClient
from tests.databases import rolled_back
from tests.drafts.factories import DraftFactory
from tests.factories import ListingFactory, api_key
from tests.mcp.clients import rest_answer
from tests.stories.writing import enough

pytestmark = [pytest.mark.slow, pytest.mark.db, pytest.mark.xdist_group("answer_budgets")]

ONE_OBJECT = 6_000
LIST_ITEM = 600
TOOLS = read_tools(schema.document())
READ = {"field": "headline", "source": "og", "selector": "h1", "snippet": "h" * 200, "confidence": 0.9, "value": "A"}
PAGE = {"page_url": "https://tidewater.example.com/", "page_sha256": "3f1d" * 16}


@pytest.fixture(scope="module")
def _demo(django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    media = override_settings(MEDIA_ROOT=tmp_path_factory.mktemp("media"))
    with media, rolled_back(django_db_blocker):
        call_command("seed_demo")
        Product.objects.update(is_active=True)
        yield


@pytest.fixture
def owner(_demo: None, db: None) -> User:
    """The demo's owner."""
    return User.objects.get(email="demo@slipway.example")


def arguments_of(owner: User) -> dict[str, dict[str, Any]]:
    """What each tool is called with."""
    listing = {"listing_id": Listing.objects.filter(company__owner=owner, status=Listing.Status.LIVE).earliest("pk").pk}
    waiting = {"listing_id": ListingFactory.create(company__owner=owner).pk}
    week = str(current_week() + 4)
    scheduled = {
        "listing_id": ListingFactory.create(
            company__owner=owner, status=Listing.Status.SCHEDULED, plan=Listing.Plan.PAID, launch_week=week
        ).pk
    }
    drafts = [
        DraftFactory.create(
            owner=owner,
            ready=True,
            url=f"https://tidewater-{number}.example.com/",
            proposal={"name": "Tidewater", "headline": "Tides", "summary": "s" * 600, "description": "d" * 2000},
            evidence=[{**READ, **PAGE, "runners_up": [{**READ, **PAGE}] * 5}] * 20,
            pages_read=[{"url": f"{PAGE['page_url']}{page}", "kind": "about", "reason": ""} for page in range(40)],
        )
        for number in range(2)
    ]
    cart = {"items": [{"product": "newsletter_slot", **listing, "weeks": ["2027-W10"]}], "billing_country": "DE"}
    return {
        "add_milestone": {**listing, "date": "2026-01-02", "title": "1,000 skippers"},
        "answer_interview": {"answers": [{"question_id": InterviewQuestion.objects.earliest("pk").pk, "answer": "A"}]},
        "choose_free_listing": waiting,
        "create_checkout": cart,
        "create_draft": {"url": "https://tidewater-3.example.com/"},
        "get_badges": listing,
        "get_draft": {"id": drafts[0].pk},
        "get_leaderboard": {"board": "community-weekly"},
        "get_listing": {"slug": Listing.objects.get(pk=listing["listing_id"]).slug},
        "get_my_listing": listing,
        "get_profile": {},
        "get_statistics": listing,
        "claim_website": {"url": Listing.objects.get(pk=listing["listing_id"]).company.website},
        "list_categories": {},
        "list_interview_questions": {},
        "list_my_listings": {},
        "list_products": {},
        "list_weeks": {},
        "move_launch": {**scheduled, "week": str(current_week() + 5)},
        "recrawl_listing": waiting,
        "post_listing_update": {**listing, "title": "Passages", "body": "Tidewater says when to leave."},
        "quote_order": cart,
        "search_listings": {},
        "set_founder_story": {**listing, **enough()},
        "submit_draft": {"id": drafts[1].pk, "fields": {"categories": []}},
        "update_draft": {"id": drafts[0].pk, "fields": {"headline": "Tides"}},
        "update_my_listing": {**listing, "fields": {"city": "Brest"}},
        "update_profile": {"role": "Founder"},
    }


@pytest.mark.slow
def test_no_answer_is_long(owner: User) -> None:
    host, key = ApiClient().host, api_key(owner)

    def ask(name: str, sent: dict[str, Any]) -> dict[str, Any]:
        status, body = rest_answer(TOOLS[name], sent, host=host, key=key)
        assert 200 <= status < 300, (name, body)
        return body or {}

    answers = {name: ask(name, sent) for name, sent in arguments_of(owner).items()}
    answers["list_my_orders"] = ask("list_my_orders", {})
    answers["get_order"] = ask("get_order", {"number": answers["create_checkout"]["number"]})
    answers["cancel_order"] = ask("cancel_order", {"number": answers["create_checkout"]["number"]})
    answers["cancel_draft"] = ask("cancel_draft", {"id": answers["create_draft"]["id"]})
    gone = {"listing_id": answers["get_my_listing"]["id"], "milestone_id": answers["add_milestone"]["id"]}
    answers["delete_milestone"] = ask("delete_milestone", gone)

    listing = {"listing_id": answers["get_my_listing"]["id"]}
    answers["check_claim"] = ask("check_claim", {"id": answers["claim_website"]["id"]})
    posted = {**listing, "update_id": answers["post_listing_update"]["id"]}
    answers["delete_listing_update"] = ask("delete_listing_update", posted)
    answers["list_versions"] = ask("list_versions", listing)
    first = {**listing, "version_id": answers["list_versions"]["items"][-1]["id"]}
    answers["restore_version"] = ask("restore_version", first)
    answers["unpublish_story"] = ask("unpublish_story", listing)
    answers["archive_listing"] = ask("archive_listing", listing)
    # Events are numbered when their transaction ends.
    connection.check_constraints()
    answers["list_events"] = ask("list_events", {})

    assert answers.keys() == TOOLS.keys()
    assert {name: length for name, body in answers.items() if (length := _longest_over(name, body))} == {}


def _longest_over(name: str, body: dict[str, Any]) -> int:
    """The length of the whole answer, or of a list's longest item, where it is over the budget."""
    is_list = name.startswith("list_") or "items" in body and "page" in body
    assert body.get("items", True), f"{name} lists nothing"
    lengths = [len(orjson.dumps(item)) for item in body["items"]] if is_list else [len(orjson.dumps(body))]
    return max(lengths) if max(lengths) > (LIST_ITEM if is_list else ONE_OBJECT) else 0


def test_what_is_left_out_comes_on_request(owner: User) -> None:
    host, key = ApiClient().host, api_key(owner)
    sent = arguments_of(owner)
    for name, parts in {
        "get_draft": "evidence, pages_read",
        "get_my_listing": "founder_story, versions",
        "get_badges": "markdown",
        "list_products": "options_schema",
    }.items():
        _, short = rest_answer(TOOLS[name], sent[name], host=host, key=key)
        _, full = rest_answer(TOOLS[name], {**sent[name], "include": parts}, host=host, key=key)
        assert short is not None
        assert full is not None
        for part in parts.split(", "):
            assert part not in (short["items"][0] if "items" in short else short), name
            assert part in (full["items"][0] if "items" in full else full), name


@pytest.mark.parametrize("include", ["nothing", "versions,nothing", ","])
def test_an_unknown_part_is_refused_with_those_that_there_are(owner: User, include: str) -> None:
    answer = ApiClient(owner).get(
        f"/me/listings/{Listing.objects.filter(company__owner=owner)[0].pk}", {"include": include}
    )
    [problem] = answer.json()["errors"]
    assert (answer.status_code, problem["pointer"], problem["code"]) == (422, "/include", "unknown_field")
    assert "Use one or more of: founder_story, pictures, versions." in problem["detail"]
