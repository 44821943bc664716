"""Hints of the API name the tool for what they send people to a page for."""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from django.urls import Resolver404, resolve

# The tools that do what a page does, by the name of its URL.
TOOLS = {
    "archive_listing": {"archive_listing"},
    "badges": {"get_badges"},
    "buy": {"create_checkout"},
    "buy_launch": {"create_checkout"},
    "cancel_order": {"cancel_order"},
    "categories": {"list_categories"},
    "claim": {"check_claim", "claim_website"},
    "claim_new": {"claim_website"},
    "draft": {"get_draft", "submit_draft", "update_draft"},
    "draft_new": {"create_draft", "recrawl_listing"},
    "edit_interview": {"answer_interview"},
    "edit_listing": {"update_my_listing"},
    "edit_story": {"set_founder_story"},
    "launch": {"choose_free_listing", "create_checkout"},
    "listing_history": {"list_versions", "restore_version"},
    "listing_milestones": {"add_milestone", "delete_milestone"},
    "listing_pictures": {"update_my_listing"},
    "listing_statistics": {"get_statistics"},
    "manage_listing": {"get_my_listing"},
    "move_launch": {"move_launch"},
    "new_update": {"post_listing_update"},
    "order": {"cancel_order", "get_order"},
    "orders": {"list_my_orders"},
    "pricing": {"list_products"},
    "profile": {"get_profile", "update_profile"},
    "search": {"search_listings"},
    "weeks": {"list_weeks"},
}
_ADDRESS = re.compile(r"https?://[a-z0-9.-]*localhost[^\s]*")
_HINTS = frozenset({"detail", "message", "next_steps", "notices", "text"})


def unnamed(answer: Any) -> list[str]:
    """Return the hints in an answer that lead to a page without naming a tool for it."""
    return [hint for hint in _hints(answer) for address in _ADDRESS.findall(hint) if not _is_named(address, hint)]


def _is_named(address: str, hint: str) -> bool:
    try:
        page = resolve(urlsplit(address.rstrip(".,:")).path).url_name
    except Resolver404:
        return True
    tools = TOOLS.get(page or "", set())
    return not tools or any(tool in hint for tool in tools)


def _hints(answer: Any) -> Iterator[str]:
    if isinstance(answer, list):
        for entry in answer:
            yield from _hints(entry)
    elif isinstance(answer, Mapping):
        for name, value in answer.items():
            if name in _HINTS:
                yield from [value] if isinstance(value, str) else filter(lambda one: isinstance(one, str), value or ())
            else:
                yield from _hints(value)
