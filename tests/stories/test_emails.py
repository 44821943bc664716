"""Emails about stories: what its owner did not do themselves, and what is new for site admins."""

from typing import Any

import pytest
from django.db import transaction

from apps.accounts.actors import Actor
from apps.core.models import OutgoingEmail
from apps.sites.models import Site
from apps.stories import emails
from apps.stories.models import FounderStory, StoryVersion
from apps.stories.services import publish_pending, stories
from tests.factories import ListingFactory, UserFactory, complete_profile
from tests.listings.statuses import in_status
from tests.stories.writing import by_owner, enough, too_short, words, write

TEAM = "team@slipway.example"
HOSTILE = "<b>Bold</b>\n\nIn the admin: https://evil.example"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _team_has_an_address(site: Site) -> None:
    site.team_email = TEAM
    site.save()


def told(to: str) -> list[OutgoingEmail]:
    return list(OutgoingEmail.objects.filter(to=to).order_by("pk"))


def told_to_owner(story: FounderStory) -> list[OutgoingEmail]:
    return told(story.listing.company.owner.email)


def team() -> Actor:
    return Actor(user=UserFactory.create(is_staff=True), via="admin")


def held(story: FounderStory, reason: str = "Names a person.") -> FounderStory:
    taken = stories.take_down_story(story=story, reason=reason, by=team())
    OutgoingEmail.objects.all().delete()
    return taken


# ---- to site admins ----
@pytest.mark.parametrize(
    ("via", "credential", "way"),
    [
        ("browser", "", "in the browser"),
        ("key", "Laptop", "API key “Laptop”"),
        ("assistant", "Claude", "assistant “Claude”"),
    ],
)
def test_site_admins_hear_of_a_published_story_and_how_it_came(via: Any, credential: str, way: str) -> None:
    listing = ListingFactory.create(live=True)
    complete_profile(listing.company.owner)
    stories.set_founder_story(listing=listing, fields=enough(), by=by_owner(listing, via=via, credential=credential))
    (email,) = told(TEAM)
    story = FounderStory.objects.get()
    assert email.subject == f"New founder story for {listing.company.name} on {listing.site.name}"
    assert f"{listing.company.owner.email} published a founder story" in email.text
    for said in (way, "300 words", "> How it all began", story.url):
        assert said in email.text
    assert listing.site.url(f"/admin/stories/founderstory/{story.pk}/change/") in email.text
    assert not told_to_owner(story)


def test_edits_drafts_and_the_owners_own_acts_are_no_news() -> None:
    story = write(too_short())
    assert not OutgoingEmail.objects.exists()
    story = write(enough(), listing=story.listing)
    assert len(told(TEAM)) == 1
    listing = story.listing
    write({"problem": words(90)}, listing=listing)
    write({"hard_parts": ""}, listing=listing)
    assert StoryVersion.objects.filter(action="returned").exists()
    write(enough(), listing=listing)
    stories.unpublish_story(listing=listing, reason="Later.", by=by_owner(listing))
    assert [email.to for email in OutgoingEmail.objects.all()] == [TEAM, TEAM]


def test_a_site_without_an_address_tells_everybody_of_its_team(site: Site) -> None:
    Site.objects.update(team_email="")
    people = {UserFactory.create(is_staff=True).email for _ in range(2)}
    listing = ListingFactory.create(live=True)
    write(enough(), listing=listing)
    assert {email.to for email in OutgoingEmail.objects.all()} == people


def test_an_owners_text_cannot_pass_for_a_line_of_the_email() -> None:
    write(enough(title=HOSTILE))
    (email,) = told(TEAM)
    lines = [line for line in email.text.splitlines() if "evil.example" in line]
    assert lines
    assert all(line.startswith("> ") for line in lines)


# ---- to the owner ----
def test_an_automatically_published_story_is_announced_to_its_owner_and_to_site_admins(site: Site) -> None:
    story = write(too_short())
    site.story_min_words = 200
    site.save()
    assert publish_pending.publish_pending_stories() == 1
    (email,) = told_to_owner(story)
    assert email.subject == f"Your {story.listing.company.name} story is published on {site.name}"
    assert site.url(f"/stories/{story.listing.slug}") in email.text
    assert site.url(f"/listings/{story.listing.slug}/story") in email.text
    (for_team,) = told(TEAM)
    assert "The service published a founder story" in for_team.text
    assert "automatically" in for_team.text


def test_a_story_of_a_listing_that_waits_says_when_it_is_seen(site: Site) -> None:
    story = write(too_short(), listing=in_status("scheduled"))
    site.story_min_words = 200
    site.save()
    publish_pending.publish_pending_stories()
    for email in (*told_to_owner(story), *told(TEAM)):
        assert "listing is live" in email.text
        assert site.url("/stories/") not in email.text
    assert OutgoingEmail.objects.count() == 2


def test_a_story_that_was_taken_down_is_told_with_the_reason() -> None:
    story = write(enough())
    OutgoingEmail.objects.all().delete()
    stories.take_down_story(story=story, reason="Names a <person>.", by=team())
    (email,) = told_to_owner(story)
    assert f"{story.listing.company.name} story was taken down" in email.subject
    assert "Reason: Names a <person>." in email.text
    assert not told(TEAM)


RELEASES: list[tuple[str, dict[str, str], bool, str, str]] = [
    ("live", enough(), True, "published", "public again."),
    ("scheduled", enough(), True, "published", "listing is live"),
    ("live", too_short(), True, "draft", "something is missing"),
    ("live", enough(), False, "draft", "Publish it when"),
]


@pytest.mark.parametrize(("status", "fields", "publish", "becomes", "said"), RELEASES)
def test_a_release_says_what_became_of_the_story(
    status: str, fields: dict[str, str], publish: bool, becomes: str, said: str
) -> None:
    story = held(write(fields, listing=in_status(status), publish=publish))
    released = stories.release_story(story=story, by=team())
    assert released.status == becomes
    (email,) = told_to_owner(story)
    assert email.subject.endswith(f"was restored on {story.listing.site.name}")
    assert said in email.text
    assert [other for _, _, _, _, other in RELEASES if other in email.text] == [said]
    assert not told(TEAM)


def test_a_closed_account_gets_nothing() -> None:
    story = write(enough())
    owner = story.listing.company.owner
    owner.is_active = False
    owner.save()
    stories.take_down_story(story=story, reason="Spam.", by=team())
    assert not told(owner.email)


# ---- with the act, and once ----
def test_no_email_without_the_act() -> None:
    story = write(enough())
    OutgoingEmail.objects.all().delete()

    def break_off() -> None:
        with transaction.atomic():
            stories.take_down_story(story=story, reason="Spam.", by=team())
            raise OSError

    with pytest.raises(OSError):  # noqa: PT011 (raised just above, bare on purpose)
        break_off()
    assert not OutgoingEmail.objects.exists()
    assert not FounderStory.objects.filter(taken_down_at__isnull=False).exists()


def test_a_version_is_told_once_and_the_next_again() -> None:
    story = write(enough())
    emails.notify(StoryVersion.objects.get())
    assert len(told(TEAM)) == 1
    for _ in range(2):
        story = stories.take_down_story(story=story, reason="Spam.", by=team())
        story = stories.release_story(story=story, by=team())
    assert len(told_to_owner(story)) == 4


def test_emails_are_in_the_name_of_the_listings_site(site: Site) -> None:
    other = Site.objects.create(
        key="other", host="other.localhost", name="Elsewhere", team_email="else@slipway.example"
    )
    listing = ListingFactory.create(live=True, site=other)
    story = write(enough(), listing=listing)
    stories.take_down_story(story=story, reason="Spam.", by=team())
    assert {email.to for email in OutgoingEmail.objects.all()} == {"else@slipway.example", listing.company.owner.email}
    assert {(email.site_name, email.site_url) for email in OutgoingEmail.objects.all()} == {
        ("Elsewhere", other.base_url)
    }
