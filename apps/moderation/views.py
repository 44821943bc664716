"""Pages to report what others wrote, and for authors to read and appeal decisions."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from apps.accounts.actors import account_of, actor_of
from apps.core.errors import DomainError
from apps.core.web.page_numbers import counted_page
from apps.moderation.forms import AppealForm, ReportForm
from apps.moderation.kinds import Written, kinds
from apps.moderation.services import appeals, reports
from apps.sites.requests import SiteHttpRequest

DECISIONS_PER_PAGE = 20
_EXCERPT = 600
_form_methods = require_http_methods(["GET", "HEAD", "POST"])


@login_required
@_form_methods
def report(request: SiteHttpRequest, kind: str, object_id: int) -> HttpResponse:
    """Ask why something public is reported, and put it into the moderators' queue."""
    if kind not in kinds():
        raise Http404
    row = get_object_or_404(kinds()[kind].public(request.site), pk=object_id)
    written = kinds()[kind].written(row)
    if written.author.pk == request.user.pk:
        messages.error(request, "You can’t report what you wrote yourself.")
        return redirect(written.path)
    form = ReportForm(request.POST if request.method == "POST" else None)
    if request.method != "POST":
        return _report_page(request, written, form)
    try:
        reports.take_report(account_of(request).pk)
        reason, note = (request.POST.get(name, "") for name in ("reason", "note"))
        reports.report(kind=kinds()[kind], row=row, reason=reason, note=note, by=actor_of(request))
    except DomainError as refusal:
        form.errors.clear()
        form.refuse(refusal)
        return _report_page(request, written, form, status=refusal.status)
    messages.success(request, "Reported. A moderator will look at it.")
    return redirect(written.path)


@login_required
@require_safe
def own_decisions(request: SiteHttpRequest) -> HttpResponse:
    """List what moderators decided about the account's texts, with its appeals."""
    page, rows = counted_page(request, appeals.told_decisions(account_of(request)), per_page=DECISIONS_PER_PAGE)
    items = [(decision, not appeals.why_not_appeal(decision)) for decision in rows]
    return render(request, "moderation/decisions.html", {"decisions": items, "page_obj": page})


@login_required
@_form_methods
def appeal(request: SiteHttpRequest, decision_id: int) -> HttpResponse:
    """Show the form for an appeal, and send it."""
    decision = get_object_or_404(appeals.told_decisions(account_of(request)), pk=decision_id)
    if problem := appeals.why_not_appeal(decision):
        messages.info(request, problem)
        return redirect("own_decisions")
    form = AppealForm(request.POST if request.method == "POST" else None)
    context: dict[str, Any] = {"decision": decision, "form": form, "action": request.path}
    if request.method != "POST":
        return render(request, "moderation/appeal.html", context)
    try:
        appeals.send_appeal(decision=decision, text=request.POST.get("text", ""), by=actor_of(request))
    except DomainError as refusal:
        form.refuse(refusal)
        return render(request, "moderation/appeal.html", context, status=refusal.status)
    messages.success(request, "Appeal sent. You’ll get the answer by email.")
    return redirect("own_decisions")


def _report_page(request: SiteHttpRequest, written: Written, form: ReportForm, *, status: int = 200) -> HttpResponse:
    text = written.text[:_EXCERPT] + ("…" if len(written.text) > _EXCERPT else "")
    context = {"written": written, "text": text, "form": form, "action": request.path}
    return render(request, "moderation/report.html", context, status=status)
