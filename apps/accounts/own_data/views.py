"""Pages to download one's data and to delete one's account."""

from collections.abc import Callable
from typing import TypeVar, cast

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.storage import default_storage
from django.http import FileResponse, Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.accounts.actors import account_of
from apps.accounts.models import DataExport
from apps.accounts.own_data.deletion import GRACE, cancel_deletion, schedule_deletion, why_not_deletable
from apps.accounts.own_data.exports import request_data_export
from apps.core.errors import DomainError
from apps.sites.requests import SiteHttpRequest

_View = TypeVar("_View", bound=Callable[..., HttpResponseBase])


def asks_again(view: _View) -> _View:
    """Require a recent password or passkey."""
    return cast("_View", reauthentication_required(view))


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def own_data(request: SiteHttpRequest) -> HttpResponse:
    """Show the newest export and any scheduled deletion. POST requests an export."""
    account = account_of(request)
    if request.method == "POST":
        request_data_export(user=account)
        messages.success(request, "We’ll email you when your data is ready")
        return redirect("own_data")
    exports = DataExport.objects.filter(user=account)
    context = {
        "pending": exports.filter(made_at__isnull=True).last(),
        "ready": exports.ready().last(),
        "deletion_due_at": account.deletion_due_at,
    }
    return render(request, "accounts/own_data.html", context)


@never_cache
@login_required
@asks_again
@require_safe
def download(request: SiteHttpRequest, export_id: int) -> HttpResponseBase:
    """Serve an export to its owner, after a recent password or passkey."""
    export = get_object_or_404(DataExport.objects.ready(), pk=export_id, user=account_of(request))
    try:
        file = default_storage.open(export.file)
    except FileNotFoundError as error:
        raise Http404 from error
    name = f"{request.site.key}-data-{export.requested_at:%Y-%m-%d}.zip"
    return FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")


@never_cache
@login_required
@asks_again
@require_http_methods(["GET", "HEAD", "POST"])
def delete_account(request: SiteHttpRequest) -> HttpResponse:
    """Explain what deleting the account does. POST schedules it."""
    account = account_of(request)
    if request.method == "POST":
        try:
            schedule_deletion(user=account)
        except DomainError as error:
            messages.error(request, error.detail)
        return redirect("own_data")
    context = {
        "companies": account.companies.filter(merged_into=None).order_by("name"),
        "order_count": account.orders.filter(paid_at__isnull=False).count(),
        "days": GRACE.days,
        "problem": why_not_deletable(account),
    }
    return render(request, "accounts/delete_account.html", context)


@login_required
@require_POST
def keep_account(request: SiteHttpRequest) -> HttpResponse:
    """Cancel a scheduled deletion."""
    cancel_deletion(user=account_of(request))
    messages.success(request, "Deletion canceled")
    return redirect("own_data")
