"""set_founder_story: what changes and what stays, what is refused with counts, and what the answer says."""

import re
from itertools import product
from typing import Any

import pytest

from apps.listings.models import Listing
from apps.sites.models import Site
from apps.stories.models import FounderStory, StoryVersion
from apps.stories.sections import MAX_SECTION_CHARACTERS, OLD_NAMES, SECTIONS
from apps.stories.services import stories
from tests.api import ApiClient
from tests.factories import ListingFactory, SiteFactory, complete_profile
from tests.listings.statuses import in_status
from tests.stories.writing import by_owner, enough, too_short, words

pytestmark = pytest.mark.django_db

FIELDS = ("title", *SECTIONS)
ANSWER = {"title", "url", "published_at", "shown_on_listing", "status", "missing", "public_from", "next_steps"}


@pytest.fixture
def listing(owner: ApiClient) -> Listing:
    """A live listing of an owner whose profile is complete."""
    made: Listing = ListingFactory.create(live=True, company__owner=owner.user)
    complete_profile(made.company.owner)
    return made


def put(client: ApiClient, listing: Listing, fields: Any, **headers: str) -> Any:
    return client.put(f"/me/listings/{listing.pk}/story", fields, **headers)


def stored() -> dict[str, str]:
    """The words of the only story, by field."""
    story = FounderStory.objects.get()
    return {"title": story.title, **story.sections}


def refused(client: ApiClient, listing: Listing, fields: Any, status: int = 422) -> dict[str, str]:
    """The problems' codes by pointer, of a request that changed nothing."""
    before = list(FounderStory.objects.values()), StoryVersion.objects.count()
    answer = put(client, listing, fields)
    assert answer.status_code == status
    assert (list(FounderStory.objects.values()), StoryVersion.objects.count()) == before
    return {error["pointer"]: error["code"] for error in answer.json()["errors"]}


class TestAnswer:
    def test_a_story_that_meets_the_rules_is_published(self, owner: ApiClient, listing: Listing) -> None:
        answer = put(owner, listing, enough())
        assert answer.status_code == 200
        story = answer.json()
        assert set(story) == ANSWER
        assert (story["status"], story["missing"], story["shown_on_listing"]) == ("published", [], True)
        assert story["url"] == listing.site.url(f"/stories/{listing.slug}")
        assert story["title"] == "How it all began"
        assert story["published_at"]

    def test_a_story_that_does_not_is_a_draft_that_says_why(self, owner: ApiClient, listing: Listing) -> None:
        story = put(owner, listing, too_short(title="Too short")).json()
        assert set(story) == ANSWER
        assert (story["status"], story["published_at"], story["shown_on_listing"]) == ("draft", None, False)
        assert story["url"] == listing.site.url(f"/listings/{listing.slug}/story")
        assert [gap["url"] for gap in story["missing"]] == [f"{story['url']}#title", f"{story['url']}#milestones"]
        title, text = (gap["reason"] for gap in story["missing"])
        assert ("9 of 10" in title, "299 of 300" in text) == (True, True)

    def test_a_profile_that_lacks_something_keeps_it_a_draft(self, owner: ApiClient) -> None:
        listing = ListingFactory.create(live=True, company__owner=owner.user)
        story = put(owner, listing, enough()).json()
        assert story["status"] == "draft"
        profile = listing.site.url("/account/profile")
        parts = ("real_name", "role", "bio", "photo")
        assert [entry["url"] for entry in story["missing"]] == [f"{profile}#{part}" for part in parts]
        complete_profile(listing.company.owner)
        assert put(owner, listing, {}).json()["status"] == "published"

    def test_the_rules_and_addresses_are_those_of_the_listings_site(self, owner: ApiClient, listing: Listing) -> None:
        """Whatever host the API is called by."""
        elsewhere = SiteFactory.create(story_min_words=301, host="elsewhere.localhost")
        other = ListingFactory.create(live=True, company__owner=owner.user, site=elsewhere)
        story = put(owner, other, enough()).json()
        [gap] = story["missing"]
        assert gap["url"] == f"{elsewhere.url(other.path)}/story#milestones"
        assert "300 of 301" in gap["reason"]
        assert story["url"].startswith("http://elsewhere.localhost")
        assert put(owner, listing, enough()).json()["missing"] == []

    def test_a_story_keeps_its_date_also_when_it_comes_back(self, owner: ApiClient, listing: Listing) -> None:
        first = put(owner, listing, enough()).json()["published_at"]
        assert put(owner, listing, {"title": "Another good title"}).json()["published_at"] == first
        assert put(owner, listing, {"problem": ""}).json()["published_at"] is None
        assert put(owner, listing, {"problem": words(75)}).json()["published_at"] == first


class TestPartialUpdate:
    @pytest.mark.parametrize(("name", "there"), list(product(FIELDS, ["nothing", "draft", "published"])))
    def test_only_the_field_sent_changes(self, owner: ApiClient, listing: Listing, name: str, there: str) -> None:
        before: dict[str, str] = {}
        if there != "nothing":
            whole = {"title": "The whole title", **{section: f"{section} {words(60)}" for section in SECTIONS}}
            before = whole if there == "published" else {**whole, "how_started": "Short."}
            assert put(owner, listing, before).json()["status"] == there
        text = f"A new text. {words(60)}" if name != "title" else "A new title of the story"
        put(owner, listing, {name: text})
        assert stored() == {"title": "", **before, name: text}

    @pytest.mark.parametrize("name", FIELDS)
    def test_an_empty_text_empties_its_field_alone(self, owner: ApiClient, listing: Listing, name: str) -> None:
        whole = {"title": "The whole title", **dict.fromkeys(SECTIONS, words(60))}
        put(owner, listing, whole)
        put(owner, listing, {name: " \n "})
        left = {key: text for key, text in whole.items() if key != name}
        assert stored() == ({"title": ""} if name == "title" else {}) | left

    @pytest.mark.parametrize("name", [name for name in FIELDS if name not in {"milestones", "whats_next"}])
    def test_a_published_story_that_falls_below_the_rules_is_a_draft(
        self, owner: ApiClient, listing: Listing, name: str
    ) -> None:
        put(owner, listing, enough())
        story = put(owner, listing, {name: "Too few"}).json()
        assert (story["status"], story["shown_on_listing"]) == ("draft", False)
        assert f"{stories.editor_url(listing)}#{name}" in [entry["url"] for entry in story["missing"]]
        actions = list(StoryVersion.objects.order_by("id").values_list("action", flat=True))
        assert actions == ["published", "returned"]

    def test_the_same_words_again_leave_no_version(self, owner: ApiClient, listing: Listing) -> None:
        put(owner, listing, enough())
        put(owner, listing, enough())
        assert StoryVersion.objects.count() == 1

    def test_a_version_says_what_changed_and_who_did_it(self, owner: ApiClient, listing: Listing) -> None:
        put(owner, listing, {"title": "First", "problem": "Rain."})
        put(owner, listing, {"problem": "", "milestones": "One."})
        version = StoryVersion.objects.latest("id")
        assert (version.author, version.via, version.credential) == (owner.user, "key", "test key")
        assert version.changes == [
            {"field": "problem", "before": "Rain.", "after": ""},
            {"field": "milestones", "before": "", "after": "One."},
        ]
        assert version.snapshot == {"title": "First", "sections": {"milestones": "One."}}


class TestQuestion:
    """A body without fields asks how the story stands."""

    def test_before_there_is_one_nothing_is_kept(self, owner: ApiClient, listing: Listing) -> None:
        for fields in ({}, {"problem": "  "}, {"title": ""}):
            story = put(owner, listing, fields).json()
            assert (story["status"], story["title"], len(story["missing"])) == ("draft", "", 5)
        assert not FounderStory.objects.exists()
        assert not StoryVersion.objects.exists()

    def test_of_a_draft_it_says_what_is_missing(self, owner: ApiClient, listing: Listing) -> None:
        told = put(owner, listing, too_short()).json()
        assert put(owner, listing, {}).json() == told
        assert StoryVersion.objects.count() == 1

    def test_it_publishes_a_draft_that_waited_for_its_profile(self, owner: ApiClient) -> None:
        listing = ListingFactory.create(live=True, company__owner=owner.user)
        put(owner, listing, enough())
        complete_profile(listing.company.owner)
        assert put(owner, listing, {}).json()["status"] == "published"
        assert list(StoryVersion.objects.values_list("action", flat=True)) == ["published", "saved"]

    def test_it_never_takes_a_story_back(self, owner: ApiClient, listing: Listing) -> None:
        put(owner, listing, enough())
        Site.objects.update(story_min_words=1000)
        listing.company.owner.founder_profile.delete()
        story = put(owner, listing, {}).json()
        assert (story["status"], story["missing"]) == ("published", [])

    def test_it_does_not_publish_what_its_owner_took_down(self, owner: ApiClient, listing: Listing) -> None:
        put(owner, listing, enough())
        stories.unpublish_story(listing=listing, reason="", by=by_owner(listing))
        story = put(owner, listing, {}).json()
        assert story["status"] == "draft"
        [entry] = story["missing"]
        assert entry["url"] == stories.editor_url(listing)
        assert "set_founder_story" in entry["reason"]
        assert put(owner, listing, {"title": "How it all began"}).json()["status"] == "published"


class TestOlderNames:
    @pytest.mark.parametrize(("old", "name"), OLD_NAMES.items())
    def test_each_is_taken_for_its_section(self, owner: ApiClient, listing: Listing, old: str, name: str) -> None:
        put(owner, listing, {name: "Before.", "title": "Kept"})
        put(owner, listing, {old: "By its older name."})
        assert stored() == {"title": "Kept", name: "By its older name."}
        put(owner, listing, {old: ""})
        assert stored() == {"title": "Kept"}

    @pytest.mark.parametrize(("old", "name"), OLD_NAMES.items())
    def test_both_names_with_two_texts_are_refused(
        self, owner: ApiClient, listing: Listing, old: str, name: str
    ) -> None:
        problems = refused(owner, listing, {old: "One.", name: "Another.", "title": "Not kept"})
        assert problems == {f"/{old}": "invalid"}

    def test_both_names_with_one_text_are_taken(self, owner: ApiClient, listing: Listing) -> None:
        put(owner, listing, {"why_started": "Rain. ", "problem": "Rain.", "whats_next": "Sun."})
        assert stored() == {"title": "", "problem": "Rain.", "whats_next": "Sun."}

    def test_a_problem_points_to_the_name_that_was_sent(self, owner: ApiClient, listing: Listing) -> None:
        problems = refused(owner, listing, {"lessons": "x" * 10_001, "journey": 7})
        assert problems == {"/journey": "string"}
        assert list(refused(owner, listing, {"lessons": "x" * 10_001})) == ["/lessons"]

    def test_a_whole_story_by_older_names_is_published(self, owner: ApiClient, listing: Listing) -> None:
        new = enough()
        by_old_names = {old: new[name] for old, name in OLD_NAMES.items() if name in new}
        assert put(owner, listing, {"title": new["title"], **by_old_names}).json()["status"] == "published"
        assert stored() == new


class TestBadInput:
    def test_over_long_texts_are_refused_each_with_count_and_limit(self, owner: ApiClient, listing: Listing) -> None:
        put(owner, listing, {"title": "Kept", "problem": "Kept."})
        fields = {"title": "t" * 91, "problem": "x" * 10_001, "hard_parts": "x" * 12_345, "milestones": "Fine."}
        assert refused(owner, listing, fields) == dict.fromkeys(("/title", "/problem", "/hard_parts"), "max_length")
        details = {error["pointer"]: error["detail"] for error in put(owner, listing, fields).json()["errors"]}
        assert {pointer: re.findall(r"[\d,]+", detail) for pointer, detail in details.items()} == {
            "/title": ["90", "91"],
            "/problem": ["10,000", "10,001"],
            "/hard_parts": ["10,000", "12,345"],
        }
        assert stored() == {"title": "Kept", "problem": "Kept."}

    def test_at_the_limits_all_is_taken(self, owner: ApiClient, listing: Listing) -> None:
        """Also in signs of four bytes: all sections of the greatest length are within the limit of a body."""
        sections = dict.fromkeys(list(SECTIONS)[:5], "😀" * MAX_SECTION_CHARACTERS)
        assert put(owner, listing, {"title": "t" * 90, **sections}).status_code == 200
        assert stored() == {"title": "t" * 90, **sections}

    def test_the_title_has_its_sites_limit(self, owner: ApiClient, listing: Listing) -> None:
        Site.objects.update(story_title_max_characters=40)
        assert refused(owner, listing, {"title": "t" * 41}) == {"/title": "max_length"}
        assert put(owner, listing, {"title": "t" * 40}).status_code == 200

    def test_a_title_that_is_there_already_does_not_refuse_the_rest(self, owner: ApiClient, listing: Listing) -> None:
        """Assistants send the whole story; the site may have lowered its limit meanwhile."""
        put(owner, listing, enough(title="t" * 90))
        Site.objects.update(story_title_max_characters=40)
        answer = put(owner, listing, enough(title="t" * 90, problem=words(80)))
        assert (answer.status_code, answer.json()["status"]) == (200, "published")
        assert stored()["problem"] == words(80)
        assert refused(owner, listing, {"title": "t" * 89, "problem": words(90)}) == {"/title": "max_length"}
        assert stored()["problem"] == words(80)

    @pytest.mark.parametrize("value", [7, True, ["a"], {"a": "b"}, 1.5])
    @pytest.mark.parametrize("name", ["title", "problem", "why_started"])
    def test_what_is_no_text_is_refused(self, owner: ApiClient, listing: Listing, name: str, value: Any) -> None:
        assert list(refused(owner, listing, {name: value, "milestones": "Fine."})) == [f"/{name}"]

    def test_null_leaves_a_section_as_it_is(self, owner: ApiClient, listing: Listing) -> None:
        put(owner, listing, {"title": "Kept", "problem": "Kept."})
        assert put(owner, listing, {"title": None, "problem": None, "milestones": "Fine."}).status_code == 200
        assert stored() == {"title": "Kept", "problem": "Kept.", "milestones": "Fine."}

    @pytest.mark.parametrize("value", [{"problems": "a"}, {"body": "a"}, {"status": "published"}, {"publish": True}])
    def test_unknown_keys_are_refused_by_name(self, owner: ApiClient, listing: Listing, value: Any) -> None:
        problems = refused(owner, listing, {**value, "milestones": "Fine."})
        assert problems == {f"/{next(iter(value))}": "unknown_key"}

    @pytest.mark.parametrize("body", [[], "text", 7])
    def test_a_body_that_is_no_object_is_refused(self, owner: ApiClient, listing: Listing, body: Any) -> None:
        assert put(owner, listing, body).status_code in {400, 422}
        assert not FounderStory.objects.exists()

    def test_texts_are_cleaned_and_markup_stays_text(self, owner: ApiClient, listing: Listing) -> None:
        put(
            owner,
            listing,
            {
                "title": " A\u202e  title\n<b>",
                "problem": "\x07One\r\n\r\ntwo\u200b  \u2067three\u2069 ",
                "milestones": "<script>alert(1)</script>",
                "whats_next": "\u200b\u2066",
            },
        )
        assert stored() == {
            "title": "A title <b>",
            "problem": "One\n\ntwo  three",
            "milestones": "<script>alert(1)</script>",
        }


class TestWho:
    @pytest.mark.parametrize("status", [status for status in Listing.Status.values if status != "rejected"])
    def test_a_listing_of_any_other_status_takes_a_story(self, owner: ApiClient, status: str) -> None:
        listing = in_status(status, company__owner=owner.user)
        complete_profile(listing.company.owner)
        story = put(owner, listing, enough()).json()
        assert (story["status"], story["shown_on_listing"]) == ("published", status == "live")

    def test_a_rejected_listing_takes_none(self, owner: ApiClient) -> None:
        listing = in_status("rejected", company__owner=owner.user)
        refused(owner, listing, enough(), status=409)
        assert put(owner, listing, enough()).json()["code"] == "not_editable"

    def test_a_merged_listing_takes_none(self, owner: ApiClient, listing: Listing) -> None:
        closed = in_status("archived", company__owner=owner.user, merged_into=listing)
        answer = put(owner, closed, enough())
        assert (answer.status_code, answer.json()["code"]) == (409, "not_editable")
        assert not FounderStory.objects.exists()

    def test_a_listing_of_somebody_else_is_not_found(self, other_owner: ApiClient, listing: Listing) -> None:
        assert put(other_owner, listing, enough()).status_code == 404
        assert put(other_owner, listing, {"nonsense": 1}).status_code == 404
        assert not FounderStory.objects.exists()

    def test_a_retry_with_the_same_key_changes_nothing_more(self, owner: ApiClient, listing: Listing) -> None:
        first = put(owner, listing, {"problem": "First."}, Idempotency_Key="story-1")
        put(owner, listing, {"problem": "Second."})
        again = put(owner, listing, {"problem": "First."}, Idempotency_Key="story-1")
        assert again["Idempotency-Replayed"] == "true"
        assert again.json() == first.json()
        assert stored()["problem"] == "Second."
        assert StoryVersion.objects.count() == 2

    def test_a_refusal_is_not_replayed(self, owner: ApiClient, listing: Listing) -> None:
        assert put(owner, listing, {"title": "t" * 91}, Idempotency_Key="story-2").status_code == 422
        Site.objects.update(story_title_max_characters=91)
        assert put(owner, listing, {"title": "t" * 91}, Idempotency_Key="story-2").status_code == 200


class TestOwnListing:
    """get_my_listing shows the story to its owner, on request."""

    def shown(self, owner: ApiClient, listing: Listing) -> Any:
        return owner.get(f"/me/listings/{listing.pk}", {"include": "founder_story"}).json()["founder_story"]

    def test_there_is_none_before_it_is_written(self, owner: ApiClient, listing: Listing) -> None:
        assert self.shown(owner, listing) is None

    def test_a_draft_with_its_words(self, owner: ApiClient, listing: Listing) -> None:
        put(owner, listing, {"title": "A title", "story": "Rain."})
        assert self.shown(owner, listing) == {
            "title": "A title",
            "sections": {"how_started": "Rain."},
            "status": "draft",
            "published_at": None,
            "shown_on_listing": False,
            "url": listing.site.url(f"{listing.path}/story"),
            "public_from": None,
            "next_steps": [],
        }

    def test_a_published_one(self, owner: ApiClient, listing: Listing) -> None:
        told = put(owner, listing, enough()).json()
        story = self.shown(owner, listing)
        assert {name: story[name] for name in ("status", "published_at", "shown_on_listing")} == {
            name: told[name] for name in ("status", "published_at", "shown_on_listing")
        }
        assert story["sections"]["problem"] == words(75)

    def test_the_next_steps_of_a_live_listing(self, owner: ApiClient, listing: Listing) -> None:
        def told() -> str:
            steps = owner.get(f"/me/listings/{listing.pk}").json()["next_steps"]
            return " ".join(step for step in steps if "set_founder_story" in step)

        assert told().startswith("Write ")
        assert stories.editor_url(listing) in told()
        put(owner, listing, too_short())
        assert told().startswith("Finish your founder story")
        put(owner, listing, enough())
        assert told() == ""
        stories.unpublish_story(listing=listing, reason="", by=by_owner(listing))
        assert told() == ""
