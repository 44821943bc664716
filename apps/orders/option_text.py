"""The options of an item as people read them."""

from collections.abc import Mapping
from typing import Any


def describe_options(options: Mapping[str, Any]) -> str:
    """Such as `at once`, `in 2026-W46`, `2026-W46, 2026-W47 in developer-tools`; empty without options."""
    week = options.get("week")
    if week:
        return "at once" if week == "now" else f"in {week}"
    text = ", ".join(options.get("weeks", []))
    if categories := options.get("categories"):
        text += f" in {', '.join(categories)}"
    return text
