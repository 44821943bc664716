"""Drafts that wait: what publishes them automatically, and that nothing unpublishes a story."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.core.models import OutgoingEmail
from apps.listings.models import Listing
from apps.sites.models import Site
from apps.sites.rule_choices import ProfilePart, StorySection
from apps.stories import tasks
from apps.stories.models import FounderStory, StoryVersion
from apps.stories.schedule import BEAT
from apps.stories.services import publish_pending, stories
from tests.factories import ListingFactory, SiteFactory, UserFactory, complete_profile
from tests.listings.statuses import in_status
from tests.stories.writing import by_owner, enough, too_short, words, write

pytestmark = pytest.mark.django_db

# Each is a story that lacks one thing, and the change of the rules by which it lacks nothing.
SOFTER: list[tuple[dict[str, str], dict[str, Any]]] = [
    (too_short(), {"story_min_words": 299}),
    (enough(hard_parts="", problem=words(150)), {"story_min_sections": 3}),
    (enough(hard_parts=words(39), problem=words(111)), {"story_min_section_words": 39}),
    (enough(problem="", milestones=words(75)), {"story_required_sections": [StorySection.HOW_STARTED]}),
    (enough(title="Too short"), {"story_title_min_characters": 9}),
    (enough(problem=words(75) + " https://a.example" * 4), {"story_max_links": 4}),
]
# Each is a profile that lacks one thing, and the change of the rules by which it is complete.
SOFTER_PROFILES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"bio": "x" * 79}, {"profile_min_bio_characters": 79}),
    ({"photo_pixels": 255}, {"profile_min_photo_pixels": 255}),
    ({"photo_key": "", "photo_pixels": 0}, {"profile_required_parts": [ProfilePart.REAL_NAME, ProfilePart.BIO]}),
]
STRICTER: list[dict[str, Any]] = [
    {"story_min_words": 301},
    {"story_min_sections": 5},
    {"story_min_section_words": 76},
    {"story_required_sections": list(StorySection)},
    {"story_title_min_characters": 17},
    {"story_title_max_characters": 15},
    {"story_max_links": 0},
    {"profile_required_parts": list(ProfilePart)},
    {"profile_min_bio_characters": 900},
    {"profile_min_photo_pixels": 512},
]


def change_rules(site: Site, **rules: Any) -> None:
    site.refresh_from_db()
    for name, value in rules.items():
        setattr(site, name, value)
    site.save()


def later(minutes: int) -> Any:
    return time_machine.travel(timezone.now() + timedelta(minutes=minutes), tick=False)


def status_of(story: FounderStory) -> str:
    return FounderStory.objects.get(pk=story.pk).status


@pytest.mark.parametrize(("fields", "rules"), SOFTER)
def test_softer_rules_publish_what_waits(site: Site, fields: dict[str, str], rules: dict[str, Any]) -> None:
    story = write(fields)
    assert status_of(story) == "draft"
    with later(60):
        change_rules(site, **rules)
        assert publish_pending.publish_pending_stories() == 1
    assert status_of(story) == "published"
    version = StoryVersion.objects.latest("pk")
    assert (version.action, version.via, version.author, version.changes) == ("published", "system", None, [])
    assert OutgoingEmail.objects.filter(to=story.listing.company.owner.email).count() == 1


@pytest.mark.parametrize(("lacking", "rules"), SOFTER_PROFILES)
def test_softer_rules_for_profiles_publish_what_waits(
    site: Site, lacking: dict[str, Any], rules: dict[str, Any]
) -> None:
    listing = ListingFactory.create(live=True)
    profile = complete_profile(listing.company.owner)
    for name, value in lacking.items():
        setattr(profile, name, value)
    profile.save()
    story = write(enough(), listing=listing)
    assert status_of(story) == "draft"
    with later(60):
        assert publish_pending.publish_pending_stories() == 0
        change_rules(site, **rules)
        assert publish_pending.publish_pending_stories() == 1
    assert status_of(story) == "published"


@pytest.mark.parametrize("rules", STRICTER)
def test_stricter_rules_unpublish_nothing(site: Site, rules: dict[str, Any]) -> None:
    story = write(enough(problem=words(75) + " https://a.example"))
    published_at = FounderStory.objects.get().published_at
    versions = StoryVersion.objects.count()
    with later(60):
        change_rules(site, **rules)
        assert publish_pending.publish_pending_stories() == 0
    assert FounderStory.objects.get().published_at == published_at
    assert FounderStory.objects.published().get() == story
    assert StoryVersion.objects.count() == versions
    assert not OutgoingEmail.objects.filter(to=story.listing.company.owner.email).exists()


def test_a_completed_profile_publishes_the_stories_of_its_owner(site: Site) -> None:
    owner, other = UserFactory.create(), UserFactory.create()
    elsewhere = SiteFactory.create()
    mine = [ListingFactory.create(live=True, company__owner=owner, site=where) for where in (site, elsewhere)]
    theirs = ListingFactory.create(live=True, company__owner=other)
    for listing in (*mine, theirs):
        stories.set_founder_story(listing=listing, fields=enough(), by=by_owner(listing))
    with later(60):
        assert publish_pending.publish_pending_stories() == 0
        complete_profile(owner)
        assert publish_pending.publish_pending_stories() == 2
    assert set(FounderStory.objects.published()) == set(FounderStory.objects.filter(listing__in=mine))


def test_a_profile_that_lost_something_unpublishes_nothing(site: Site) -> None:
    story = write(enough())
    with later(60):
        profile = story.author.founder_profile
        profile.bio = ""
        profile.save()
        assert publish_pending.publish_pending_stories() == 0
    assert status_of(story) == "published"


def test_what_its_owner_does_not_want_published_stays_a_draft(site: Site) -> None:
    kept = write(enough(), publish=False)
    taken_back = write(enough())
    stories.unpublish_story(listing=taken_back.listing, reason="", by=by_owner(taken_back.listing))
    with later(60):
        change_rules(site, story_min_words=1)
        assert publish_pending.publish_pending_stories() == 0
    assert [status_of(kept), status_of(taken_back)] == ["draft", "draft"]


def test_what_site_admins_have_taken_down_stays_down(site: Site) -> None:
    team = Actor(user=UserFactory.create(is_staff=True), via="admin")
    story = stories.take_down_story(story=write(enough()), reason="Spam.", by=team)
    with later(60):
        change_rules(site, story_min_words=1)
        assert publish_pending.publish_pending_stories() == 0
    assert status_of(story) == "draft"


@pytest.mark.parametrize("status", Listing.Status.values)
def test_the_status_of_the_listing_does_not_matter_unless_it_is_closed(site: Site, status: str) -> None:
    listing = in_status("draft" if status == "rejected" else status)
    story = write(too_short(), listing=listing)
    if status == "rejected":
        Listing.objects.update(status=status, status_reason="No product.")
    with later(60):
        change_rules(site, story_min_words=1)
        assert publish_pending.publish_pending_stories() == (status != "rejected")
    assert status_of(story) == ("draft" if status == "rejected" else "published")
    assert FounderStory.objects.published().exists() == (status == "live")


def test_only_the_author_is_published_under_their_own_name(site: Site) -> None:
    story = write(too_short())
    company = story.listing.company
    company.owner = UserFactory.create()
    company.save()
    complete_profile(company.owner)
    with later(60):
        change_rules(site, story_min_words=1)
        assert publish_pending.publish_pending_stories() == 0
    with later(120):
        company.owner = story.author
        company.save()
        assert publish_pending.publish_pending_stories() == 1


def test_rules_of_another_site_change_nothing(site: Site) -> None:
    other = SiteFactory.create()
    write(too_short())
    with later(60):
        change_rules(other, story_min_words=1)
        assert publish_pending.publish_pending_stories() == 0


def test_what_was_judged_is_left_alone_until_something_changes(site: Site, django_assert_num_queries: Any) -> None:
    story = write(too_short())
    change_rules(site, story_min_words=300)
    with later(10):
        assert publish_pending.publish_pending_stories() == 0
        rules_applied_at = FounderStory.objects.get().rules_applied_at
        assert rules_applied_at == timezone.now()
    with later(20), django_assert_num_queries(1):
        assert publish_pending.publish_pending_stories() == 0
    story.refresh_from_db()
    assert (story.rules_applied_at, StoryVersion.objects.count()) == (rules_applied_at, 1)


def test_a_change_that_was_committed_while_a_story_was_judged_is_not_missed(site: Site) -> None:
    story = write(too_short())
    with later(60):
        begun_at = timezone.now()
    with later(61):
        # The rules were saved a minute ago in a transaction that ends only now; the story was judged in between.
        FounderStory.objects.update(rules_applied_at=timezone.now())
        Site.objects.update(story_min_words=299, updated_at=begun_at)
        assert publish_pending.publish_pending_stories() == 1
    assert status_of(story) == "published"


def test_one_that_fails_does_not_stop_the_others_and_is_tried_again(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = write(too_short()), write(too_short())
    publish = stories.publish_if_ready

    def fail_once(pk: int) -> bool:
        if pk == first.pk:
            raise OSError("broken")
        return publish(pk)

    with later(60):
        change_rules(site, story_min_words=299)
        monkeypatch.setattr(stories, "publish_if_ready", fail_once)
        assert publish_pending.publish_pending_stories() == 1
        assert [status_of(first), status_of(second)] == ["draft", "published"]
        assert publish_pending.logger.name in {record.name for record in caplog.records if record.levelname == "ERROR"}
        monkeypatch.undo()
        assert publish_pending.publish_pending_stories() == 1
    assert status_of(first) == "published"


def test_the_scheduler_wakes_the_task(site: Site) -> None:
    assert BEAT["stories-pending"]["task"] == tasks.publish_pending_stories.name
    story = write(too_short())
    change_rules(site, story_min_words=299)
    tasks.publish_pending_stories.apply()
    assert status_of(story) == "published"
