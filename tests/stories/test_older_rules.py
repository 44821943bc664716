"""What a published story is held against when its site, or its author's profile, has changed since."""

from typing import Any

import pytest

from apps.listings.models import Listing
from apps.sites.models import Site
from apps.stories.models import FounderStory, StoryVersion
from apps.stories.services import stories
from tests.stories.writing import by_owner, enough, too_short, words, write

pytestmark = pytest.mark.django_db


def actions() -> list[str]:
    return list(StoryVersion.objects.order_by("id").values_list("action", flat=True))


class TestOlderRules:
    """A site that asks for more unpublishes nothing, and an edit is held against either rules."""

    STRICTER: dict[str, Any] = {"story_min_words": 400, "story_title_min_characters": 30, "story_max_links": 0}

    @pytest.fixture
    def story(self) -> FounderStory:
        story = write(enough())
        Site.objects.update(**self.STRICTER)
        return FounderStory.objects.get(pk=story.pk)

    def test_an_edit_that_meets_the_rules_of_then_stays_published(self, story: FounderStory) -> None:
        for fields in ({"title": "Ten letter"}, {"milestones": "https://a.example"}, {"problem": words(75) + " more"}):
            assert stories.would_return(story=story, fields=fields) == []
            changed = write(fields, listing=Listing.objects.get(pk=story.listing_id))
            assert (changed.status, changed.published_at) == ("published", story.published_at)
        assert actions() == ["published", *["edited"] * 3]

    def test_also_after_one_that_met_the_rules_of_now(self, story: FounderStory) -> None:
        listing = Listing.objects.get(pk=story.listing_id)
        longer = enough(title="A title of thirty letters or more", problem=words(200))
        assert write(longer, listing=listing).status == "published"
        assert write(enough(), listing=listing).status == "published"

    def test_one_that_meets_neither_is_a_draft_that_is_told_the_rules_of_now(self, story: FounderStory) -> None:
        listing = Listing.objects.get(pk=story.listing_id)
        foretold = stories.would_return(story=story, fields={"problem": words(74)})
        outcome = stories.set_founder_story(listing=listing, fields={"problem": words(74)}, by=by_owner(listing))
        assert foretold == outcome.gaps
        assert outcome.story.status == "draft"
        title, text = outcome.gaps
        assert title.url.endswith("#title")
        assert ("16 of 30" in title.reason, "299 of 400" in text.reason) == (True, True)
        # From here on it is a draft as any other.
        assert write(enough(), listing=listing).status == "draft"

    def test_a_profile_that_lost_a_part_takes_a_story_back_with_the_next_edit_only(self) -> None:
        story = write(enough())
        listing = Listing.objects.get(pk=story.listing_id)
        listing.company.owner.founder_profile.delete()
        assert (
            stories.set_founder_story(listing=listing, fields=enough(), by=by_owner(listing)).story.status
            == "published"
        )
        fields = {"title": "Another good title"}
        fresh = Listing.objects.get(pk=story.listing_id)
        told = stories.would_return(story=fresh.founder_story, fields=fields)
        assert len(told) == 4
        outcome = stories.set_founder_story(listing=fresh, fields=fields, by=by_owner(fresh))
        assert (outcome.story.status, outcome.gaps) == ("draft", told)

    def test_nothing_is_foretold_of_drafts_and_of_the_same_words(self, story: FounderStory) -> None:
        assert stories.would_return(story=story, fields=enough()) == []
        assert stories.would_return(story=write(too_short()), fields={"title": ""}) == []

    def test_softer_rules_hold_for_an_edit_at_once(self) -> None:
        story = write(enough())
        Site.objects.update(story_min_words=200)
        assert write({"problem": words(40)}, listing=Listing.objects.get(pk=story.listing_id)).status == "published"
