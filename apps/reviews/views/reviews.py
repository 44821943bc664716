"""Pages of reviews: all of a listing, one, writing, answering and deleting."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_safe

from apps.accounts.actors import account_of, actor_of
from apps.accounts.crowds import network_mark
from apps.accounts.models import User
from apps.contributions.reading import live_listing
from apps.core.editing.forms import TypedForm
from apps.core.errors import DomainError, Unprocessable
from apps.core.request.client_ip import client_neighborhood
from apps.core.stores.valkey.generations import company_name, listing_name
from apps.core.web.page_numbers import page_asked_for, page_found
from apps.core.web.public_cache import belongs_to
from apps.listings.models import Listing
from apps.reviews.forms import AnswerForm, ReviewForm
from apps.reviews.models import Review
from apps.reviews.reading import PER_PAGE, own_review, read_page, review_rows, show
from apps.reviews.section import names_in, summary
from apps.reviews.services import pace, writing
from apps.reviews.services.proof import code_text, find_link, why_not_usable
from apps.sites.requests import SiteHttpRequest

_form_methods = require_http_methods(["GET", "HEAD", "POST"])


@require_safe
def reviews(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Show all reviews of a listing, page by page. A merged one redirects to the listing that remains."""
    listing = live_listing(request, slug)
    if listing.slug != slug:
        return redirect("reviews", slug=listing.slug, permanent=True)
    number = page_asked_for(request)
    result = read_page(listing, reader=request.user, number=number)
    if number > 1 and not result.shown:
        return redirect("reviews", slug=slug)
    belongs_to(request, listing_name(listing.pk), company_name(listing.company_id), *names_in(result.shown))
    page = page_found(request, page=number, per_page=PER_PAGE, total=listing.review_count, has_next=result.has_more)
    context = {"listing": _head(listing), "reviews": {**summary(listing, request.user), "page": result}}
    return render(request, "reviews/list.html", {**context, "page_obj": page})


@require_safe
def review(request: SiteHttpRequest, slug: str, review_id: int) -> HttpResponse:
    """Show one review."""
    listing = live_listing(request, slug)
    if listing.slug != slug:
        return redirect("review", slug=listing.slug, review_id=review_id, permanent=True)
    row = review_rows(listing, request.user).filter(pk=review_id).first()
    if row is None:
        raise Http404
    item = show(row, listing, request.user)
    belongs_to(request, listing_name(listing.pk), company_name(listing.company_id), *names_in([item]))
    return render(request, "reviews/detail.html", {"listing": _head(listing), "review": item})


@login_required
@_form_methods
def new_review(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Show the form for a review, and post it. `?code=` is the token of a review link."""
    listing, account = live_listing(request, slug), account_of(request)
    code = request.GET.get("code", "")
    if own := own_review(listing, account):
        query = f"?{urlencode({'code': code})}" if code else ""
        return redirect(f"{reverse('edit_review', args=[slug, own.pk])}{query}")
    if problem := writing.why_not_reviewing(listing, account):
        messages.error(request, problem)
        return redirect(f"{listing.path}#reviews")
    page: dict[str, Any] = {"title": f"Review {listing.company.name}", "button": "Post review"}
    page["cancel_url"] = f"{listing.path}#reviews"
    if request.method != "POST":
        form = ReviewForm(author=account, initial={"code": _typed_code(request, listing, account, code)})
        return _form_page(request, listing, form, **page)

    def post(values: dict[str, str]) -> Review:
        is_crowded = pace.take_review(request, account.pk, listing)
        return writing.post_review(
            listing=listing, **values, name=request.POST.get("name", ""), is_crowded=is_crowded, by=actor_of(request)
        )

    return _save(request, listing, ReviewForm(request.POST, author=account), post, "Review posted", page)


@login_required
@_form_methods
def edit_review(request: SiteHttpRequest, slug: str, review_id: int) -> HttpResponse:
    """Show the author's form for a change, and save it."""
    listing, account = live_listing(request, slug), account_of(request)
    row = _review(listing, review_id, account)
    if problem := writing.why_not_editable(row, account):
        messages.error(request, problem)
        return redirect(f"{listing.path}#reviews")
    page: dict[str, Any] = {"title": "Edit review", "button": "Save review"}
    page["cancel_url"] = show(row, listing, account).path
    options: dict[str, Any] = {"author": account, "is_verified": row.is_verified}
    if request.method != "POST":
        values = {"rating": str(row.rating), "text": row.text}
        if not row.is_verified:
            values["code"] = _typed_code(request, listing, account, request.GET.get("code", ""))
        return _form_page(request, listing, ReviewForm(initial=values, **options), **page)

    def save(values: dict[str, str]) -> Review:
        pace.take_review(request, account.pk, listing)
        return writing.edit_review(review=row, **values, by=actor_of(request))

    return _save(request, listing, ReviewForm(request.POST, **options), save, "Review saved", page)


@login_required
@_form_methods
def answer_review(request: SiteHttpRequest, slug: str, review_id: int) -> HttpResponse:
    """Show the owner's form for the answer to a review, and save it."""
    listing, account = live_listing(request, slug), account_of(request)
    row = _review(listing, review_id, account)
    item = show(row, listing, account)
    if not item.actions & {"answer", "edit_answer"}:
        raise Http404
    form = AnswerForm(request.POST if request.method == "POST" else None, initial={"text": row.answer})
    page: dict[str, Any] = {"title": "Answer review", "button": "Post answer", "cancel_url": item.path}
    page |= {"quoted": item}
    if row.answer:
        page |= {"title": "Edit answer", "button": "Save answer"}
    if request.method != "POST":
        return _form_page(request, listing, form, **page)
    try:
        writing.answer_review(review=row, text=request.POST.get("text", ""), by=actor_of(request))
    except DomainError as refusal:
        form.refuse(refusal)
        return _form_page(request, listing, form, status=refusal.status, **page)
    messages.success(request, "Answer saved" if row.answer else "Answer posted")
    return redirect(item.path)


@login_required
@_form_methods
def delete_review(request: SiteHttpRequest, slug: str, review_id: int) -> HttpResponse:
    """Ask the author for confirmation, and delete their review."""
    listing, account = live_listing(request, slug), account_of(request)
    row = _review(listing, review_id, account)
    item = show(row, listing, account)
    if "delete" not in item.actions:
        raise Http404
    if request.method != "POST":
        context = {"listing": _head(listing), "quoted": item, "action": request.path, "cancel_url": item.path}
        return render(request, "reviews/delete.html", context)
    try:
        writing.delete_review(review=row, by=actor_of(request))
    except DomainError as refusal:
        messages.error(request, refusal.detail)
    else:
        messages.success(request, "Review deleted")
    return redirect(f"{listing.path}#reviews")


def _save(
    request: SiteHttpRequest,
    listing: Listing,
    form: ReviewForm,
    save: Callable[[dict[str, str]], Review],
    done: str,
    page: dict[str, Any],
) -> HttpResponse:
    """Save what the form says, or show it again with what is wrong. A code has to be usable."""
    code = request.POST.get("code", "").strip() if "code" in form.fields else ""
    form.errors.clear()
    try:
        if code and (problem := _code_problem(account_of(request), listing, code)):
            raise Unprocessable(
                f"{problem} To post without a code, leave this empty.", code="unusable", pointer="/code"
            )
        values = {name: request.POST.get(name, "") for name in ("rating", "text")}
        saved = save({**values, "token": code, "network": network_mark(client_neighborhood(request))})
    except DomainError as refusal:
        form.refuse(refusal)
        return _form_page(request, listing, form, status=refusal.status, **page)
    if saved.is_posted:
        messages.success(request, done)
    else:
        messages.info(request, "A moderator reads your review before it appears.")
    if code and not saved.is_verified:
        messages.info(request, "Your review is marked as unverified, because the code couldn’t verify your account.")
    return redirect(show(saved, listing, request.user).path)


def _typed_code(request: SiteHttpRequest, listing: Listing, account: User, token: str) -> str:
    """Return the code of the link that led here, for the form, or say why it can't be used."""
    if not token:
        return ""
    try:
        problem = _code_problem(account, listing, token)
    except DomainError as refusal:
        problem = refusal.detail
    link = find_link(listing, token)
    if problem or link is None:
        messages.info(request, f"{problem} You can still post a review, marked as unverified.")
        return ""
    return code_text(link)


def _code_problem(account: User, listing: Listing, token: str) -> str:
    """Return why a link or code can't be used. Raises TooManyRequests (429) after many unknown ones."""
    link = find_link(listing, token)
    if link is None:
        pace.take_wrong_code(account.pk)
    return why_not_usable(link)


def _form_page(
    request: SiteHttpRequest, listing: Listing, form: TypedForm, *, status: int = 200, **page: Any
) -> HttpResponse:
    context = {"listing": _head(listing), "form": form, "action": request.path, **page}
    response = render(request, "reviews/write.html", context, status=status)
    # The query may have the token of a review link.
    response["Referrer-Policy"] = "same-origin"
    return response


def _review(listing: Listing, review_id: int, account: User) -> Review:
    """Return a review that the account sees, or raise 404."""
    result = review_rows(listing, account).filter(pk=review_id).first()
    if result is None:
        raise Http404
    result.listing = listing
    return result


def _head(listing: Listing) -> dict[str, Any]:
    return {
        "name": listing.company.name,
        "slug": listing.slug,
        "path": listing.path,
        "logo_key": listing.company.logo_key,
    }
