"""What callers of the published interface must send: an operation may gain optional arguments, never required ones."""

import pytest

from apps.core.api import schema
from apps.mcp.registry import read_tools

TOOLS = read_tools(schema.document())
REQUIRED = {
    "add_milestone": {"listing_id", "date", "title"},
    "answer_interview": {"answers"},
    "choose_free_listing": {"listing_id"},
    "create_checkout": {"items"},
    "create_draft": {"url"},
    "delete_milestone": {"listing_id", "milestone_id"},
    "get_badges": {"listing_id"},
    "get_draft": {"id"},
    "get_leaderboard": {"board"},
    "get_my_listing": {"listing_id"},
    "get_order": {"number"},
    "list_interview_questions": set(),
    "list_my_listings": set(),
    "list_my_orders": set(),
    "list_products": set(),
    "post_listing_update": {"listing_id", "title", "body"},
    "quote_order": {"items"},
    "search_listings": set(),
    "set_founder_story": {"listing_id"},
    "submit_draft": {"id"},
    "update_draft": {"id", "fields"},
    "update_my_listing": {"listing_id"},
}


@pytest.mark.parametrize("name", REQUIRED)
def test_nothing_more_is_required(name: str) -> None:
    assert set(TOOLS[name].definition.input_schema.get("required", ())) == REQUIRED[name]
    assert {argument.name for argument in TOOLS[name].arguments.values() if argument.is_required} == REQUIRED[name]
