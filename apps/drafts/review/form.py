"""The review form: every field that update_draft takes, in the order in which an owner reads them."""

from collections.abc import Mapping
from typing import NamedTuple

from django import forms
from django.forms import BoundField

from apps.core.editing.forms import TypedField, address_input, text_area, text_input
from apps.core.editing.marks import Seen, State
from apps.core.errors import FieldProblem
from apps.drafts.api.serializers import MAX_PROPOSED_MILESTONES
from apps.drafts.models import Draft
from apps.drafts.proposals.milestones import FIELD as MILESTONES
from apps.drafts.review.state import MILESTONE_PARTS
from apps.listings.editor.form import ListingForm


class Section(NamedTuple):
    """A section of the review with its fields. List fields such as faqs have rows of their own."""

    key: str
    title: str
    text: str
    fields: tuple[str, ...]


SECTIONS = (
    Section(
        "product",
        "The product",
        "What people read first.",
        ("name", "headline", "summary", "categories", "logo_url", "screenshots", "language"),
    ),
    Section("price", "Price", "What it costs to use it.", ("pricing_model", "price_from_cents")),
    Section(
        "company",
        "Company",
        "Who makes it.",
        ("founded_year", "country", "city", "team_size", "contact_email", "founders"),
    ),
    Section(
        "links",
        "Links",
        "Where people and programs find more. Empty a profile to leave it out.",
        ("docs_url", "openapi_url", "mcp_url", "llms_url", "socials"),
    ),
    Section(
        "questions", "Questions", "What people ask before they try it. Empty a row to leave it out.", ("faqs",)
    ),
    Section(
        "milestones", "Milestones", "What was reached, and when. Empty a row to leave it out.", (MILESTONES,)
    ),
    Section(
        "search-engines",
        "Search engines",
        "What they show in place of headline and summary.",
        ("seo_title", "seo_description"),
    ),
)  # fmt: skip
# Never filled by the crawler, since websites rarely state them in a form that can serve as evidence.
FURTHER = (
    "description", "tags", "alternatives", "audience", "platforms", "tech_stack", "video_url", "legal_name", "stage",
    "funding", "seo_keywords",
)  # fmt: skip
_LABELS = {"date": "Day", "title": "What was reached", "description": "Description", "url": "Link"}


class DraftForm(ListingForm):
    """The editor's form with milestones, and without the website, which the draft was made from."""

    def __init__(
        self,
        state: State,
        *,
        opened: Mapping[str, Seen],
        draft: Draft,
        spare_faqs: int = 0,
        spare_milestones: int = 0,
    ) -> None:
        super().__init__(state, opened=opened, site=draft.site, spare_faqs=spare_faqs)
        del self.fields["website"]
        rows = [row for row in state.get(MILESTONES, ()) if isinstance(row, list)]
        self.milestone_count = min(len(rows) + spare_milestones, MAX_PROPOSED_MILESTONES)
        texts = {
            f"milestone_{at}_{part}": text
            for at, row in enumerate(rows)
            for part, text in zip(MILESTONE_PARTS, row, strict=True)
        }
        self.data = {**self.data, **texts}
        for at in range(self.milestone_count):
            for part, widget in _widgets().items():
                is_needed = part in {"date", "title"}
                self.fields[f"milestone_{at}_{part}"] = TypedField(
                    label=f"{_LABELS[part]} {at + 1}", required=is_needed, widget=widget
                )

    def field_at(self, pointer: str) -> str | None:
        path = [part for part in pointer.split("/") if part not in {"", "fields"}]
        if path[:1] != [MILESTONES]:
            return super().field_at(pointer)
        name = f"milestone_{path[1]}_{path[2] if len(path) > 2 else 'title'}" if len(path) > 1 else "milestone_0_title"
        return name if name in self.fields else None

    def message_at(self, problem: FieldProblem) -> str:
        if problem.code == "required" and "/milestones/" not in f"/{problem.pointer}":
            return "A listing needs this."
        is_row = "/milestones/" in f"/{problem.pointer}"
        return problem.detail if is_row else super().message_at(problem)

    def milestones(self) -> list[list[BoundField]]:
        """Return the fields of each row."""
        return [[self[f"milestone_{at}_{part}"] for part in MILESTONE_PARTS] for at in range(self.milestone_count)]

    @property
    def has_further(self) -> bool:
        """Return whether any of the fields that the crawler never fills has a value."""
        return any(self[name].value() or name in self.errors or name in self.conflicts for name in FURTHER)

    @property
    def can_add_milestone(self) -> bool:
        return self.milestone_count < MAX_PROPOSED_MILESTONES


def _widgets() -> dict[str, forms.Widget]:
    day = forms.DateInput(attrs={"type": "date"})
    return {"date": day, "title": text_input(), "description": text_area(2), "url": address_input()}
