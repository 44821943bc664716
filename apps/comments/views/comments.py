"""Pages of comments: all of a listing, one with its replies, writing and the owner's decisions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from apps.accounts.actors import account_of, actor_of
from apps.comments.announcing import page_path
from apps.comments.forms import CommentForm
from apps.comments.models import Comment
from apps.comments.reading import THREADS, Shown, Threads, read_thread, read_threads, show
from apps.comments.section import names_in
from apps.comments.services import owning, pace, writing
from apps.contributions.reading import live_listing
from apps.core.errors import DomainError
from apps.core.stores.valkey.generations import company_name, listing_name
from apps.core.web.page_numbers import page_asked_for, page_found
from apps.core.web.pages import reporting
from apps.core.web.public_cache import belongs_to
from apps.listings.models import Listing
from apps.sites.requests import SiteHttpRequest

IN_REVIEW = "A moderator reads your comment before it appears."
_form_methods = require_http_methods(["GET", "HEAD", "POST"])


@require_safe
def comments(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Show all comments of a listing, page by page. A merged one redirects to the listing that remains."""
    listing = live_listing(request, slug)
    if listing.slug != slug:
        return redirect("comments", slug=listing.slug, permanent=True)
    number = page_asked_for(request)
    result = read_threads(listing, reader=request.user, number=number)
    if number > 1 and not result.shown:
        return redirect("comments", slug=slug)
    _depends(request, listing, result)
    page = page_found(request, page=number, per_page=THREADS, total=listing.comment_count, has_next=result.has_more)
    context = {"listing": _head(listing), "threads": result.shown, "page_obj": page}
    return render(request, "comments/list.html", context)


@require_safe
def comment(request: SiteHttpRequest, slug: str, comment_id: int) -> HttpResponse:
    """Show one comment with its replies. The page of a reply is that of its thread."""
    listing = live_listing(request, slug)
    if listing.slug != slug:
        return redirect("comment", slug=listing.slug, comment_id=comment_id, permanent=True)
    thread = read_thread(listing, comment_id, reader=request.user)
    if thread is None:
        result = listing.comments.public().exclude(parent=None).filter(pk=comment_id).first()
        if result is None:
            raise Http404
        return redirect(page_path(result))
    _depends(request, listing, Threads([thread], has_more=False))
    return render(request, "comments/detail.html", {"listing": _head(listing), "thread": thread})


@login_required
@_form_methods
def new_comment(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Show the form for a comment, and post it."""
    return _write(request, live_listing(request, slug))


@login_required
@_form_methods
def reply(request: SiteHttpRequest, slug: str, comment_id: int) -> HttpResponse:
    """Show the form for a reply, and post it."""
    listing = live_listing(request, slug)
    return _write(request, listing, reply_to=_comment(listing, comment_id))


@login_required
@_form_methods
def edit(request: SiteHttpRequest, slug: str, comment_id: int) -> HttpResponse:
    """Show the author's form for a change, and save it."""
    listing = live_listing(request, slug)
    result = _comment(listing, comment_id)
    account = account_of(request)
    if problem := writing.why_not_editable(result, account.pk):
        messages.error(request, problem)
        return redirect(page_path(result))
    form = CommentForm(request.POST or None, author=account, initial={"text": result.text})
    page: dict[str, Any] = {"title": "Edit comment", "button": "Save comment", "cancel_url": page_path(result)}
    if request.method != "POST":
        return _form_page(request, listing, form, **page)
    try:
        saved = writing.edit_comment(comment=result, text=request.POST.get("text", ""), by=actor_of(request))
    except DomainError as refusal:
        form.refuse(refusal)
        return _form_page(request, listing, form, status=refusal.status, **page)
    _say(request, saved, "Comment saved")
    return redirect(page_path(saved))


@dataclass(frozen=True, slots=True)
class Step:
    """What a confirmation page says and does."""

    title: str
    text: str
    button: str
    done: str
    run: Callable[..., object]
    is_dangerous: bool = False


STEPS = {
    "delete": Step(
        "Delete comment?",
        "Its text is deleted for good. Replies stay.",
        "Delete comment",
        "Comment deleted",
        writing.delete_comment,
        is_dangerous=True,
    ),
    "pin": Step(
        "Pin comment?",
        "It comes first on your listing, instead of one that is pinned now.",
        "Pin comment",
        "Comment pinned",
        owning.pin_comment,
    ),
    "unpin": Step(
        "Unpin comment?",
        "It returns to its place by date.",
        "Unpin comment",
        "Comment unpinned",
        owning.unpin_comment,
    ),
    "hide": Step(
        "Hide comment?",
        "Visitors see that you hid a comment of this person, without its text. You can show it again.",
        "Hide comment",
        "Comment hidden",
        owning.hide_comment,
        is_dangerous=True,
    ),
    "show": Step(
        "Show comment?",
        "Visitors can read it again.",
        "Show comment",
        "Comment visible again",
        owning.show_comment,
    ),
}


@login_required
@_form_methods
def decide(request: SiteHttpRequest, slug: str, comment_id: int, name: str) -> HttpResponse:
    """Ask for confirmation, and delete, pin, unpin, hide or show a comment."""
    listing = live_listing(request, slug)
    result = _comment(listing, comment_id)
    comment = _shown(request, listing, result, name)
    if comment is None:
        return redirect(page_path(result))
    step = STEPS[name]
    if request.method != "POST":
        context = {
            "listing": _head(listing),
            "step": step,
            "quoted": comment,
            "action": request.path,
            "cancel_url": page_path(result),
        }
        return render(request, "comments/confirm.html", context)
    with reporting(request, step.done):
        step.run(comment=result, by=actor_of(request))
    return redirect(f"{listing.path}#comments" if name == "delete" else page_path(result))


def _write(request: SiteHttpRequest, listing: Listing, *, reply_to: Comment | None = None) -> HttpResponse:
    account = account_of(request)
    page: dict[str, Any] = {"title": f"Comment on {listing.company.name}", "button": "Post comment"}
    page["cancel_url"] = f"{listing.path}#comments"
    if reply_to is not None:
        quoted = show(reply_to, listing, request.user)
        page = {"title": "Reply", "button": "Post reply", "cancel_url": quoted.path, "quoted": quoted}
    form = CommentForm(request.POST if request.method == "POST" else None, author=account)
    if request.method != "POST":
        return _form_page(request, listing, form, **page)
    try:
        is_crowded = pace.take_comment(request, account.pk, listing)
        posted = writing.post_comment(
            listing=listing,
            text=request.POST.get("text", ""),
            name=request.POST.get("name", ""),
            reply_to=reply_to,
            is_crowded=is_crowded,
            by=actor_of(request),
        )
    except DomainError as refusal:
        form.refuse(refusal)
        return _form_page(request, listing, form, status=refusal.status, **page)
    _say(request, posted, "Comment posted")
    return redirect(page_path(posted) if posted.parent_id else f"{listing.path}#comment-{posted.pk}")


def _form_page(
    request: SiteHttpRequest, listing: Listing, form: CommentForm, *, status: int = 200, **page: Any
) -> HttpResponse:
    context = {"listing": _head(listing), "form": form, "action": request.path, **page}
    return render(request, "comments/write.html", context, status=status)


def _say(request: HttpRequest, comment: Comment, done: str) -> None:
    if comment.is_posted:
        messages.success(request, done)
    else:
        messages.info(request, IN_REVIEW)


def _comment(listing: Listing, comment_id: int) -> Comment:
    """Return a comment whose text is not gone. What a reader may do with it is decided later."""
    rows = listing.comments.exclude(status=Comment.Status.DELETED)
    result: Comment = get_object_or_404(
        rows.select_related("author__founder_profile", "reply_to__author__founder_profile"), pk=comment_id
    )
    return result


def _shown(request: SiteHttpRequest, listing: Listing, found: Comment, action: str) -> Shown | None:
    """Return the comment if the reader may do this with it, or None with a message."""
    comment = show(found, listing, request.user)
    if action in comment.actions:
        return comment
    messages.error(request, "You can’t do this with the comment any more.")
    return None


def _depends(request: SiteHttpRequest, listing: Listing, threads: Threads) -> None:
    belongs_to(request, listing_name(listing.pk), company_name(listing.company_id), *names_in(threads))


def _head(listing: Listing) -> dict[str, Any]:
    return {
        "name": listing.company.name,
        "slug": listing.slug,
        "path": listing.path,
        "logo_key": listing.company.logo_key,
        "comment_count": listing.comment_count,
        "comments_url": reverse("comments", args=[listing.slug]),
    }
