"""What was read on a listing's website, as a table."""

from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from apps.core.text.countries import COUNTRIES
from apps.listings.fields.differences import text_of
from apps.listings.fields.labels import label_of


def sources_table(draft: Any) -> SafeString:
    """Render the page and quote of each value of a draft, which may be None."""
    context: dict[str, Any] = {"draft": draft}
    if draft is not None:
        context["rows"] = [
            {**result, "label": label_of(result["field"]), "value": _text(result["field"], result["value"])}
            for result in draft.evidence
        ]
        context["missing"] = [label_of(one["field"]) for one in draft.missing]
    return render_to_string("admin/listings/evidence.html", context)


def _text(field: str, value: str) -> str:
    """Evidence has all values as text."""
    if field == "country":
        return COUNTRIES.get(value, value)
    return text_of(field, int(value) if field == "price_from_cents" else value)
