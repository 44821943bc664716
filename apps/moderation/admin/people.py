"""The moderation history of an account, as a button of its page in the admin."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.accounts.admin.accounts import UserAdmin
from apps.accounts.models import User
from apps.core.admin.decisions import page_action
from apps.core.text.dates import moment_text
from apps.moderation.models import Appeal, Case, Decision, Report

# Nobody reads on after the last decisions of years.
_MOST = 200
_LINK = '<a class="text-primary-600 dark:text-primary-500" href="{}">{}</a>'
_DECISIONS = ("When", "About", "Decision", "Reason", "Note", "By")
_APPEALS = ("When", "About", "Text", "Status", "Answer", "By")
_REPORTS = ("When", "About", "Reason", "Details", "Outcome")

admin.site.unregister(User)


@admin.register(User)
class ModeratedUserAdmin(UserAdmin):
    """Accounts with their moderation history."""

    actions_detail = ("moderation_history",)

    def has_history_permission(self, request: HttpRequest, object_id: object = None) -> bool:
        return bool(request.user.has_perm("moderation.view_case"))

    @page_action(description="Moderation history", permissions=["history"], icon="gavel")
    def moderation_history(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Decisions about what the account wrote, its appeals, and what it reported."""
        account = get_object_or_404(User, pk=object_id)
        decisions = Decision.objects.filter(author=account).select_related("case", "by")
        appeals = Appeal.objects.filter(decision__author=account).select_related("decision__case", "by")
        reports = Report.objects.filter(reporter=account).select_related("case", "decision")
        context: dict[str, Any] = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "original": account,
            "title": f"Moderation history of {account}",
            "tables": [
                ("Decisions about what they wrote", _table(_DECISIONS, decisions, _decision)),
                ("Appeals", _table(_APPEALS, appeals, _appeal)),
                ("What they reported", _table(_REPORTS, reports, _report)),
            ],
        }
        return TemplateResponse(request, "admin/moderation/history.html", context)


def _table(columns: Sequence[str], records: QuerySet[Any], cells: Callable[[Any], Sequence[Any]]) -> str:
    rows = [list(zip(columns, cells(row), strict=True)) for row in records.order_by("-pk")[:_MOST]]
    return render_to_string("admin/parts/table.html", {"columns": columns, "rows": rows, "empty": "None."})


def _decision(row: Decision) -> Sequence[Any]:
    return moment_text(row.at), _case_link(row.case), row.get_action_display(), row.reason, row.note, row.by


def _appeal(row: Appeal) -> Sequence[Any]:
    state = row.get_outcome_display() if row.outcome else "Open"
    return moment_text(row.created_at), _case_link(row.decision.case), row.text, state, row.answer, row.by


def _report(row: Report) -> Sequence[Any]:
    return moment_text(row.created_at), _case_link(row.case), row.get_reason_display(), row.note, row.outcome


def _case_link(case: Case) -> SafeString:
    return format_html(_LINK, reverse("admin:moderation_case_change", args=[case.pk]), case)


def history_link(account: User) -> SafeString:
    """Return a link to an account's moderation history."""
    address = reverse("admin:accounts_user_moderation_history", args=[account.pk])
    return format_html(_LINK, address, "Moderation history")
