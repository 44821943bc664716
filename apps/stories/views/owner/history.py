"""Version history and restoring of stories and interviews, for their owner."""

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from apps.accounts.actors import account_of, actor_of
from apps.accounts.models import User
from apps.core.text.dates import moment_text
from apps.core.versions.authorship import authorship_of
from apps.core.versions.differences import Change, Difference, difference
from apps.core.versions.pages import Entry, Part, Restoring, restore_page
from apps.core.web.page_numbers import page_object, page_rows
from apps.listings.models import Listing
from apps.listings.owner_pages import head, is_open, own_listing, to_overview
from apps.sites.models import Site
from apps.sites.requests import SiteHttpRequest
from apps.stories.models import FounderStory, InterviewQuestion, InterviewVersion, StoryVersion
from apps.stories.services import history, interviews, stories

Action = StoryVersion.Action
# A version can hold two texts of every section or answer, 10,000 characters each.
PER_PAGE = 10
_TONES = {Action.PUBLISHED: "good", Action.EDITED: "good", Action.RETURNED: "warn", Action.TAKEN_DOWN: "bad"}


@login_required
@require_safe
def story_history(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """List the story's versions, newest first: author, method, time, result and changes."""
    listing = own_listing(request, slug)
    story = _story_of(listing)
    versions = history.versions_of(story) if story else StoryVersion.objects.none()
    page = page_object(request, total=versions.count(), per_page=PER_PAGE)
    rows = list(page_rows(versions, page))
    others = history.with_other_words(story, rows) if story and is_open(listing, "edit_story") else set()
    restore_urls = {pk: reverse("restore_story", args=[slug, pk]) for pk in others}
    context = {
        "listing": head(listing, current="edit_story"),
        "story": _status(story) if story else None,
        "can_edit": is_open(listing, "edit_story"),
        "versions": [_entry(row, reader=account_of(request), restore_url=restore_urls.get(row.pk, "")) for row in rows],
        "page_obj": page,
    }
    return render(request, "stories/owner/history.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def restore(request: SiteHttpRequest, slug: str, version_id: int) -> HttpResponse:
    """Show what restoring a version would change. Its form restores it as a new version."""
    listing = own_listing(request, slug)
    if not is_open(listing, "edit_story"):
        return to_overview(listing)
    version = get_object_or_404(StoryVersion, pk=version_id, story__listing=listing)
    story = version.story
    story.listing = listing
    changes = history.changes_between(history.words_of_now(story), version.snapshot)
    restoring = Restoring(
        version=version,
        differences=history.differences_of(changes),
        newest=history.versions_of(story).values_list("pk", flat=True).first(),
        history_url=reverse("story_history", args=[slug]),
        label_of=history.label_of,
    )
    fields = history.fields_of(version.snapshot)
    returning = stories.would_return(story=story, fields=fields) if history.is_own(story) else []
    context = {
        "listing": head(listing, current="edit_story"),
        "story": _status(story),
        "returning": [gap.reason for gap in returning],
    }
    return restore_page(
        request,
        restoring,
        restore=lambda: _restore(request, version),
        template="stories/owner/restore.html",
        context=context,
    )


def _restore(request: SiteHttpRequest, version: StoryVersion) -> HttpResponse:
    outcome = stories.restore_story(version=version, by=actor_of(request))
    messages.success(request, f"Restored the story from {moment_text(version.created_at)}")
    if version.story.published_at and not outcome.story.published_at:
        messages.warning(request, "Restored. The story is a draft again because it no longer meets all requirements.")
    return redirect("edit_story", slug=version.story.listing.slug)


@login_required
@require_safe
def interview_history(request: SiteHttpRequest) -> HttpResponse:
    """List all changes of the answers, newest first: author, method, time, removed and added words."""
    user = account_of(request)
    versions = interviews.versions_of(user, site=request.site)
    page = page_object(request, total=versions.count(), per_page=PER_PAGE)
    reading = _Answers(user, site=request.site)
    entries = [reading.entry(row) for row in page_rows(versions, page)]
    return render(request, "stories/owner/interview_history.html", {"versions": entries, "page_obj": page})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def interview_restore(request: SiteHttpRequest, version_id: int) -> HttpResponse:
    """Show what restoring old answers would change. Its form restores them as a new version."""
    user = account_of(request)
    versions = interviews.versions_of(user, site=request.site)
    version = get_object_or_404(versions, pk=version_id)
    reading = _Answers(user, site=request.site)
    restoring = Restoring(
        version=version,
        differences=reading.differences(reading.changes_by_restoring(version)),
        newest=versions.values_list("pk", flat=True).first(),
        history_url=reverse("interview_history"),
    )
    return restore_page(
        request,
        restoring,
        restore=lambda: _restore_interview(request, version),
        template="stories/owner/interview_restore.html",
        context={},
    )


def _restore_interview(request: SiteHttpRequest, version: InterviewVersion) -> HttpResponse:
    interviews.restore_interview(version=version, by=actor_of(request))
    messages.success(request, f"Restored the answers from {moment_text(version.created_at)}")
    return redirect("interview_history")


class _Answers:
    """Versions of an account's answers on a site, next to its current answers."""

    def __init__(self, user: User, *, site: Site) -> None:
        questions = list(InterviewQuestion.objects.filter(site=site))
        self.reader = user
        self.texts = {str(question.pk): question.text for question in questions}
        self.asked = [question.pk for question in questions if question.is_active]
        self.now = interviews.snapshot_of(user, site=site)

    def entry(self, version: InterviewVersion) -> Entry:
        can_restore = bool(self.changes_by_restoring(version))
        address = reverse("interview_restore", args=[version.pk])
        return Entry(
            author=authorship_of(version, reader=self.reader),
            created_at=version.created_at,
            restored_at=version.restored_from.created_at if version.restored_from else None,
            parts=[Part(differences=self.differences(version.changes), restore_url=address if can_restore else "")],
        )

    def changes_by_restoring(self, version: InterviewVersion) -> list[Change]:
        return interviews.changes_by_restoring(version, now=self.now, asked=self.asked)

    def differences(self, changes: Iterable[Change]) -> list[Difference]:
        return [difference(self._text(change["field"]), change["before"], change["after"]) for change in changes]

    def _text(self, field: str) -> str:
        return self.texts.get(field, "A question that was deleted")


def _story_of(listing: Listing) -> FounderStory | None:
    story = FounderStory.objects.filter(listing=listing).first()
    if story is not None:
        story.listing = listing
    return story


def _status(story: FounderStory) -> dict[str, Any]:
    is_own = history.is_own(story)
    return {
        "is_published": is_own and story.published_at is not None,
        "is_shown": story.is_shown,
        "url": story.url,
        "taken_down_reason": story.taken_down_reason,
        "is_by_another": not is_own,
    }


def _entry(version: StoryVersion, *, reader: User, restore_url: str) -> Entry:
    is_beginning = history.is_beginning(version)
    return Entry(
        author=authorship_of(version, reader=reader),
        created_at=version.created_at,
        restored_at=version.restored_from.created_at if version.restored_from else None,
        reason=history.reason_shown(version, owner=reader),
        parts=[
            Part(
                differences=history.differences_of(version.changes),
                label="First version" if is_beginning else version.get_action_display(),
                tone=_TONES.get(Action(version.action), "neutral"),
                unchanged="The text is the same as before.",
                restore_url=restore_url,
            )
        ],
    )
