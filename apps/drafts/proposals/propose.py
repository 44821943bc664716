"""Turn a site's pages into a proposal for its listing, within a listing's limits."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

from django.core.exceptions import ValidationError

from apps.drafts.extraction import ReadPage, draft_listing
from apps.drafts.extraction.page.blocks import blocks_of
from apps.drafts.proposals.apply_filter import drop_unacceptable
from apps.drafts.proposals.categories import CategoryMatch, Passage, match_categories
from apps.listings.fields.names import COMPANY_FIELDS, SITE_FIELDS
from apps.listings.models import Category, Company, Listing

if TYPE_CHECKING:
    from django.db.models import Field

# Values about a website that no operation accepts.
NOT_SENT = frozenset({"language", "founders"})
# Proposed fields that are not columns of a listing. Milestones are rows of their own.
NOT_LISTED = NOT_SENT | {"milestones"}
_TITLE_WEIGHT = 3.0
_DESCRIPTION_WEIGHT = 2.0


def propose(pages: Sequence[ReadPage], categories: Iterable[Category]) -> dict[str, Any]:
    """Return `{fields, evidence, missing}` for JSON. The first page is the home page.

    Values that no listing can hold are left out and named in `missing`.
    """
    found: dict[str, Any] = drop_unacceptable(_storable(draft_listing(pages).as_dict()))
    fields: dict[str, Any] = found["fields"]
    missing: list[dict[str, str]] = found["missing"]
    for name in [name for name, value in fields.items() if not fits(name, value)]:
        del fields[name]
        found["evidence"] = [item for item in found["evidence"] if _field_of(item) != name]
        missing.append({"field": name, "reason": "The website's value isn't valid for a listing."})
    matches = match_categories(categories, _passages(pages))
    if matches:
        fields["categories"] = [match.slug for match in matches]
        found["evidence"] += [_storable(_evidence(match)) for match in matches]
    else:
        missing.append({"field": "categories", "reason": "No category matches the website's text."})
    return found


def fits(name: str, value: Any) -> bool:
    """Return whether the listing's or company's column accepts the value."""
    model = Listing if name in SITE_FIELDS else Company if name in COMPANY_FIELDS else None
    if model is None:
        return name in NOT_LISTED
    column = cast("Field[Any, Any]", model._meta.get_field(name))  # noqa: SLF001 - the documented API of models
    try:
        column.clean(value, None)
    except ValidationError:
        return False
    return True


def _storable(value: Any) -> Any:
    """Return the JSON without NUL and lone surrogates, which PostgreSQL can't store."""
    if isinstance(value, str):
        return value.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {_storable(key): _storable(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_storable(inner) for inner in value]
    return value


def _field_of(evidence: dict[str, Any]) -> str:
    return str(evidence["field"]).split(".")[0]


def _passages(pages: Sequence[ReadPage]) -> list[Passage]:
    """Yield the site's description of itself and its running text.

    Menus are left out, because they name help pages or blogs.
    """
    home = pages[0]
    declared = ((home.facts.title, _TITLE_WEIGHT), (home.facts.description, _DESCRIPTION_WEIGHT))
    return [
        *(Passage(fact.value, home.url, home.sha256, weight) for fact, weight in declared if fact),
        *(Passage(block.text, block.page.url, block.page.sha256) for block in blocks_of(pages)),
    ]


def _evidence(match: CategoryMatch) -> dict[str, Any]:
    return {
        "field": f"categories.{match.slug}",
        "value": match.slug,
        "page_url": match.page_url,
        "source": "text",
        "selector": f"words: {', '.join(match.words)}"[:300],
        "snippet": match.snippet,
        "page_sha256": match.page_sha256,
        "confidence": match.confidence,
        "runners_up": [],
    }
