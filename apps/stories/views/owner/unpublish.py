"""Unpublishing a story in the browser."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from apps.accounts.actors import actor_of
from apps.core.editing.forms import TypedField, TypedForm, text_area
from apps.core.errors import DomainError
from apps.listings.owner_pages import head, is_open, own_listing, to_overview
from apps.sites.requests import SiteHttpRequest
from apps.stories.models import FounderStory
from apps.stories.services import stories


class UnpublishForm(TypedForm):
    """The reason for unpublishing a story."""

    reason = TypedField(
        label="Reason for unpublishing",
        required=False,
        widget=text_area(3),
        help_text=f"Saved in the story history. Up to {stories.MAX_REASON_CHARACTERS} characters.",
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def unpublish(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Explain unpublishing and ask for a reason. Its form unpublishes."""
    listing = own_listing(request, slug)
    if not is_open(listing, "edit_story"):
        return to_overview(listing)
    story = stories.own_story(listing)
    if story is None or story.published_at is None:
        messages.info(request, "The story isn’t published.")
        return redirect("edit_story", slug=slug)
    if request.method != "POST":
        return _page(request, story, UnpublishForm())
    form = UnpublishForm(request.POST)
    try:
        stories.unpublish_story(listing=listing, reason=request.POST.get("reason", ""), by=actor_of(request))
    except DomainError as refusal:
        form.refuse(refusal)
        return _page(request, story, form, status=refusal.status)
    messages.success(request, "Story unpublished")
    return redirect("edit_story", slug=slug)


def _page(request: SiteHttpRequest, story: FounderStory, form: UnpublishForm, *, status: int = 200) -> HttpResponse:
    listing = story.listing
    context = {
        "listing": head(listing, current="edit_story"),
        "story": {"title": story.title, "is_shown": story.is_shown, "url": story.url},
        "site_name": listing.site.name,
        "form": form,
    }
    return render(request, "stories/owner/unpublish.html", context, status=status)
