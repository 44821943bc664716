"""Record edits made in admin forms in the version history, without losing concurrent ones."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from apps.accounts.actors import actor_of
from apps.core.admin.base import ModelAdmin
from apps.core.admin.decisions import admin_url
from apps.core.admin.fields import AmountField
from apps.core.text.digest import short_digest
from apps.listings import history
from apps.listings.admin.rows import LinesField, ProfilesField, QuestionsField, RowsField
from apps.listings.editor.form_state import LINES, PRICE
from apps.listings.fields.labels import label_of
from apps.listings.fields.serializers import ListingFieldsSerializer
from apps.listings.models import Category, Company, Listing
from apps.listings.services import editing
from apps.listings.services.locks import NotEditable, lock_company
from apps.sites.models import Site

# Fields that are edited as rows of inputs.
_ROWS: dict[str, type[RowsField]] = {"socials": ProfilesField, "faqs": QuestionsField}


class OwnersFieldsForm(forms.ModelForm[Any]):
    """Validate new input as an owner's request. Values that were there before and stay unchanged are kept.

    `opened` marks the values when the form was opened: an outdated form is not saved.
    """

    opened = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["opened"] = _mark(self.initial)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if self.instance.pk and cleaned.get("opened") != self.initial["opened"]:
            raise forms.ValidationError("Someone else changed this. Reload the page and repeat your changes.")
        # Rows are normalized, which is no reason to save a value that nobody changed.
        cleaned |= {name: self.initial[name] for name in _ROWS if self._is_kept(name)}
        known = ListingFieldsSerializer().fields.keys()
        changed = {name: cleaned[name] for name in self.changed_data if name in known and name in cleaned}
        categories = changed.get("categories")
        if categories is not None:
            changed["categories"] = [category.slug for category in categories]
        # Null would keep a value.
        sent = ListingFieldsSerializer(data={name: "" if to is None else to for name, to in changed.items()})
        if not sent.is_valid():
            for name, problems in sent.errors.items():
                self._refuse(name, problems)
            return cleaned
        if categories is None:
            return {**cleaned, **sent.validated_data}
        self._check_sites(categories, cleaned.get("site"))
        return {**cleaned, **sent.validated_data, "categories": categories}

    def _is_kept(self, name: str) -> bool:
        return name in self.fields and name in self.initial and name not in self.changed_data

    def _refuse(self, name: str, problems: Any) -> None:
        """Show why a value is refused, in rows beside their inputs."""
        field = self.fields[name]
        marked = field.mark(problems, self[name].value()) if isinstance(field, RowsField) else ""
        self.add_error(name, marked or list(_sentences(problems)))

    def _check_sites(self, categories: Iterable[Category], chosen: Site | None) -> None:
        """Slugs of two sites may be the same, so rows are compared."""
        site = self.instance.site if self.instance.pk else chosen
        foreign = [f"{category} belongs to {category.site}." for category in categories if category.site != site]
        if foreign:
            self.add_error("categories", foreign)


class InHistory(ModelAdmin):
    """The admin page of a company or a listing."""

    form = OwnersFieldsForm

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        name = db_field.name
        if name in _ROWS or name in LINES:
            return _ROWS.get(name, LinesField)(label=label_of(name))
        if name == PRICE:
            return AmountField(label=label_of(name), required=False)
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field and name in ListingFieldsSerializer().fields:
            field.label = label_of(name)
        return field

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        result = super().get_fieldsets(request, obj)
        if obj is None or not self.has_change_permission(request, obj):
            return result
        (title, first), *others = result
        return [(title, {**first, "fields": (*first["fields"], "opened")}), *others]

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Lock the company before reading the row, so that no concurrent edit is lost."""
        with transaction.atomic():
            try:
                self._lock(request, object_id)
            except NotEditable as problem:
                self.message_user(request, problem.detail, messages.ERROR)
                return HttpResponseRedirect(admin_url(self, "changelist"))
            answer: HttpResponse = super().changeform_view(request, object_id, *args, **kwargs)
            return answer

    def _lock(self, request: HttpRequest, object_id: str | None) -> None:
        row = self.get_object(request, unquote(object_id)) if request.method == "POST" and object_id else None
        if isinstance(row, Company):
            lock_company(row.pk)
        elif isinstance(row, Listing):
            lock_company(row.company_id).listing(row.pk)

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:
        """Remember the row's state in the database before it is written."""
        if change:
            form.before = history.snapshot_of(type(form.instance).objects.get(pk=form.instance.pk))
        return super().save_form(request, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        row: Company | Listing = type(form.instance).objects.get(pk=form.instance.pk)
        by = actor_of(request, via="admin")
        if change:
            editing.record_admin_edit(row=row, before=form.before, by=by)
        else:
            editing.record_admin_addition(row=row, by=by)


def _mark(values: Mapping[str, Any]) -> str:
    """Return a short mark of a form's values. Equal values have equal marks."""
    text = json.dumps(values, default=lambda one: getattr(one, "pk", None) or str(one), sort_keys=True)
    return short_digest(text)


def _sentences(problems: Any) -> Iterator[str]:
    match problems:
        case Mapping():
            for name, inside in problems.items():
                yield from (f"{name}: {sentence}" for sentence in _sentences(inside))
        case list():
            for inside in problems:
                yield from _sentences(inside)
        case _:
            yield str(problems)
