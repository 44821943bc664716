"""Describe each option of a product in one line."""

import re
from collections.abc import Mapping
from typing import Any

from apps.core.text.weeks import PATTERN

WEEK = re.compile(PATTERN)


def in_short(schema: Mapping[str, Any]) -> dict[str, str]:
    """Return a short text for each option of an options schema, such as "now or 2026-W48 to 2027-W47"."""
    required = schema.get("required", ())
    return {name: _text(rule, is_required=name in required) for name, rule in schema["properties"].items()}


def _text(rule: Mapping[str, Any], *, is_required: bool) -> str:
    choices = [str(choice) for choice in rule.get("items", rule).get("enum", ())]
    counted = f"{rule.get('minItems', 1)} to {rule['maxItems']} of " if "maxItems" in rule else ""
    least = f"at least {rule['minimum']}" if "minimum" in rule else ""
    said = [counted + _named(choices) if choices else least]
    if "default" in rule:
        said.append(f"default {rule['default']}")
    if is_required:
        said.append("required")
    return ", ".join(filter(None, said))


def _named(choices: list[str]) -> str:
    weeks = [choice for choice in choices if WEEK.fullmatch(choice)]
    others = ", ".join(choice for choice in choices if choice not in weeks)
    return " or ".join(filter(None, [others, f"{weeks[0]} to {weeks[-1]}" if weeks else ""]))
