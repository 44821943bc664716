"""Pages of drafts: start one, watch it, correct it, submit it."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.accounts.actors import actor_of
from apps.accounts.requests import account_of
from apps.core.errors import DomainError
from apps.core.page_numbers import page_object, page_rows
from apps.drafts import guidance, services
from apps.drafts.forms import AddressForm, ProposalForm
from apps.drafts.models import Draft
from apps.sites.requests import SiteHttpRequest

# What an owner looks at first stands first.
ORDER = ("name", "headline", "summary", "categories", "logo_url", "screenshots", "socials", "contact_email")
LABELS = {
    "logo_url": "Logo",
    "seo_title": "Title for search engines",
    "seo_description": "Description for search engines",
    "contact_email": "Contact",
    "docs_url": "Documentation",
    "openapi_url": "OpenAPI description",
    "mcp_url": "MCP server",
    "llms_url": "llms.txt",
}


@login_required
@require_safe
def drafts(request: SiteHttpRequest) -> HttpResponse:
    """The account's drafts on this site, newest first."""
    own = Draft.objects.visible_to(account_of(request)).filter(site=request.site).order_by("-pk")
    page = page_object(request, total=own.count(), per_page=20)
    return render(request, "drafts/list.html", {"drafts": page_rows(own, page), "page_obj": page})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: SiteHttpRequest) -> HttpResponse:
    """Ask for the website and start its draft; with `refresh`, of one that the account lists already."""
    refresh = "refresh" in request.GET or bool(request.POST.get("refresh"))
    initial = {"url": request.GET.get("url", "")[:2000], "refresh": refresh or None}
    form = AddressForm(request.POST or None, initial=initial)
    status, listed_url = 200, ""
    if request.method == "POST" and form.is_valid():
        try:
            url, refresh = form.cleaned_data["url"], form.cleaned_data["refresh"]
            draft, _ = services.create_draft(site=request.site, url=url, refresh=refresh, by=account_of(request))
        except services.AlreadyListed as error:
            form.add_error("url", error.detail)
            status, listed_url = error.status, url
        except DomainError as error:
            form.add_error("url" if error.errors else None, " ".join([error.detail, *error.next_steps]))
            status = error.status
        else:
            return redirect("draft", pk=draft.pk)
    elif form.is_bound:
        status = 422
    context = {"form": form, "is_rereading": refresh, "listed_url": listed_url}
    return render(request, "drafts/new.html", context, status=status)


@login_required
@require_safe
def detail(request: SiteHttpRequest, pk: int) -> HttpResponse:
    """Progress of a draft, then its proposal beside the evidence; polled by htmx while it is being made."""
    draft = _own(request, pk)
    if draft.rereads_id and draft.status == Draft.Status.READY:
        return redirect("draft_differences", pk=draft.pk)
    form = ProposalForm(draft) if draft.status == Draft.Status.READY else None
    return _detail(request, draft, form)


@login_required
@require_POST
def submit(request: SiteHttpRequest, pk: int) -> HttpResponse:
    """Make the draft a listing, with the owner's corrections."""
    draft = _own(request, pk)
    if draft.rereads_id:
        return redirect("draft", pk=draft.pk)
    form = ProposalForm(draft, request.POST)
    # A second click finds the draft submitted, and its form has nothing left to check.
    if draft.status == Draft.Status.READY and not form.is_valid():
        return _detail(request, draft, form, status=422)
    try:
        fields = form.cleaned_data if form.is_valid() else {}
        services.submit_draft(draft=draft, fields=fields, by=actor_of(request))
    except services.AlreadySubmitted:
        messages.error(request, "The draft was submitted before, and stays as it was. Change its listing instead.")
    except DomainError as error:
        form.add_error(None, " ".join([error.detail, *error.next_steps]))
        return _detail(request, draft, form, status=error.status)
    return redirect("draft", pk=draft.pk)


@login_required
@require_POST
def cancel(request: SiteHttpRequest, pk: int) -> HttpResponse:
    """Stop reading, or discard what was read."""
    draft = _own(request, pk)
    try:
        services.cancel_draft(draft=draft, by=actor_of(request))
    except DomainError as error:
        messages.error(request, error.detail)
        return redirect("draft", pk=draft.pk)
    told = "Nothing was changed." if draft.rereads_id else f"The draft of {draft.url} was cancelled."
    messages.success(request, told)
    return redirect("drafts")


def _own(request: SiteHttpRequest, pk: int) -> Draft:
    drafts = Draft.objects.visible_to(account_of(request))
    return get_object_or_404(drafts.select_related("site", "listing__company", "listing__site"), pk=pk)


def _detail(request: SiteHttpRequest, draft: Draft, form: ProposalForm | None, *, status: int = 200) -> HttpResponse:
    proposal = _items(draft, form)
    shown = {item["name"] for item in proposal}
    context = {
        "draft": _head(draft),
        "proposal": proposal,
        "missing": [{"label": _label(item["field"]), "message": item["reason"]} for item in draft.missing],
        "form": form,
        "extra_fields": [field for field in form if field.name not in shown] if form else [],
    }
    return render(request, "drafts/detail.html", context, status=status)


def _head(draft: Draft) -> dict[str, Any]:
    listing = draft.listing
    return {
        "id": draft.pk,
        "url": draft.url,
        "status": draft.status,
        "progress": {"done": draft.pages_done, "planned": draft.pages_planned},
        "error": guidance.error_of(draft),
        "rereads": draft.rereads_id is not None,
        "listing": {"name": listing.company.name, "page_url": listing.page_url} if listing else None,
    }


def _items(draft: Draft, form: ProposalForm | None) -> list[dict[str, Any]]:
    """A row for each proposed value; lists and dictionaries have a row for each entry with its own evidence."""
    evidence = {item["field"]: item for item in guidance.evidence_of(draft)}
    rows = []
    for name, value in sorted(draft.proposal.items(), key=lambda item: _place(item[0])):
        field = form[name] if form and name in form.fields else None
        if field is not None:
            first = next((item for key, item in evidence.items() if key.split(".")[0] == name), None)
            rows.append(_item(name, _label(name), value, first) | {"field": field})
        elif isinstance(value, dict):
            rows += [_item(name, key, entry, evidence.get(f"{name}.{key}")) for key, entry in value.items()]
        elif isinstance(value, list):
            rows += [
                _item(name, _label(name), entry, evidence.get(f"{name}.{at}") or evidence.get(f"{name}.{entry}"))
                for at, entry in enumerate(value)
            ]
        else:
            rows.append(_item(name, _label(name), value, evidence.get(name)))
    return rows


def _item(name: str, label: str, value: Any, evidence: dict[str, Any] | None) -> dict[str, Any]:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    is_image = name in {"logo_url", "screenshots"}
    is_address = text.startswith(("https://", "http://"))
    return {
        "name": name,
        "label": label,
        "value": text,
        "href": text if is_address else "",
        "image_url": text if is_image and text.startswith("https://") else "",
        "field": None,
        "evidence": evidence and {**evidence, "confidence": round(evidence["confidence"] * 100)},
    }


def _place(field: str) -> tuple[int, str]:
    return (ORDER.index(field) if field in ORDER else len(ORDER), field)


def _label(field: str) -> str:
    return LABELS.get(field) or field.replace("_", " ").capitalize()
