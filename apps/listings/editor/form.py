"""The editor's form: its sections, its fields with the API's limits, and its problems."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from django import forms
from django.forms import BoundField
from django.http import QueryDict
from rest_framework import serializers

from apps.core.editing.forms import (
    EditForm,
    TypedChoices,
    TypedField,
    address_input,
    text_area,
    text_input,
)
from apps.core.editing.marks import Entry, Seen, State
from apps.core.editing.merge import EditConflict
from apps.core.errors import FieldProblem
from apps.core.templatetags.ui import words
from apps.core.text.countries import COUNTRIES, by_name
from apps.core.text.currencies import CURRENCIES
from apps.listings.editor.form_state import LINES, NUMBERS, PRICE, SIMPLE, SPARE_FAQS
from apps.listings.fields.labels import PLATFORMS, label_of
from apps.listings.fields.serializers import MAX_FAQS, ListingFieldsSerializer
from apps.listings.models import Category, Company
from apps.listings.services.sections import Shown
from apps.sites.models import Site


class Section(NamedTuple):
    """A section of the editor. `{site}` in its texts is the site's name, `paid_section` the paid part."""

    key: str
    title: str
    text: str
    fields: tuple[str, ...] = ()
    paid_section: str = ""


SECTIONS = (
    Section(
        "company",
        "Company facts",
        "Shared by every site that lists the company.",
        (
            "name", "website", "legal_name", "contact_email", "founded_year", "team_size", "country", "city", "stage",
            "funding", "pricing_model", "price_from_cents", "price_currency", "price_period", "audience",
            "platforms", "tech_stack",
        ),
    ),
    Section(
        "texts",
        "Texts on {site}",
        "Shown only on this site.",
        ("headline", "summary", "description", "categories", "tags", "alternatives"),
    ),
    Section(
        "links",
        "Links",
        "Docs and machine-readable files. Shared by all sites.",
        ("docs_url", "openapi_url", "mcp_url", "llms_url"),
    ),
    Section(
        "questions", "Questions", "What people ask before they try it. Clear a row to remove it.", paid_section="faq"
    ),
    Section(
        "media",
        "Video",
        "Shown with your screenshots. Shared by all sites.",
        ("video_url",),
        "gallery",
    ),
    Section(
        "search-engines",
        "Search engines",
        "Shown in search results instead of the headline and summary.",
        ("seo_title", "seo_description", "seo_keywords"),
    ),
)  # fmt: skip
ADDRESSES = {"website", "docs_url", "openapi_url", "mcp_url", "llms_url", "logo_url", "video_url"}
LONG = {"summary": 4, "description": 9, "seo_description": 3, "screenshots": 4, **dict.fromkeys(LINES, 4)}
WIDE = {"headline", "summary", "description", "categories", "screenshots", "logo_url", "video_url", "audience"} | {
    "seo_title", "seo_description", "seo_keywords",
}  # fmt: skip
CHOICES: dict[str, list[tuple[str, str]]] = {
    "country": by_name(COUNTRIES),
    "pricing_model": [(code, words(code)) for code in Company.PricingModel.values],
    "price_currency": [(code, f"{code} · {name}") for code, name in CURRENCIES.items()],
    "price_period": [(code, words(code)) for code in Company.PricePeriod.values],
}
HINTS = {
    "price_from_cents": "Lowest price of a paid plan, for example 9 or 9.50.",
    "price_currency": "US dollars if not set.",
    "headline": "What it does, in one line.",
    "alternatives": "What people use today instead.",
    "contact_email": "Only site admins see it.",
}


@dataclass(frozen=True, slots=True)
class ShownField:
    """A field with its place in the section."""

    field: BoundField
    is_wide: bool
    conflict: EditConflict | None


class ListingForm(EditForm):
    """Every field that update_my_listing takes, filled with a state. Pictures have a page of their own."""

    left_out: ClassVar[tuple[str, ...]] = ("logo_url", "screenshots")

    def __init__(self, state: State, *, opened: Mapping[str, Seen], site: Site, spare_faqs: int = SPARE_FAQS) -> None:
        self.faq_rows = _rows_of(state)
        self.faq_count = min(len(self.faq_rows) + spare_faqs, MAX_FAQS)
        self.platforms = [name.removeprefix("socials.") for name in state if name.startswith("socials.")]
        self.categories = dict(Category.objects.filter(site=site).values_list("slug", "name"))
        super().__init__(_data_of(state, self.faq_rows), opened=opened)
        limits = ListingFieldsSerializer().fields
        for name in SIMPLE:
            if name not in self.left_out:
                self.fields[name] = _field(name, limits[name])
        self.fields["categories"] = _categories(self.categories, limits["categories"])
        for platform in self.platforms:
            self.fields[f"social_{platform}"] = _profile(platform)
        free = [(key, title) for key, title in PLATFORMS.items() if key not in self.platforms]
        self.fields["new_platform"] = TypedField(
            label="Platform", required=False, widget=forms.Select(choices=[("", "Choose a platform"), *free])
        )
        self.fields["new_address"] = TypedField(label="Profile URL", required=False, widget=address_input())
        for row in range(self.faq_count):
            question, answer = f"Question {row + 1}", f"Answer {row + 1}"
            self.fields[f"faq_{row}_question"] = TypedField(label=question, widget=text_input())
            self.fields[f"faq_{row}_answer"] = TypedField(label=answer, widget=text_area(2))

    def field_at(self, pointer: str) -> str | None:
        """The field of a pointer such as /headline, /fields/tags/2, /socials/github or /faqs/0/answer."""
        path = [part for part in pointer.split("/") if part]
        if path[:1] == ["fields"]:
            path = path[1:]
        if not path:
            return None
        if path[0] == "socials":
            name = f"social_{path[1]}" if len(path) > 1 else "new_address"
        elif path[0] == "faqs":
            name = f"faq_{path[1]}_{path[2] if len(path) > 2 else 'question'}" if len(path) > 1 else "faq_0_question"
        else:
            name = path[0]
        return name if name in self.fields else None

    def message_at(self, problem: FieldProblem) -> str:
        return problem.detail if "/faqs/" in f"/{problem.pointer}" else super().message_at(problem)

    def as_read(self, name: str, entry: Entry) -> Entry:
        """Categories by their titles."""
        return [self.categories.get(str(slug), str(slug)) for slug in entry] if name == "categories" else entry

    def check_platform(self, data: QueryDict) -> bool:
        """Return whether a new profile has a platform. Without one, its URL stays in the form with the problem."""
        if not data.get("new_address", "").strip() or data.get("new_platform") in PLATFORMS:
            return True
        self.data = {**self.data, "new_address": data["new_address"]}
        self.add_error("new_platform", "Choose a platform for this URL.")
        return False

    def sections(self, locked: Mapping[str, Shown]) -> Iterator[dict[str, Any]]:
        """Return the sections in reading order, with their fields, those to fold, and what unlocks hidden sections."""
        for section in SECTIONS:
            yield {
                "key": section.key,
                "title": section.title,
                "text": section.text,
                "fields": self._shown([name for name in section.fields if not self._is_folded(name)]),
                "empty": self._shown([name for name in section.fields if self._is_folded(name)]),
                "locked": locked.get(section.paid_section),
            }

    def profiles(self) -> list[ShownField]:
        """Return a row for each platform that has a profile, or had one when the form was opened."""
        return [
            ShownField(self[f"social_{platform}"], True, self.conflicts.get(f"socials.{platform}"))
            for platform in self.platforms
        ]

    @property
    def can_add_faq(self) -> bool:
        return self.faq_count < MAX_FAQS

    def faqs(self) -> list[tuple[BoundField, BoundField]]:
        return [(self[f"faq_{row}_question"], self[f"faq_{row}_answer"]) for row in range(self.faq_count)]

    def written_faqs(self) -> list[tuple[BoundField, BoundField]]:
        return self.faqs()[: len(self.faq_rows)]

    def spare_faqs(self) -> list[tuple[BoundField, BoundField]]:
        return self.faqs()[len(self.faq_rows) :]

    def _shown(self, names: list[str]) -> list[ShownField]:
        return [ShownField(self[name], name in WIDE, self.conflicts.get(name)) for name in names]

    def _is_folded(self, name: str) -> bool:
        """Return whether a field is empty, and nothing about it asks for attention."""
        bound = self[name]
        needs_entry = bound.field.required or name == "categories"
        return not (needs_entry or bound.value() or bound.errors or name in self.conflicts)


def _rows_of(state: State) -> list[list[str]]:
    return [[str(row[0]), str(row[1])] for row in state.get("faqs", [])]


def _data_of(state: State, faqs: list[list[str]]) -> Mapping[str, Any]:
    data: dict[str, Any] = {name.replace("socials.", "social_"): entry for name, entry in state.items()}
    for row, (question, answer) in enumerate(faqs):
        data |= {f"faq_{row}_question": question, f"faq_{row}_answer": answer}
    return data


def _field(name: str, rule: serializers.Field[Any, Any, Any, Any]) -> forms.Field:
    if name in CHOICES:
        choices = [("", "Not set"), *CHOICES[name]]
        return TypedField(label=label_of(name), required=False, widget=forms.Select(choices=choices))
    if name in LONG:
        widget: forms.Widget = text_area(LONG[name])
    elif name in ADDRESSES:
        widget = address_input()
    elif name in NUMBERS:
        widget = forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"})
    elif name == PRICE:
        widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})
    else:
        widget = text_input()
    return _part(label_of(name), rule, widget, hint=HINTS.get(name, ""))


def _part(label: str, rule: serializers.Field[Any, Any, Any, Any], widget: forms.Widget, hint: str = "") -> TypedField:
    help_text = " ".join(text for text in [hint, _limit(rule)] if text)
    needed = isinstance(rule, serializers.CharField) and not rule.allow_blank
    return TypedField(label=label, required=needed, help_text=help_text, widget=widget)


def _limit(rule: serializers.Field[Any, Any, Any, Any]) -> str:
    if isinstance(rule, serializers.ListField):
        return f"One per line, up to {rule.max_length}." if rule.max_length else "One per line."
    longest = getattr(rule, "max_length", None)
    is_address = isinstance(rule, serializers.URLField | serializers.EmailField)
    return f"Up to {longest:,} characters" if longest and not is_address else ""


def _profile(platform: str) -> TypedField:
    return TypedField(label=PLATFORMS.get(platform, platform), required=False, widget=address_input())


def _categories(titles: Mapping[str, str], rule: serializers.Field[Any, Any, Any, Any]) -> TypedChoices:
    most = getattr(rule, "max_length", None)
    return TypedChoices(
        required=False,
        choices=list(titles.items()),
        widget=forms.CheckboxSelectMultiple,
        help_text=f"Choose up to {most}." if most else "",
    )
