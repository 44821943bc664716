"""Compare a listing with a new crawl of its website, and preview the accepted changes."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from apps.accounts.actors import Actor
from apps.drafts.models import Draft
from apps.drafts.proposals.apply_filter import EMPTY
from apps.drafts.proposals.milestones import FIELD as MILESTONES
from apps.drafts.proposals.milestones import add_proposed
from apps.listings.fields.names import COMPANY_FIELDS, REQUIRED_FIELDS, SITE_FIELDS
from apps.listings.fields.serializers import ListingFieldsSerializer
from apps.listings.history import snapshot_of
from apps.listings.models import Category, Listing
from apps.listings.services.editing import update_my_listing
from apps.listings.services.locks import why_not_editable

# The two are compared by the URL that was read.
COMPARED = (COMPANY_FIELDS | SITE_FIELDS | {"categories"}) - {"website"}
# In the order in which people read a listing, because jsonb keeps none.
ORDER = (
    "name", "headline", "summary", "description", "categories", "logo_url", "screenshots", "socials", "contact_email",
    "pricing_model", "price_from_cents", "price_currency", "price_period", "faqs", "founded_year", "country", "city",
    "team_size", "docs_url", "openapi_url", "mcp_url", "llms_url", "seo_title", "seo_description", MILESTONES,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Difference:
    """A field where the website differs from the listing, or states nothing.

    `website` is the listing's value after accepting: profiles that the website does not name stay, and milestones are
    only those to add. It is empty, with a `reason`, if the website does not state the field. `is_advised` is false if
    accepting would empty the field or replace what the owner wrote.
    """

    field: str
    listing: Any
    website: Any
    is_advised: bool = False
    reason: str = ""

    @property
    def mark(self) -> str:
        """Return a mark of both values, so that only what was shown is accepted."""
        content = json.dumps([self.field, self.listing, self.website], sort_keys=True)
        return f"{self.field}-{sha256(content.encode()).hexdigest()[:24]}"


def listing_of(draft: Draft) -> Listing | None:
    """Return the reread listing, if the draft's owner may still edit it."""
    listing = draft.rereads
    if listing is None or listing.company.owner_id != draft.owner_id or why_not_editable(listing):
        return None
    return listing


def differences(draft: Draft) -> list[Difference]:
    """Return how the website of a ready draft differs from its listing. Changes nothing."""
    listing = listing_of(draft) if draft.status == Draft.Status.READY else None
    return [] if listing is None else differences_from(listing, draft)


def differences_from(listing: Listing, draft: Draft) -> list[Difference]:
    """Return how the website of a draft differs from a listing, whatever their statuses."""
    stands = values_of(listing)
    earlier = _read_before(listing)
    result = [
        Difference(name, stands[name], website, is_advised=_costs_nothing(stands[name], website, earlier.get(name)))
        for name, website in _proposed(draft, listing, stands).items()
    ]
    result += _not_found(draft, stands)
    if added := new_milestones(listing, draft.proposal.get(MILESTONES, [])):
        result.append(Difference(MILESTONES, _own_milestones(listing), added, is_advised=True))
    return sorted(result, key=lambda one: (ORDER.index(one.field) if one.field in ORDER else len(ORDER), one.field))


def values_of(listing: Listing) -> dict[str, Any]:
    """Return the fields of a listing and its company that a website can fill, by name, with `categories` as slugs."""
    values = {**snapshot_of(listing.company), **snapshot_of(listing)}
    return {name: value for name, value in values.items() if name in COMPARED}


def take_over(*, listing: Listing, fields: Mapping[str, Any], by: Actor) -> list[str]:
    """Change the listing as its owner chose, and return the names of what changed.

    `fields` are what `update_my_listing` takes, and `milestones` to add, each `{date, title, description, url}`. Raises
    what `update_my_listing` and `add_milestones` raise.
    """
    values = {name: value for name, value in fields.items() if name != MILESTONES}
    changed = update_my_listing(listing=listing, fields=values, by=by).changed
    added = new_milestones(listing, fields.get(MILESTONES, ()))
    add_proposed(listing=listing, proposed=added, by=by)
    return [*changed, MILESTONES] if added else changed


def other_than(listing: Listing, fields: Mapping[str, Any]) -> list[str]:
    """Return the names of fields whose value in the listing differs."""
    stands = values_of(listing)
    other = [name for name, value in fields.items() if name in stands and not _is_same(name, stands[name], value)]
    return [*other, MILESTONES] if new_milestones(listing, fields.get(MILESTONES, ())) else other


def new_milestones(listing: Listing, proposed: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the milestones that the listing lacks, by day and title."""
    known = {(str(one.date), one.title.casefold()) for one in listing.milestones.all()}
    return [dict(one) for one in proposed if (str(one["date"]), one["title"].casefold()) not in known]


def _proposed(draft: Draft, listing: Listing, stands: Mapping[str, Any]) -> dict[str, Any]:
    """Return the proposed value of each differing field, without values that an owner could not send."""
    other = {
        name: value
        for name, value in draft.proposal.items()
        if name in stands and not _is_same(name, stands[name], value)
    }
    if "categories" in other:
        there = Category.objects.filter(site=listing.site, slug__in=other["categories"])
        other["categories"] = list(there.values_list("slug", flat=True)) or stands["categories"]
    website = _as_sent(other)
    merged = {
        name: {**stands[name], **value} if isinstance(value, dict) and value else value
        for name, value in website.items()
    }
    return {name: value for name, value in merged.items() if not _is_same(name, stands[name], value)}


def _as_sent(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values as an owner's request would be parsed, without those that it would be refused for."""
    first = ListingFieldsSerializer(data=values)
    if not first.is_valid():
        first = ListingFieldsSerializer(data={name: values[name] for name in values if name not in first.errors})
        first.is_valid(raise_exception=True)
    sent: dict[str, Any] = first.validated_data
    return sent


def _not_found(draft: Draft, stands: Mapping[str, Any]) -> list[Difference]:
    """Return differences where the website lacks a value of the listing. Required fields can't be emptied."""
    return [
        Difference(name, stands[name], _emptied(stands[name]), reason=item["reason"])
        for item in draft.missing
        if (name := item["field"]) in stands and name not in REQUIRED_FIELDS and stands[name] not in EMPTY
    ]


def _costs_nothing(stands: Any, website: Any, earlier: Any) -> bool:
    """Return whether accepting loses nothing except what an `earlier` reading of the website gave."""
    if website in EMPTY:
        return False
    only_adds = isinstance(stands, dict) and stands.items() <= website.items()
    return only_adds or stands in EMPTY or stands == earlier


def _read_before(listing: Listing) -> dict[str, Any]:
    """Return the website's values when they were last accepted, without those the owner replaced."""
    draft = Draft.objects.filter(listing=listing).order_by("-submitted_at").first()
    return {name: value for name, value in draft.proposal.items() if name not in draft.edited} if draft else {}


def _is_same(name: str, one: Any, other: Any) -> bool:
    if one in EMPTY or other in EMPTY:
        return one in EMPTY and other in EMPTY
    return set(one) == set(other) if name == "categories" else bool(one == other)


def _emptied(value: Any) -> Any:
    return None if isinstance(value, int) else type(value)()


def _own_milestones(listing: Listing) -> list[dict[str, Any]]:
    return [
        {"date": str(one.date), "title": one.title, "description": one.description, "url": one.url}
        for one in listing.milestones.all()
    ]
