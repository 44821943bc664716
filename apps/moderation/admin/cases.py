"""The moderators' queue: what was reported, by object, the oldest report first."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count, F, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from apps.accounts.actors import actor_of
from apps.core.admin.base import ModelAdmin, ReadOnly, ReadOnlyInline, StatusFilter
from apps.core.admin.decisions import Decides, Decision, page_action
from apps.core.errors import NotFound
from apps.moderation.admin.forms import NoteForm, RemoveForm
from apps.moderation.admin.people import history_link
from apps.moderation.kinds import kinds
from apps.moderation.models import Case, Report
from apps.moderation.models import Decision as Decided
from apps.moderation.services.appeals import last_against
from apps.moderation.services.decisions import keep_reported

_LINK = '<a class="text-primary-600 dark:text-primary-500" href="{0}">{1}</a>'
_MOST_REASONS = 5


def _keep(case: Case, values: Mapping[str, Any], request: HttpRequest) -> None:
    keep_reported(case=case, note=values["note"], by=actor_of(request, via="admin"))


def _remove(case: Case, values: Mapping[str, Any], request: HttpRequest) -> None:
    kind = kinds()[case.kind]
    row = kind.find(case.object_id)
    if row is None:
        raise NotFound("It no longer exists.")
    kind.remove(row, by=actor_of(request, via="admin"), **values)


def _restore(case: Case, values: Mapping[str, Any], request: HttpRequest) -> None:
    decision = last_against(case)
    if decision:
        kinds()[case.kind].restore(decision, note=values["note"], by=actor_of(request, via="admin"))


def _why_not_keep(case: Case) -> str:
    return "" if case.reports.open().exists() else "No open report."


def _why_not_remove(case: Case) -> str:
    kind = kinds()[case.kind]
    row = kind.find(case.object_id)
    return "No longer there." if row is None else kind.why_not_remove(row)


def _why_not_restore(case: Case) -> str:
    return "" if last_against(case) else "Not removed."


def _effects(case: Case) -> list[str]:
    reports = case.reports.open()
    texts = [f"Reported: {report}" for report in reports[:_MOST_REASONS]]
    more = reports.count() - len(texts)
    return [f"{kinds()[case.kind].label} by {case.author}", *texts, *([f"{more} more reports"] if more > 0 else [])]


def _what_removing_does(case: Case) -> list[str]:
    return [*_effects(case), kinds()[case.kind].removing]


KEEP = Decision(
    title="Keep",
    explanation=["The texts stay as they are, and their reports are closed. The reporters are notified."],
    done="Kept",
    decide=_keep,
    why_not=_why_not_keep,
    effects=_effects,
    form=NoteForm,
)
REMOVE = Decision(
    title="Remove",
    explanation=[
        "The authors get the reason by email and can appeal. The reports are closed, and the reporters are notified.",
    ],
    done="Removed",
    decide=_remove,
    why_not=_why_not_remove,
    effects=_what_removing_does,
    form=RemoveForm,
    is_dangerous=True,
)
RESTORE = Decision(
    title="Restore",
    explanation=["The texts are back as they were before their removal."],
    done="Restored",
    decide=_restore,
    why_not=_why_not_restore,
    effects=_effects,
    form=NoteForm,
)


class ReportInline(ReadOnlyInline):
    model = Report
    per_page = 20
    fields = ("created_at", "reason", "note", "reporter", "closed_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        result: QuerySet[Report] = super().get_queryset(request)
        return result.select_related("reporter")


class DecisionInline(ReadOnlyInline):
    model = Decided
    per_page = 20
    verbose_name_plural = "history"
    fields = ("at", "action", "by", "reason", "note")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Decided]:
        result: QuerySet[Decided] = super().get_queryset(request)
        return result.select_related("by")


class ReportFilter(StatusFilter):
    statuses: ClassVar = {
        "open": ("Open", Q(reported_at__isnull=False)),
        "closed": ("Closed", Q(reported_at__isnull=True)),
    }


@admin.register(Case)
class CaseAdmin(Decides, ReadOnly, ModelAdmin):
    list_display = ("title", "excerpt", "author", "open_reports", "reasons", "first_report", "site")
    list_filter = (ReportFilter, "kind", "site")
    search_fields = ("title", "author__email")
    show_full_result_count = False
    inlines = (ReportInline, DecisionInline)
    actions = ("keep", "remove")
    actions_detail = ("keep_one", "remove_one", "restore_one")
    fields = ("kind_label", "author", "history", "page", "in_admin", "text", "now")
    readonly_fields = ("kind_label", "history", "page", "in_admin", "now")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Case]:
        result: Any = super().get_queryset(request)
        is_open = Q(reports__closed_at__isnull=True, reports__isnull=False)
        counted = result.with_first_report().annotate(
            open_count=Count("reports", filter=is_open),
            open_reasons=ArrayAgg("reports__reason", filter=is_open, distinct=True, default=[]),
        )
        return counted.select_related("author", "site")  # type: ignore[no-any-return]  # of the page that this extends

    def get_ordering(self, request: HttpRequest) -> Sequence[Any]:
        """Put reported ones first, the oldest report on top."""
        return (F("reported_at").asc(nulls_last=True), "-pk")

    def why_hidden(self) -> Mapping[str, Callable[[Any], str]]:
        return {"keep_one": KEEP.why_not, "remove_one": REMOVE.why_not, "restore_one": RESTORE.why_not}

    # ---- what is shown ----
    @admin.display(description="kind", ordering="kind")
    def kind_label(self, case: Case) -> str:
        return kinds()[case.kind].label

    @admin.display(description="text")
    def excerpt(self, case: Case) -> str | None:
        return Truncator(case.text).chars(80) or None

    @admin.display(description="open reports", ordering="open_count")
    def open_reports(self, case: Any) -> int:
        return int(case.open_count)

    @admin.display(description="reasons")
    def reasons(self, case: Any) -> str | None:
        return ", ".join(Report.Reason(reason).label for reason in case.open_reasons) or None

    @admin.display(description="first report", ordering="reported_at")
    def first_report(self, case: Any) -> Any:
        return case.reported_at

    @admin.display(description="author's history")
    def history(self, case: Case) -> SafeString:
        return history_link(case.author)

    @admin.display(description="page")
    def page(self, case: Case) -> SafeString | str:
        kind = kinds()[case.kind]
        row = kind.find(case.object_id)
        if row is None:
            return "No longer there."
        written = kind.written(row)
        if not kind.public(written.site).filter(pk=row.pk).exists():
            return "Hidden from visitors."
        return format_html(_LINK, written.site.url(written.path), written.site.url(written.path))

    @admin.display(description="in the admin")
    def in_admin(self, case: Case) -> SafeString:
        kind = kinds()[case.kind]
        return format_html(_LINK, kind.admin_path(case.object_id), kind.label)

    @admin.display(description="text now")
    def now(self, case: Case) -> str:
        kind = kinds()[case.kind]
        row = kind.find(case.object_id)
        text = kind.written(row).text if row is not None else ""
        return "As reported." if text == case.text else text or "None."

    # ---- decisions ----
    @admin.action(description="Keep", permissions=["decide"])
    def keep(self, request: HttpRequest, cases: QuerySet[Case]) -> HttpResponse:
        return self.ask(request, cases, KEEP, back=request.get_full_path())

    @admin.action(description="Remove with a reason", permissions=["decide"])
    def remove(self, request: HttpRequest, cases: QuerySet[Case]) -> HttpResponse:
        return self.ask(request, cases, REMOVE, back=request.get_full_path())

    @page_action(description="Keep", permissions=["decide"], icon="check")
    def keep_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, KEEP)

    @page_action(description="Remove", permissions=["decide"], icon="close", is_dangerous=True)
    def remove_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, REMOVE)

    @page_action(description="Restore", permissions=["decide"], icon="visibility")
    def restore_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, RESTORE)
