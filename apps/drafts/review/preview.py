"""The preview of a draft: its listing's page with what the review form holds now, saved or not."""

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from typing import Any

from django.db.models import Model
from django.utils.dateparse import parse_date
from django.utils.text import slugify

from apps.core.editing.marks import State
from apps.drafts.api.serializers import DraftFieldsSerializer
from apps.drafts.models import Draft
from apps.drafts.proposals.apply_filter import drop_unacceptable
from apps.drafts.proposals.milestones import FIELD as MILESTONES
from apps.drafts.review.state import fields_from
from apps.drafts.services.drafts import write_fields
from apps.drafts.services.submission import facts_of
from apps.launches.listing_page import listing_content, sources_from
from apps.listings.fields.names import COMPANY_FIELDS, REQUIRED_FIELDS, SITE_FIELDS
from apps.listings.models import Category, Company, Listing, Milestone
from apps.listings.services.evidence import current_facts, values_of

# Shown while they are too long, so that the owner sees every letter typed.
_TEXTS = (*REQUIRED_FIELDS, "description")


def preview_of(draft: Draft, state: State, *, titles: Mapping[str, str]) -> dict[str, Any]:
    """Return what the parts of a listing's page show for a draft with the form's state. Saves nothing.

    Values that can't be saved are left out. `titles` are those of the site's categories, by slug.
    """
    preview = copy(draft)
    typed, _ = fields_from(state, draft=draft)
    write_fields(preview, typed)
    fields = _acceptable(preview.proposal) | {name: str(state.get(name, "")) for name in _TEXTS}
    fields["name"] = fields["name"] or "Your product"
    company = _filled(Company, fields, COMPANY_FIELDS, website=draft.website or draft.url)
    pictures = {(one.field, one.url): one for one in draft.pictures.all()}
    logo = pictures.get(("logo_url", company.logo_url))
    company.logo_key = logo.key if logo else ""
    shots = [pictures[place] for url in company.screenshots if (place := ("screenshots", url)) in pictures]
    listing = _filled(Listing, fields, SITE_FIELDS, company=company, site=draft.site, slug=slugify(company.name))
    chosen = fields.get("categories", ())
    categories = [Category(slug=slug, name=title) for slug, title in titles.items() if slug in chosen]
    milestones = list(_milestones(fields.get(MILESTONES, ())))
    stands = values_of(listing, categories=categories, milestones=milestones)
    sources = sources_from(current_facts(facts_of(preview), stands), categories=categories)
    return listing_content(listing, categories=categories, milestones=milestones, screenshots=shots, sources=sources)


def _acceptable(proposal: Mapping[str, Any]) -> dict[str, Any]:
    result = {"fields": dict(proposal), "evidence": [], "missing": []}
    fields: dict[str, Any] = drop_unacceptable(result, fields=DraftFieldsSerializer().fields)["fields"]
    return fields


def _filled(model: type[Model], fields: Mapping[str, Any], names: frozenset[str], **more: Any) -> Any:
    """Return an unsaved row with those of the fields that it has."""
    return model(**{name: fields[name] for name in names & fields.keys()} | more)


def _milestones(entries: Iterable[Mapping[str, Any]]) -> Iterator[Milestone]:
    for entry in entries:
        texts = {name: entry.get(name) or "" for name in ("title", "description", "url")}
        if day := parse_date(entry["date"]):
            yield Milestone(date=day, **texts)
