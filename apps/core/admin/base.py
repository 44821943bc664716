"""Base classes of the admin pages, and the filter for rows that need attention."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar, NoReturn, TypeVar, cast

from django import forms
from django.contrib import admin
from django.contrib.auth import get_permission_codename
from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from unfold.admin import ModelAdmin as UnfoldModelAdmin
from unfold.admin import TabularInline as UnfoldTabularInline
from unfold.decorators import display
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget, UnfoldAdminURLInputWidget

from apps.core.admin.decisions import rows_at
from apps.core.admin.metrics import needs_of
from apps.core.text.dates import week_text

PARAMETER = "waits"


class WaitsFilter(admin.SimpleListFilter):
    """A choice for each need of the model. Models without needs have no such filter."""

    title = "needs attention"
    parameter_name = PARAMETER

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(need.key, need.title) for need in needs_of(model_admin.model)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        chosen = [need for need in needs_of(queryset.model) if need.key == self.value()]
        return chosen[0].rows(queryset) if chosen else queryset


class StatusFilter(admin.SimpleListFilter):
    """Filter by status: a label and a condition for each. Shows the first one's rows by default."""

    title = "status"
    parameter_name = "status"
    statuses: ClassVar[Mapping[str, tuple[str, models.Q]]]

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        _, *others = ((key, label) for key, (label, _) in self.statuses.items())
        return [*others, ("all", "All")]

    def choices(self, changelist: Any) -> Iterator[Any]:
        first, *others = super().choices(changelist)
        yield {**first, "display": next(label for label, _ in self.statuses.values())}
        yield from others

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() == "all":
            return queryset
        default, *_ = self.statuses.values()
        _, condition = self.statuses.get(self.value() or "", default)
        return queryset.filter(condition)


class ShowsNeeds:
    """The base of every admin page: puts the filter first if it has choices."""

    def get_list_filter(self: Any, request: HttpRequest) -> Any:
        result = super().get_list_filter(request)  # type: ignore[misc]  # of the admin page that this is mixed into
        return (WaitsFilter, *result) if needs_of(self.model) else result


_Method = TypeVar("_Method", bound=Callable[..., Any])


def labelled(
    *, description: str, colors: Mapping[str, str] | str, ordering: str | None = None
) -> Callable[[_Method], _Method]:
    """Show an admin method's return value as a colored label. `colors` is one color, or one per text.

    Colors are unfold's: info, success, warning, danger, primary.
    """
    label = colors if isinstance(colors, str) else dict(colors)
    return cast("Callable[[_Method], _Method]", display(description=description, ordering=ordering, label=label))


def week_column(field: str) -> Callable[[Any, Any], str]:
    """Return a list column that shows an ISO week field as `Week 47 · Nov 16–22, 2026`."""

    @admin.display(description="week", ordering=field)
    def week(self: Any, row: Any) -> str:
        return week_text(getattr(row, field))

    return week


class WeekFilter(admin.AllValuesFieldListFilter):
    """A choice for each ISO week of the field, as `Week 47 · Nov 16–22, 2026`."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        weeks = set(self.lookup_choices)
        for choice in super().choices(changelist):
            label = choice["display"]
            yield {**choice, "display": week_text(str(label)) if label in weeks else label}


class ModelAdmin(ShowsNeeds, UnfoldModelAdmin):
    """Unfold's admin page. URLs typed without a scheme get https."""

    formfield_overrides: ClassVar[dict[Any, Any]] = {
        models.URLField: {"widget": UnfoldAdminURLInputWidget, "assume_scheme": "https"},
    }

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if isinstance(field, forms.SplitDateTimeField):
            for widget, part in zip(field.widget.widgets, ("date", "time"), strict=True):
                widget.attrs["aria-label"] = f"{field.label}, {part}"
        return field

    def get_changelist_form(self, request: HttpRequest, **kwargs: Any) -> Any:
        """Name each field in a list by its column and row, since a table has no labels."""
        return type("RowForm", (_NamesFields, super().get_changelist_form(request, **kwargs)), {})

    def why_hidden(self) -> Mapping[str, Callable[[Any], str]]:
        """Return by the name of each button on a row's page what says why the row doesn't have it."""
        return {}

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """Leave out the buttons that the row doesn't have."""
        result: list[Any] = super().get_actions_detail(request, object_id)
        if not (reasons := self.why_hidden()):
            return result
        row = rows_at(self.get_queryset(request), object_id).first()
        if row is None:
            return []
        hidden = {f"{self.opts.app_label}_{self.opts.model_name}_{name}" for name, why in reasons.items() if why(row)}
        return [action for action in result if action.action_name not in hidden]


class _NamesFields:
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs["aria-label"] = f"{field.label}, {self.instance}"


class ReadOnly:
    """Read-only rows, written by the services."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class TabularInline(UnfoldTabularInline):
    """Rows in a table on the page of their parent."""

    extra = 0


class ReadOnlyInline(ReadOnly, TabularInline):
    """Read-only rows, for everyone with permission to view or change the parent."""

    hide_title = True

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        parent = self.parent_model._meta
        return any(
            request.user.has_perm(f"{parent.app_label}.{verb}_{parent.model_name}") for verb in ("view", "change")
        )


class TakenAlong(ReadOnly):
    """Read-only rows that are deleted only together with their parent, such as an account."""

    def has_delete_permission(self: Any, request: HttpRequest, obj: Any = None) -> bool:
        name = get_permission_codename("delete", self.opts)
        return bool(request.user.has_perm(f"{self.opts.app_label}.{name}"))

    def get_actions(self: Any, request: HttpRequest) -> dict[str, Any]:
        result = super().get_actions(request)  # type: ignore[misc]  # of the admin page that this is mixed into
        return {name: action for name, action in result.items() if name != "delete_selected"}

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> NoReturn:
        raise PermissionDenied

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        context = {**(extra_context or {}), "show_delete": False}
        return super().change_view(request, object_id, form_url, context)  # type: ignore[misc, no-any-return]  # as above


class ChecksField(forms.MultipleChoiceField):
    """Known choices as checkboxes, in the order in which they are shown."""

    widget = UnfoldAdminCheckboxSelectMultipleWidget

    def __init__(self, *, choices: Iterable[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(choices=list(choices), required=False, **kwargs)
