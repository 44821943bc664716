"""The rules of stories and profiles in the admin: in plain words, and never such as nobody could meet."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import FounderProfile
from apps.sites.admin.consistency import MAX_BIO_CHARACTERS, MAX_SECTION_WORDS, contradictions
from apps.sites.models import Site
from apps.sites.rule_choices import ProfilePart, StorySection
from apps.stories.models import FounderStory
from apps.stories.rules.site_rules import Words, gaps
from apps.stories.sections import MAX_SECTION_CHARACTERS, SECTIONS
from tests.api import ApiClient
from tests.factories import ListingFactory, UserFactory, complete_profile
from tests.listings.test_admin import form_of
from tests.stories.writing import enough, too_short, words, write

pytestmark = pytest.mark.django_db

SECTION_NAMES = [section.value for section in StorySection]
# A change, and the field beside which it is refused; without a field it is taken.
CHANGES: list[tuple[dict[str, Any], str]] = [
    ({"story_title_min_characters": 90, "story_title_max_characters": 90}, ""),
    ({"story_title_min_characters": 91, "story_title_max_characters": 90}, "story_title_min_characters"),
    ({"story_title_max_characters": 200}, ""),
    ({"story_title_max_characters": 201}, "story_title_max_characters"),
    ({"story_title_min_characters": 0, "story_title_max_characters": 0}, "story_title_max_characters"),
    ({"story_min_sections": 6, "story_required_sections": SECTION_NAMES}, ""),
    ({"story_min_sections": 7}, "story_min_sections"),
    ({"story_min_sections": 3, "story_required_sections": SECTION_NAMES[:3]}, ""),
    ({"story_min_sections": 3, "story_required_sections": SECTION_NAMES[:4]}, "story_min_sections"),
    ({"story_min_sections": 0, "story_required_sections": []}, ""),
    ({"story_required_sections": ["epilogue"]}, "story_required_sections"),
    ({"story_min_section_words": 1000}, ""),
    ({"story_min_section_words": 1001}, "story_min_section_words"),
    ({"story_min_words": 6000}, ""),
    ({"story_min_words": 6001}, "story_min_words"),
    ({"story_min_words": -1}, "story_min_words"),
    ({"story_max_links": 0}, ""),
    ({"profile_required_parts": []}, ""),
    ({"profile_required_parts": ["shoe_size"]}, "profile_required_parts"),
    ({"profile_min_bio_characters": 1000}, ""),
    ({"profile_min_bio_characters": 1001}, "profile_min_bio_characters"),
    ({"profile_min_photo_pixels": 512}, ""),
    ({"profile_min_photo_pixels": 513}, "profile_min_photo_pixels"),
    ({"profile_min_photo_pixels": 63}, "profile_min_photo_pixels"),
]


@pytest.fixture
def address(site: Site) -> str:
    return reverse("admin:sites_site_change", args=[site.pk])


@pytest.mark.parametrize(("change", "refused_at"), CHANGES)
def test_rules_that_nobody_could_meet_are_refused_beside_the_field(
    team: Client, site: Site, address: str, change: dict[str, Any], refused_at: str
) -> None:
    before = Site.objects.values().get(pk=site.pk)
    answer = team.post(address, {**form_of(team, address), **change})
    if refused_at:
        assert answer.status_code == 200
        assert list(answer.context["adminform"].form.errors) == [refused_at]
        assert Site.objects.values().get(pk=site.pk) == before
    else:
        assert answer.status_code == 302, answer.context["adminform"].form.errors
        site.refresh_from_db()
        assert {name: getattr(site, name) for name in change} == change


def test_lists_are_boxes_with_plain_names(team: Client, address: str) -> None:
    page = team.get(address).content.decode()
    for section in StorySection:
        assert f'name="story_required_sections" value="{section}"' in page.replace("\n", " ")
    for part in ProfilePart:
        assert f'value="{part}"' in page
    for label in (
        "How it started",
        "Required sections",
        "Required in a complete founder profile",
        "Real name",
        "Maximum links",
    ):
        assert label in page
    assert "story min words" not in page.lower()


def test_a_new_rule_holds_at_once_and_says_what_becomes_of_stories(
    team: Client, site: Site, address: str, owner: ApiClient
) -> None:
    complete_profile(owner.account)
    listing = ListingFactory.create(live=True, company__owner=owner.account)
    assert owner.put(f"/me/listings/{listing.pk}/story", too_short()).json()["status"] == "draft"
    answer = team.post(address, {**form_of(team, address), "story_min_words": 299}, follow=True)
    assert any("Published stories stay" in str(message) for message in answer.context["messages"])
    assert owner.put(f"/me/listings/{listing.pk}/story", {}).json()["status"] == "published"


def test_other_settings_say_nothing_of_stories(team: Client, address: str) -> None:
    answer = team.post(address, {**form_of(team, address), "tagline": "New words"}, follow=True)
    assert not any("stories" in str(message) for message in answer.context["messages"])


def test_stricter_rules_in_the_admin_leave_published_stories(team: Client, address: str) -> None:
    story = write(enough())
    change = {"story_min_words": 6000, "story_min_sections": 6, "story_required_sections": SECTION_NAMES}
    assert team.post(address, {**form_of(team, address), **change}).status_code == 302
    assert FounderStory.objects.published().get() == story


def test_the_strictest_rules_can_be_met(site: Site) -> None:
    site.story_min_words, site.story_min_sections = 6 * MAX_SECTION_WORDS, 6
    site.story_min_section_words, site.story_required_sections = MAX_SECTION_WORDS, list(SECTION_NAMES)
    site.story_title_min_characters = site.story_title_max_characters = 200
    site.story_max_links, site.profile_required_parts = 0, list(ProfilePart)
    site.profile_min_bio_characters, site.profile_min_photo_pixels = MAX_BIO_CHARACTERS, 512
    assert contradictions(site) == {}
    text = words(MAX_SECTION_WORDS)
    assert len(text) <= MAX_SECTION_CHARACTERS
    profile = complete_profile(UserFactory.create())
    profile.bio, profile.links = "x" * MAX_BIO_CHARACTERS, ["https://ada.example"]
    profile.full_clean(exclude=["slug"])
    story = Words("x" * 200, dict.fromkeys(SECTIONS, text))
    assert gaps(story, profile=profile, site=site, editor_url="/") == []


def test_the_limits_are_those_of_the_texts() -> None:
    assert FounderProfile._meta.get_field("bio").max_length == MAX_BIO_CHARACTERS
    # Even words of nine letters with their blanks have room.
    assert MAX_SECTION_WORDS * 10 <= MAX_SECTION_CHARACTERS


def test_the_rules_of_a_new_site_are_consistent() -> None:
    assert contradictions(Site()) == {}
