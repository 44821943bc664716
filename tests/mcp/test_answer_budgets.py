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
from apps.listings.models import Listing
from apps.mcp.registry import read_tools
from apps.orders.models import Product
from tests.api import ApiClient
from tests.databases import rolled_back
from tests.factories import api_key
from tests.mcp.clients import rest_answer
from tests.mcp.every_tool import Conversation, Rows, calls, make_rows

pytestmark = [pytest.mark.slow, pytest.mark.db, pytest.mark.xdist_group("answer_budgets")]

ONE_OBJECT = 6_000
LIST_ITEM = 600
TOOLS = read_tools(schema.document())


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


@pytest.fixture
def rows(owner: User) -> Rows:
    live = Listing.objects.filter(company__owner=owner, status=Listing.Status.LIVE)
    return make_rows(live.earliest("pk"))


@pytest.mark.slow
def test_no_answer_is_long(owner: User, rows: Rows) -> None:
    host, key = ApiClient().host, api_key(owner)
    answers: dict[str, dict[str, Any]] = {}

    def ask(name: str, sent: dict[str, Any]) -> dict[str, Any]:
        # Events are numbered when their transaction ends.
        connection.check_constraints()
        status, body = rest_answer(TOOLS[name], sent, host=host, key=key)
        assert 200 <= status < 300, (name, body)
        answers[name] = body or {}
        return answers[name]

    conversation = Conversation(calls(rows))
    call = conversation.after(None)
    while call:
        call = conversation.after(ask(*call))
    assert answers.keys() == TOOLS.keys()
    assert {name: length for name, body in answers.items() if (length := _longest_over(name, body))} == {}


def _longest_over(name: str, body: dict[str, Any]) -> int:
    """The length of the whole answer, or of a list's longest item, where it is over the budget."""
    is_list = name.startswith("list_") or "items" in body and "page" in body
    assert body.get("items", True), f"{name} lists nothing"
    lengths = [len(orjson.dumps(item)) for item in body["items"]] if is_list else [len(orjson.dumps(body))]
    return max(lengths) if max(lengths) > (LIST_ITEM if is_list else ONE_OBJECT) else 0


def test_what_is_left_out_comes_on_request(owner: User, rows: Rows) -> None:
    host, key = ApiClient().host, api_key(owner)
    listing = {"listing_id": rows.listing.pk}
    for name, sent, parts in (
        ("get_draft", {"id": rows.draft_ids[0]}, "evidence, pages_read"),
        ("get_my_listing", listing, "founder_story, versions"),
        ("get_badges", listing, "markdown"),
        ("list_products", {}, "options_schema"),
    ):
        _, short = rest_answer(TOOLS[name], sent, host=host, key=key)
        _, full = rest_answer(TOOLS[name], {**sent, "include": parts}, host=host, key=key)
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
    assert problem["detail"].endswith(": founder_story, pictures, versions.")
