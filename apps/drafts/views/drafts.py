"""Pages of drafts: view them, start one, cancel one."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.accounts.actors import account_of, actor_of
from apps.core.errors import DomainError
from apps.core.web.forms import WebsiteField
from apps.core.web.hosts import display_url
from apps.core.web.page_numbers import page_object, page_rows
from apps.drafts.crawl.addresses import check_address
from apps.drafts.models import Draft
from apps.drafts.services import creation
from apps.drafts.services import drafts as services
from apps.listings.services.creation import WebsiteTaken
from apps.sites.requests import SiteHttpRequest

# In the session of a visitor, who signs up next.
_ASKED_BEFORE = "draft_asked_for"


class AddressForm(forms.Form):
    """The website to draft from."""

    url = WebsiteField(help_text="Such as https://example.com.")
    refresh = forms.BooleanField(required=False, widget=forms.HiddenInput)


@login_required
@require_safe
def drafts(request: SiteHttpRequest) -> HttpResponse:
    """The account's drafts on this site, newest first."""
    own = Draft.objects.visible_to(account_of(request)).filter(site=request.site).order_by("-pk")
    page = page_object(request, total=own.count(), per_page=20)
    return render(request, "drafts/list.html", {"drafts": page_rows(own, page), "page_obj": page})


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: SiteHttpRequest) -> HttpResponse:
    """Ask for the website and start its draft. With `refresh`, reread one that the account already lists.

    Visitors without an account sign up first, unless they sent an address that no account could draft from. Then the
    draft starts.
    """
    asked = request.GET.get("url", "")[:2000]
    if asked and not request.user.is_authenticated:
        form = AddressForm({"url": asked})
        if not _is_draftable(form):
            return render(request, "drafts/new.html", {"form": form}, status=422)
        request.session[_ASKED_BEFORE] = asked
    return _new(request)


def _is_draftable(form: AddressForm) -> bool:
    if not form.is_valid():
        return False
    try:
        check_address(form.cleaned_data["url"])
    except DomainError as error:
        form.add_error("url", forms.ValidationError(error.detail, code=error.code))
    return form.is_valid()


@login_required(login_url="account_signup")
def _new(request: SiteHttpRequest) -> HttpResponse:
    refresh = "refresh" in request.GET or bool(request.POST.get("refresh"))
    initial = {"url": request.GET.get("url", "")[:2000], "refresh": refresh or None}
    # Who asked for it before they had an account isn't asked again.
    is_asked = request.method == "GET" and request.session.pop(_ASKED_BEFORE, "") == initial["url"] != ""
    form = AddressForm(initial if is_asked else request.POST or None, initial=initial)
    status, listed_url, listing_url, claim_url, by_hand = 200, "", "", "", None
    if (is_asked or request.method == "POST") and form.is_valid():
        try:
            url, refresh = form.cleaned_data["url"], form.cleaned_data["refresh"]
            draft, _ = creation.create_draft(
                site=request.site,
                url=url,
                refresh=refresh,
                by=actor_of(request),
                retries=creation.check_retries(url, by=actor_of(request)),
            )
        except creation.AlreadyListed as error:
            form.add_error("url", error.detail)
            status, listed_url, listing_url = error.status, url, error.extra["listing_url"]
        except WebsiteTaken as error:
            form.add_error("url", error.detail)
            status, claim_url = error.status, error.extra["claim_url"]
        except creation.ReadTooOften as error:
            form.add_error("url", error.detail)
            status, by_hand = error.status, error.by_hand
        except DomainError as error:
            form.add_error("url" if error.errors else None, " ".join([error.detail, *error.steps_for_people]))
            status = error.status
        else:
            return redirect("draft", pk=draft.pk)
    elif form.is_bound:
        status = 422
    context = {
        "form": form,
        # Typed on another page, such as the front page before signing up.
        "asked_url": "" if form.is_bound or refresh else initial["url"],
        "is_rereading": refresh,
        "listed_url": listed_url,
        "listing_url": listing_url,
        "claim_url": claim_url,
        "by_hand": by_hand,
    }
    return render(request, "drafts/new.html", context, status=status)


@login_required
@require_POST
def cancel(request: SiteHttpRequest, pk: int) -> HttpResponse:
    """Stop reading, or discard what was read."""
    draft = get_object_or_404(Draft.objects.visible_to(account_of(request)), pk=pk)
    try:
        services.cancel_draft(draft=draft, by=actor_of(request))
    except DomainError as error:
        messages.error(request, error.detail)
        return redirect("draft", pk=draft.pk)
    message = "Nothing was changed." if draft.rereads_id else f"The draft of {display_url(draft.url)} was canceled."
    messages.success(request, message)
    return redirect("drafts")
