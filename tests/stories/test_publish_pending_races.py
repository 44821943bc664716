"""Publishing pending drafts in parallel with itself, owners and site admins, in real threads."""

from collections.abc import Callable

import pytest

from apps.accounts.actors import Actor
from apps.core.models import OutgoingEmail
from apps.sites.models import Site
from apps.stories.models import FounderStory, StoryVersion
from apps.stories.services import publish_pending
from apps.stories.services import stories as services
from tests.factories import UserFactory
from tests.racing import run_at_once
from tests.stories.writing import by_owner, too_short, write

pytestmark = pytest.mark.django_db(transaction=True)


def soften(site: Site) -> None:
    site.story_min_words = 299
    site.save()


def sweep() -> str:
    return str(publish_pending.publish_pending_stories())


def test_two_sweeps_publish_each_story_once(site: Site) -> None:
    stories = [write(too_short()) for _ in range(4)]
    soften(site)
    outcomes = run_at_once(*[sweep, sweep, sweep])
    assert sum(map(int, outcomes)) == len(stories)
    assert FounderStory.objects.published().count() == len(stories)
    assert StoryVersion.objects.filter(action="published").count() == len(stories)
    for story in stories:
        assert OutgoingEmail.objects.filter(to=story.author.email).count() == 1


def keep_as_draft(story: FounderStory) -> str:
    fields = {"title": "Not ready for anybody"}
    services.set_founder_story(listing=story.listing, fields=fields, publish=False, by=by_owner(story.listing))
    return "kept"


def take_down(story: FounderStory) -> str:
    services.take_down_story(story=story, reason="Spam.", by=Actor(user=UserFactory.create(is_staff=True), via="admin"))
    return "down"


@pytest.mark.parametrize("act", [keep_as_draft, take_down])
def test_a_decision_at_the_same_moment_is_not_undone(site: Site, act: Callable[[FounderStory], str]) -> None:
    story = write(too_short())
    soften(site)
    swept, decided = run_at_once(*[sweep, lambda: act(story)])
    assert decided in {"kept", "down"}
    result = FounderStory.objects.get()
    if decided == "down":
        assert (result.published_at, bool(result.taken_down_at)) == (None, True)
    else:
        # Published first, the owner's save was an edit of a published story, which stays so.
        assert result.title == "Not ready for anybody"
        assert bool(result.published_at) == (swept == "1")
    assert publish_pending.publish_pending_stories() == 0
