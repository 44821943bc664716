"""Null for an optional value means absent, in the body of every operation. Clients in strict mode send every key."""

from collections.abc import Iterator
from typing import Any

import pytest

from apps.core.api import schema
from apps.core.api.serializers import StrictSerializer
from apps.listings.fields.serializers import SocialsField
from apps.listings.fields.socials import PLATFORMS


def _kinds(kind: type[StrictSerializer] = StrictSerializer) -> Iterator[type[StrictSerializer]]:
    for one in kind.__subclasses__():
        yield one
        yield from _kinds(one)


def _bodies() -> list[type[StrictSerializer]]:
    """Every object that a body may hold."""
    # It loads the views.
    schema.document()
    return sorted({kind for kind in _kinds() if kind.__module__.startswith("apps.")}, key=lambda kind: kind.__name__)


def _outcome(kind: type[StrictSerializer], body: dict[str, Any]) -> tuple[Any, Any]:
    sent = kind(data=body)
    return (sent.validated_data, {}) if sent.is_valid() else ({}, sent.errors)


@pytest.mark.parametrize("kind", _bodies(), ids=lambda kind: kind.__name__)
def test_null_is_read_as_absent(kind: type[StrictSerializer]) -> None:
    optional = [name for name, field in kind().fields.items() if not field.required]
    assert _outcome(kind, dict.fromkeys(optional)) == _outcome(kind, {})


@pytest.mark.parametrize("empty", [None, ""], ids=str)
def test_null_and_an_empty_link_are_read_as_absent(empty: Any) -> None:
    assert SocialsField().run_validation(dict.fromkeys(PLATFORMS, empty)) == {}


def test_the_document_says_so() -> None:
    requests = {name: made for name, made in schema.document()["components"]["schemas"].items() if "Request" in name}
    for name, made in requests.items():
        for field, rules in made.get("properties", {}).items():
            kinds = [rules, *rules.get("anyOf", ())]
            takes_null = any("null" in kind.get("type", ()) for kind in kinds)
            assert takes_null == (field not in made.get("required", ())), f"{name}.{field}"
    parameters = [
        one
        for methods in schema.document()["paths"].values()
        for spec in methods.values()
        for one in spec.get("parameters", ())
    ]
    assert not [one["name"] for one in parameters if "null" in str(one["schema"])]
    assert len(requests) > len(_bodies()) / 2
