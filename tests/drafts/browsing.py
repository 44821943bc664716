"""What tests of the draft pages share: forms as browsers without JavaScript send them."""

from typing import Any

from django.test import Client
from lxml import html

from apps.drafts.models import Draft


def form_of(browser: Client, draft: Draft, **changes: Any) -> dict[str, Any]:
    """Return what a browser would send of a newly opened draft review, with `changes` by name."""
    return sent_of(browser.get(f"/drafts/{draft.pk}"), **changes)


def sent_of(answer: Any, **changes: Any) -> dict[str, Any]:
    """What a browser would send of the review that an answer shows."""
    tree: Any = html.document_fromstring(answer.content.decode())
    [form] = [form for form in tree.forms if "opened" in form.fields]
    values: dict[str, list[str]] = {}
    for element in form.iter("input", "textarea", "select"):
        if element.name and (value := _value(element)) is not None:
            values.setdefault(element.name, []).append(value)
    values.pop("csrfmiddlewaretoken", None)
    return {**values, **changes}


def _value(element: Any) -> str | None:
    if element.tag == "input":
        is_chosen = element.get("type") not in {"radio", "checkbox"} or "checked" in element.attrib
        return element.get("value", "") if is_chosen else None
    # The line end behind the tag of a text area belongs to the markup.
    return (element.value or "").removeprefix("\n")


def main_of(answer: Any) -> Any:
    """The element of the page's main part."""
    tree: Any = html.document_fromstring(answer.content.decode())
    return tree.get_element_by_id("content")


def text_of(answer: Any) -> str:
    """What a reader sees of the page's main part, with blanks folded."""
    return " ".join(main_of(answer).text_content().split())
