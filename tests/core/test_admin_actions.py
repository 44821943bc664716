"""Every bulk action of the admin asks first."""

import inspect
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin

# These change nothing, or lead to a page that asks.
EXCEPTIONS = {
    ("events.event", "export"): "downloads a file",
    ("listings.company", "merge_two"): "leads to the page that shows what a merge does",
}


def actions() -> Iterator[tuple[str, str, Any]]:
    for model, page in admin.site._registry.items():
        for name in page.actions or ():
            yield model._meta.label_lower, str(name), getattr(page, str(name))


@pytest.mark.parametrize(
    ("model", "name", "method"), [pytest.param(*one, id=f"{one[0]}-{one[1]}") for one in actions()]
)
def test_every_bulk_action_asks_first(model: str, name: str, method: Any) -> None:
    # Django's own deletion has a page of its own.
    asks = ".ask(" in inspect.getsource(method) or "._ask(" in inspect.getsource(method)
    assert asks != ((model, name) in EXCEPTIONS)


def test_the_exceptions_exist() -> None:
    assert EXCEPTIONS.keys() <= {(model, name) for model, name, _ in actions()}
