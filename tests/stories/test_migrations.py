"""What becomes of sites, stories and answers that were there before stories had rules, authors and versions."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from apps.sites.admin.consistency import contradictions
from apps.sites.models import Site
from apps.stories.models import FounderStory, InterviewAnswer
from apps.stories.rules.site_rules import Rules
from tests.migrating import migrate, to_now
from tests.stories.writing import words

pytestmark = pytest.mark.django_db(transaction=True)

BEFORE = [("sites", "0003_badge_and_vote_rules"), ("stories", "0002_first_questions")]
EARLIER = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
TITLE = "How it all began"
SECTIONS = dict.fromkeys(("how_started", "problem", "what_built", "hard_parts"), words(75))
# The sections that a site asked for, any number, and what becomes of them.
BECOMES = {0: 2, 1: 2, 2: 2, 4: 4, 6: 6, 7: 6, 32_767: 6}


@pytest.fixture
def before() -> Iterator[Any]:
    """The models from before."""
    yield migrate(BEFORE).get_model
    to_now()


def site(before: Any, key: str, **values: Any) -> Any:
    return before("sites", "Site").objects.create(key=key, host=f"{key}.example", name=key, **values)


def write_a_story(before: Any, owner: Any, here: Any) -> None:
    company = before("listings", "Company").objects.create(owner=owner, name="Lathe", website="https://lathe.example")
    launched = {"status": "live", "launch_week": "2026-W01", "launched_at": EARLIER}
    listing = before("listings", "Listing").objects.create(company=company, site=here, slug="lathe", **launched)
    stories = before("stories", "FounderStory").objects
    stories.create(listing=listing, title=TITLE, sections=SECTIONS, published_at=EARLIER)


def answer(before: Any, owner: Any, here: Any) -> None:
    for text in ("Rain.", ""):
        question = before("stories", "InterviewQuestion").objects.create(site=here, text="Why?")
        before("stories", "InterviewAnswer").objects.create(question=question, user=owner, text=text)
    before("stories", "InterviewAnswer").objects.update(updated_at=EARLIER)


def test_what_was_there_stays_and_gets_what_it_lacks(before: Any) -> None:
    """In one way there and back, which is long: rules that can be met, authors, and no answers without words."""
    sites = {asked: site(before, f"asks-{asked}", story_min_sections=asked, story_min_words=123) for asked in BECOMES}
    owner = before("accounts", "User").objects.create(email="ada@example.com")
    write_a_story(before, owner, sites[4])
    answer(before, owner, sites[4])
    to_now()
    for asked, becomes in BECOMES.items():
        found = Site.objects.get(key=f"asks-{asked}")
        assert (found.story_min_words, found.story_min_sections) == (123, becomes)
        assert Rules.of(found).required_sections == ("how_started", "problem")
        assert contradictions(found) == {}
    story = FounderStory.objects.get()
    assert (story.author_id, story.title, story.sections) == (owner.pk, TITLE, SECTIONS)
    assert (story.published_at, story.is_shown, story.is_wanted, story.published_rules) == (EARLIER, True, True, {})
    kept = InterviewAnswer.objects.get()
    assert (kept.text, kept.answered_at, kept.updated_at) == ("Rain.", EARLIER, EARLIER)
