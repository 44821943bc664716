"""Concurrent writers of one story, in real threads: no section is lost, and what an admin took down stays down."""

from functools import partial

import pytest

from apps.accounts.actors import Actor
from apps.listings.models import Listing
from apps.listings.services.merging import merge_companies
from apps.stories.models import FounderStory, StoryVersion
from apps.stories.sections import SECTIONS
from apps.stories.services import stories
from tests.factories import CompanyFactory, ListingFactory, UserFactory, complete_profile
from tests.racing import run_at_once
from tests.stories.writing import by_owner, enough, words, write

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def listing(transactional_db: None) -> Listing:
    made: Listing = ListingFactory.create(live=True)
    complete_profile(made.company.owner)
    return made


@pytest.fixture
def team(transactional_db: None) -> Actor:
    return Actor(user=UserFactory.create(is_staff=True), via="admin")


def set_fields(listing: Listing, fields: dict[str, str]) -> str:
    outcome = stories.set_founder_story(listing=listing, fields=fields, by=by_owner(listing, via="key"))
    return str(outcome.story.status)


def check_history() -> None:
    """Each version begins with what the one before it left, and the last one is what stands."""
    stands: dict[str, str] = {}
    for version in StoryVersion.objects.order_by("id"):
        for change in version.changes:
            assert stands.get(change["field"], "") == change["before"]
            stands[change["field"]] = change["after"]
    story = FounderStory.objects.get()
    assert {name: text for name, text in stands.items() if text} == {"title": story.title, **story.sections}


@pytest.mark.slow
def test_a_section_each_at_once_and_the_last_one_publishes(listing: Listing) -> None:
    """Also the row of the story is made by one of them alone."""
    fields = {"title": "How it all began", **{name: f"{name} {words(60)}" for name in SECTIONS}}
    outcomes = run_at_once(*[partial(set_fields, listing, {name: text}) for name, text in fields.items()])
    story = FounderStory.objects.get()
    assert {"title": story.title, **story.sections} == fields
    assert story.status == "published"
    assert "published" in outcomes
    assert StoryVersion.objects.count() == len(fields)
    assert StoryVersion.objects.filter(action="published").count() == 1
    check_history()


def test_one_section_by_several_is_one_of_theirs_and_the_others_stay(listing: Listing) -> None:
    write(enough(), listing=listing)
    texts = [f"Number {number} {words(75)}" for number in range(4)]
    run_at_once(*[partial(set_fields, listing, {"problem": text}) for text in texts])
    story = FounderStory.objects.get()
    assert story.sections["problem"] in texts
    assert {"title": story.title, **story.sections, "problem": ""} == enough(problem="")
    assert StoryVersion.objects.count() == 5
    check_history()


def test_an_edit_against_a_take_down_ends_with_both(listing: Listing, team: Actor) -> None:
    story = write(enough(), listing=listing)

    def take_down() -> str:
        return str(stories.take_down_story(story=story, reason="Spam.", by=team).status)

    outcomes = run_at_once(take_down, *[partial(set_fields, listing, {name: words(80)}) for name in SECTIONS])
    assert outcomes[0] == "draft"
    story.refresh_from_db()
    assert (story.status, story.taken_down_reason) == ("draft", "Spam.")
    assert story.sections == dict.fromkeys(SECTIONS, words(80))
    check_history()


def test_of_two_take_downs_one_is_made(listing: Listing, team: Actor) -> None:
    story = write(enough(), listing=listing)

    def take_down(reason: str) -> str:
        return stories.take_down_story(story=story, reason=reason, by=team).taken_down_reason

    outcomes = run_at_once(partial(take_down, "One."), partial(take_down, "Two."))
    assert outcomes.count("already_taken_down") == 1
    story.refresh_from_db()
    assert story.taken_down_reason in outcomes
    assert StoryVersion.objects.filter(action="taken_down").count() == 1


def test_a_waiting_draft_is_published_once(listing: Listing) -> None:
    profile = listing.company.owner.founder_profile
    profile.delete()
    fresh = Listing.objects.get(pk=listing.pk)
    assert set_fields(fresh, enough()) == "draft"
    complete_profile(fresh.company.owner)
    pk = FounderStory.objects.get().pk
    outcomes = run_at_once(*[lambda: str(stories.publish_if_ready(pk)) for _ in range(3)])
    assert sorted(outcomes) == ["False", "False", "True"]
    assert StoryVersion.objects.filter(action="published").count() == 1


def test_unpublishing_against_the_sweep_leaves_it_down(listing: Listing) -> None:
    story = write(enough(), listing=listing)

    def unpublish() -> str:
        return str(stories.unpublish_story(listing=listing, reason="", by=by_owner(listing)).status)

    outcomes = run_at_once(*[unpublish, *[lambda: str(stories.publish_if_ready(story.pk)) for _ in range(3)]])
    assert outcomes == ["draft", "False", "False", "False"]
    story.refresh_from_db()
    assert (story.status, story.publish_when_ready) == ("draft", False)


def test_an_edit_against_a_merge_loses_neither_the_words_nor_the_story(team: Actor, listing: Listing) -> None:
    write(enough(), listing=listing)
    keep = CompanyFactory.create(owner=listing.company.owner)
    kept = ListingFactory.create(live=True, company=keep)

    def merge() -> str:
        return str(merge_companies(keep=keep, drop=listing.company, by=team).company.pk)

    outcomes = run_at_once(merge, partial(set_fields, listing, {"whats_next": "Late."}))
    assert outcomes[0] == str(keep.pk)
    assert outcomes[1] in {"published", "not_editable"}
    story = FounderStory.objects.get()
    assert (story.listing, story.status) == (kept, "published")
    assert ("whats_next" in story.sections) == (outcomes[1] == "published")
    check_history()
