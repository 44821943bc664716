"""Example requests for the API reference and the OpenAPI document."""

from typing import Any

from apps.core.api.operation import EXTENSION
from apps.sites.reference.schemas import JSON, body_of

WEEK = "2026-W50"

# Parameter values by name, for all operations.
PARAMETERS: dict[str, Any] = {
    "id": 17,
    "listing_id": 41,
    "slug": "tidewater",
    "milestone_id": 7,
    "update_id": 9,
    "version_id": 12,
    "number": "SL-7K3QH9TRWC",
    "days": "30",
    "board": "community-weekly",
    "category": "developer-tools",
    "week": WEEK,
    "month": "2026-11",
    "year": 2026,
    "endpoint_id": 3,
    "delivery_id": 5,
    "q": "tide tables",
    "page": 1,
    "per_page": 20,
    "status": "paid",
    "types": "order,listing.live",
    "after": 0,
    "Idempotency-Key": "9b2f61c4-tides",
}
# Optional parameters that examples still show.
SHOWN = {
    "search_listings": ("q", "category"),
    "get_leaderboard": ("week",),
    "list_my_orders": ("status",),
    "get_statistics": ("days",),
    "list_events": ("after", "types"),
}
_WISH = {
    "items": [
        {"product": "launch", "listing_id": 41, "week": "now"},
        {"product": "newsletter_slot", "listing_id": 41, "weeks": [WEEK]},
    ],
    "billing_country": "DE",
}
_STORY_START = (
    "We sail, and one evening the paper tables were wrong by an hour.\n\n"
    "The next morning we wrote down what a skipper asks a tide table, and began."
)
BODIES: dict[str, dict[str, Any]] = {
    "create_draft": {"url": "https://tidewater.example"},
    "update_draft": {"fields": {"headline": "Tide tables that plan your day", "categories": ["travel"]}},
    "submit_draft": {"fields": {"headline": "Tide tables that plan your day"}},
    "update_my_listing": {
        "fields": {"headline": "Tide tables that plan your day", "founded_year": 2024},
        "socials": {"github": "https://github.com/tidewater"},
        "faqs": [{"question": "Does it work offline?", "answer": "Yes, for every harbour you have saved."}],
    },
    "move_launch": {"week": WEEK},
    "recrawl_listing": {"wait_seconds": 10},
    "claim_website": {"url": "https://tidewater.example"},
    "update_profile": {"role": "Founder", "bio": "Ada draws tides. She sails from Bristol and answers every email."},
    "unpublish_story": {"reason": "We are rewriting it."},
    "post_listing_update": {
        "title": "Passages are planned now",
        "body": "Tidewater says when to leave and where to wait.\n\nIt reads the weather of the day for that.",
    },
    "add_milestone": {
        "date": "2026-09-14",
        "title": "1,000 skippers",
        "description": "The thousandth account was made in Brest.",
    },
    "set_founder_story": {
        "title": "Why we draw tides",
        "how_started": _STORY_START,
        "problem": "Tables tell heights. Skippers want to know when to leave.",
    },
    "answer_interview": {"answers": [{"question_id": 1, "answer": "A tide table that plans your day."}]},
    "create_webhook_endpoint": {"url": "https://hooks.tidewater.example/launch", "types": ["order.paid", "listing"]},
    "update_webhook_endpoint": {"status": "paused"},
    "redeliver_events": {"after": 0},
    "quote_order": _WISH,
    "create_checkout": _WISH,
}


def add_examples(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add examples to the OpenAPI document, for other tools to prefill. A postprocessing hook."""
    for methods in result["paths"].values():
        for spec in methods.values():
            for parameter in spec.get("parameters", []):
                if parameter["in"] == "path":
                    parameter["example"] = PARAMETERS[parameter["name"]]
            if spec["operationId"] in BODIES and EXTENSION in spec:
                spec["requestBody"]["content"][JSON]["example"] = BODIES[spec["operationId"]]
    return result


def parameters_of(spec: dict[str, Any], place: str) -> dict[str, Any]:
    """Return the example parameters in one location: path, query or header."""
    names = SHOWN.get(spec["operationId"], ())
    return {
        parameter["name"]: PARAMETERS[parameter["name"]]
        for parameter in spec.get("parameters", [])
        if parameter["in"] == place and (parameter.get("required") or parameter["name"] in names)
    }


def body_example(spec: dict[str, Any]) -> dict[str, Any] | None:
    """Return an example body, or None if the operation takes none."""
    return BODIES[spec["operationId"]] if body_of(spec) else None
