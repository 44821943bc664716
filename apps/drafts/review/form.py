"""The review form: every field that update_draft takes, in the order in which an owner reads them."""

from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from django import forms
from django.forms import BoundField

from apps.core.editing.forms import TypedField, address_input, text_area, text_input
from apps.core.editing.marks import Seen, State
from apps.core.errors import FIELD_REQUIRED, FieldProblem
from apps.drafts.api.serializers import MAX_PROPOSED_MILESTONES
from apps.drafts.models import Draft
from apps.drafts.proposals.milestones import FIELD as MILESTONES
from apps.drafts.review.state import MILESTONE_PARTS
from apps.listings.editor.form import ListingForm


class Section(NamedTuple):
    """A section of the review with its fields. List fields such as faqs have rows of their own."""

    title: str
    fields: tuple[str, ...]


SECTIONS = (
    Section(
        "Product",
        (
            "name", "headline", "summary", "description", "categories", "logo_url", "screenshots", "video_url", "tags",
            "platforms", "audience", "tech_stack", "alternatives", "language",
        ),
    ),
    Section(
        "Company and price",
        (
            "pricing_model", "price_from_cents", "price_currency", "price_period", "founded_year", "country", "city",
            "team_size", "contact_email", "legal_name", "stage", "funding", "founders",
        ),
    ),
    Section("Links", ("docs_url", "openapi_url", "mcp_url", "llms_url", "socials")),
    Section("Questions and milestones", ("faqs", MILESTONES)),
    Section("Search engines", ("seo_title", "seo_description", "seo_keywords")),
)  # fmt: skip
_LABELS = {"date": "Day", "title": "Milestone title", "description": "Description", "url": "Link"}


class DraftForm(ListingForm):
    """The editor's form with milestones and pictures, and without the website, which the draft was made from."""

    left_out: ClassVar = ("website",)

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
        self.state = state
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
        if problem.code == "required":
            return FIELD_REQUIRED
        is_milestone = f"/{MILESTONES}/" in f"/{problem.pointer}"
        return problem.detail if is_milestone else super().message_at(problem)

    def milestones(self) -> list[list[BoundField]]:
        """Return the fields of each row."""
        return [[self[f"milestone_{at}_{part}"] for part in MILESTONE_PARTS] for at in range(self.milestone_count)]

    @property
    def can_add_milestone(self) -> bool:
        return self.milestone_count < MAX_PROPOSED_MILESTONES


def _widgets() -> dict[str, forms.Widget]:
    day = forms.DateInput(attrs={"type": "date"})
    return {"date": day, "title": text_input(), "description": text_area(2), "url": address_input()}
