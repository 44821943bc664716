"""Turn a site's pages into a proposal for its listing, within a listing's limits."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, cast

from django.core.exceptions import ValidationError

from apps.drafts.extraction import ReadPage, SiteFile, draft_listing
from apps.drafts.extraction.document.json_ld import APPLICATION_TYPES, strings
from apps.drafts.extraction.document.lines import heading_of
from apps.drafts.extraction.page.read_page import finds_of
from apps.drafts.extraction.text.cleaning import fold, weight_of
from apps.drafts.proposals.apply_filter import drop_unacceptable
from apps.drafts.proposals.calibration import calibrate
from apps.drafts.proposals.categories import CategoryMatch, Passage, Place, match_categories
from apps.drafts.proposals.instructions import MAX_WARNINGS, drop_instructions
from apps.drafts.proposals.unread_parts import unread_parts
from apps.listings.fields.names import COMPANY_FIELDS, SITE_FIELDS
from apps.listings.models import Category, Company, Listing

if TYPE_CHECKING:
    from django.db.models import Field

# Values about a website that no operation accepts.
NOT_SENT = frozenset({"language", "founders"})
# Proposed fields that are not columns of a listing. Milestones are rows of their own.
NOT_LISTED = NOT_SENT | {"milestones"}
_MAX_TITLES = 2
_OF_HEAD = frozenset({"og", "twitter", "meta", "json_ld"})
_MAX_LEADS = 1
_MIN_LEAD = 30
_NOT_OURS = frozenset({"nav", "footer", "quote", "struck", "versus", "notice"})
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def propose(
    pages: Sequence[ReadPage], categories: Iterable[Category], *, files: Sequence[SiteFile] = ()
) -> dict[str, Any]:
    """Return `{fields, evidence, missing, warnings}` for JSON. The first page is the home page.

    Values that no listing can hold are left out and named in `missing`, text that addresses assistants in `warnings`,
    as are pages that could only be read in part.
    """
    read = _storable(draft_listing(pages, files).as_dict())
    result: dict[str, Any] = drop_instructions(drop_unacceptable(read), pages)
    fields: dict[str, Any] = result["fields"]
    missing: list[dict[str, str]] = result["missing"]
    for name in [name for name, value in fields.items() if not fits(name, value)]:
        del fields[name]
        result["evidence"] = [item for item in result["evidence"] if _field_of(item) != name]
        missing.append({"field": name, "reason": "The website's value isn't valid for a listing."})
    matches = match_categories(categories, _passages(pages))
    if matches:
        fields["categories"] = [match.slug for match in matches]
        result["evidence"] += [_storable(_evidence(match)) for match in matches]
    else:
        missing.append({"field": "categories", "reason": "No category matches the website's text."})
    result["evidence"] = calibrate(result["evidence"])
    result["warnings"] += list(islice(unread_parts(pages), MAX_WARNINGS))
    return result


def fits(name: str, value: Any) -> bool:
    """Return whether the listing's or company's column accepts the value."""
    model = Listing if name in SITE_FIELDS else Company if name in COMPANY_FIELDS else None
    if model is None:
        return name in NOT_LISTED
    column = cast("Field[Any, Any]", model._meta.get_field(name))
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
    """Return the texts in which the home page says what the product is, and its running text, by their places."""
    home = pages[0]
    result: dict[str, Passage] = {}
    for place, text in chain(_declared(home), _shown(home)):
        key = fold(text)
        # A title that repeats the heading is one signal, not two.
        if key and not any(key in other for other in result):
            result[key] = Passage(text, home.url, home.sha256, place)
    return list(result.values())


def _declared(home: ReadPage) -> Iterator[tuple[Place, str]]:
    facts = home.facts
    titles = [find for find in finds_of(facts.title, home) if find.source in _OF_HEAD or find.selector == "title"]
    yield from ((Place.TITLE, find.value) for find in titles[:_MAX_TITLES])
    descriptions = [find for find in finds_of(facts.description, home) if find.source in _OF_HEAD]
    yield from ((Place.DESCRIPTION, find.value) for find in descriptions[:_MAX_TITLES])
    for node in islice(home.document.json_ld.of_type(APPLICATION_TYPES), 3):
        for key in ("applicationCategory", "applicationSubCategory"):
            yield from ((Place.DECLARED, _CAMEL.sub(" ", value)) for value in strings(node.get(key)))


def _shown(home: ReadPage) -> Iterator[tuple[Place, str]]:
    """Yield headings, the text right after the first one, and other text, without menus and the words of others."""
    lead = _MAX_LEADS
    is_headed = False
    for line in home.lines:
        if line.marks & _NOT_OURS:
            continue
        heading = heading_of(line.element)
        if heading == "h1" and not is_headed:
            is_headed = True
            yield Place.HEADING, line.text
        elif heading:
            yield Place.SUBHEADING, line.text
        elif is_headed and lead and weight_of(line.text) >= _MIN_LEAD:
            lead -= 1
            yield Place.LEAD, line.text
        else:
            yield Place.BODY, line.text


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
