"""The page on which an owner compares a listing with its reread website, and chooses what to accept."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from apps.accounts.actors import account_of, actor_of
from apps.core.errors import DomainError
from apps.core.versions.differences import Difference as Shown
from apps.core.versions.differences import Piece, Row
from apps.drafts.models import Draft
from apps.drafts.proposals.apply_filter import EMPTY
from apps.drafts.proposals.milestones import FIELD as MILESTONES
from apps.drafts.services import guidance, recrawl, submission
from apps.drafts.services.recrawl import Difference
from apps.listings.fields.differences import difference
from apps.listings.fields.labels import label_of
from apps.listings.fields.names import COMPANY_FIELDS
from apps.listings.models import Category
from apps.sites.requests import SiteHttpRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def differences(request: SiteHttpRequest, pk: int) -> HttpResponse:
    """A box for each field that differs. Only the ticked ones are accepted."""
    own = Draft.objects.visible_to(account_of(request)).select_related("site", "rereads__company", "rereads__site")
    draft = get_object_or_404(own, pk=pk, rereads__isnull=False)
    if draft.status != Draft.Status.READY:
        return redirect("draft", pk=draft.pk)
    if request.method != "POST":
        return _page(request, draft)
    marks = set(request.POST.getlist("take"))
    try:
        submission.submit_differences(draft=draft, marks=marks, by=actor_of(request))
    except submission.NothingChosen as error:
        return _page(request, draft, "Select the changes for your listing, or discard them all.", error.status, marks)
    except DomainError as error:
        return _page(request, draft, error.detail, error.status, marks)
    messages.success(request, "Listing updated")
    return redirect("draft", pk=draft.pk)


def _page(
    request: SiteHttpRequest, draft: Draft, problem: str = "", status: int = 200, ticked: set[str] | None = None
) -> HttpResponse:
    listing = recrawl.listing_of(draft)
    result = recrawl.differences(draft)
    titles = dict(Category.objects.filter(site=draft.site).values_list("slug", "name"))
    logo_keys = dict(draft.pictures.filter(field="logo_url").values_list("url", "key"))
    rows = [
        _row(one, draft, titles, logo_keys) | {"is_ticked": one.is_advised if ticked is None else one.mark in ticked}
        for one in result
    ]
    context = {
        "draft": {"id": draft.pk, "url": draft.url, "read_at": draft.finished_at},
        "listing": {"name": listing.company.name, "page_url": listing.page_url} if listing else None,
        "given": [row for row in rows if not row["is_emptied"]],
        "not_given": [row for row in rows if row["is_emptied"]],
        "problem": problem,
    }
    return render(request, "drafts/differences.html", context, status=status)


def _row(diff: Difference, draft: Draft, titles: Mapping[str, str], logo_keys: Mapping[str, str]) -> dict[str, Any]:
    return {
        "mark": diff.mark,
        "change": _shown(diff, titles),
        "is_emptied": diff.website in EMPTY,
        "is_shared": diff.field in COMPANY_FIELDS,
        "is_advised": diff.is_advised,
        "reason": diff.reason,
        "logo_key": logo_keys.get(diff.website, "") if diff.field == "logo_url" else "",
        "evidence": next((item for item in guidance.evidence_of(draft) if _speaks_of(item, diff)), None),
    }


def _speaks_of(evidence: Mapping[str, Any], diff: Difference) -> bool:
    """Return whether to show the source of the difference. For profiles, only if it differs."""
    name, _, part = str(evidence["field"]).partition(".")
    if name != diff.field or not evidence["is_current"]:
        return False
    is_same_profile = isinstance(diff.listing, dict) and diff.listing.get(part) == diff.website.get(part)
    return not is_same_profile


def _shown(diff: Difference, titles: Mapping[str, str]) -> Shown:
    if diff.field != MILESTONES:
        return difference(diff.field, diff.listing, diff.website, titles=titles)
    texts = ("\n".join(filter(None, [f"{one['date']}: {one['title']}", one["description"]])) for one in diff.website)
    rows = [Row([Piece("added", text)]) for text in texts]
    return Shown(label_of(diff.field), rows, unchanged=len(diff.listing), is_list=True)
