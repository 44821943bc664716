"""Founder stories in the admin: what site admins see, and their two decisions."""

import html
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.core.models import OutgoingEmail
from apps.core.operations.personal_data.erasure import erase_rows
from apps.stories.models import FounderStory, StoryVersion
from apps.stories.services import stories as services
from tests.browsing import staff
from tests.factories import UserFactory
from tests.listings.statuses import in_status
from tests.stories.writing import by_owner, enough, too_short, words, write

pytestmark = pytest.mark.django_db

LIST = "/admin/stories/founderstory/"
HOSTILE = "<script>alert(1)</script>"
REASON = {"reason": "Names a person."}

Way = Callable[[Client, FounderStory, str, dict[str, Any]], Any]


@pytest.fixture
def member() -> User:
    return staff("view_founderstory", "change_founderstory")


def page_of(story: FounderStory) -> str:
    return reverse("admin:stories_founderstory_change", args=[story.pk])


def on_its_page(client: Client, story: FounderStory, decision: str, sent: dict[str, Any]) -> Any:
    return client.post(reverse(f"admin:stories_founderstory_{decision}_one", args=[story.pk]), sent)


def in_the_list(client: Client, story: FounderStory, decision: str, sent: dict[str, Any]) -> Any:
    return client.post(LIST, {"action": decision, "_selected_action": [story.pk], **sent})


WAYS = [on_its_page, in_the_list]


def down(story: FounderStory, member: User) -> FounderStory:
    """The story, taken down."""
    client = Client()
    client.force_login(member)
    on_its_page(client, story, "take_down", {"confirmed": "yes", **REASON})
    story.refresh_from_db()
    assert story.taken_down_at
    OutgoingEmail.objects.all().delete()
    return story


def said(answer: Any) -> list[str]:
    return [str(message) for message in answer.context["messages"]]


# ---- decisions ----
@pytest.mark.parametrize("way", WAYS)
def test_taking_down_is_asked_for_and_then_done(team: Client, member: User, way: Way) -> None:
    story = write(enough())
    asked = way(team, story, "take_down", {})
    assert asked.status_code == 200
    assert f"Public now: {story.url}" in asked.content.decode()
    story.refresh_from_db()
    assert story.published_at
    assert way(team, story, "take_down", {"confirmed": "yes", **REASON}).status_code == 302
    story.refresh_from_db()
    assert (story.status, story.taken_down_reason, story.is_shown) == ("draft", "Names a person.", False)
    version = StoryVersion.objects.latest("pk")
    assert (version.action, version.reason, version.author, version.via) == (
        "taken_down",
        "Names a person.",
        member,
        "admin",
    )
    assert OutgoingEmail.objects.filter(to=story.author.email, text__contains="Names a person.").count() == 1


@pytest.mark.parametrize("way", WAYS)
def test_releasing_publishes_again_what_meets_the_rules(team: Client, member: User, way: Way) -> None:
    story = down(write(enough()), member)
    asked = way(team, story, "release", {})
    assert "Meets all requirements" in asked.content.decode()
    assert way(team, story, "release", {"confirmed": "yes"}).status_code == 302
    story.refresh_from_db()
    assert (story.status, story.taken_down_at, story.taken_down_reason, story.is_shown) == ("published", None, "", True)
    version = StoryVersion.objects.latest("pk")
    assert (version.action, version.author, version.via) == ("released", member, "admin")
    assert OutgoingEmail.objects.get(to=story.author.email).subject.endswith("was restored on Slipway")


@pytest.mark.parametrize(
    ("fields", "publish", "foretold"),
    [
        (too_short(), True, "299 of 300"),
        (enough(), False, "hasn't asked"),
    ],
)
def test_what_a_release_will_not_do_is_said_before(
    team: Client, member: User, fields: dict[str, str], publish: bool, foretold: str
) -> None:
    story = down(write(fields, publish=publish), member)
    assert foretold in html.unescape(on_its_page(team, story, "release", {}).content.decode())
    on_its_page(team, story, "release", {"confirmed": "yes"})
    story.refresh_from_db()
    assert (story.taken_down_at, story.status) == (None, "draft")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("decision", ["take_down", "release"])
def test_what_is_done_already_says_so(team: Client, member: User, way: Way, decision: str) -> None:
    story = write(enough())
    if decision == "take_down":
        down(story, member)
    versions = StoryVersion.objects.count()
    OutgoingEmail.objects.all().delete()
    asked = way(team, story, decision, {})
    assert not asked.context["can_decide"]
    answer = way(team, story, decision, {"confirmed": "yes", **REASON})
    assert answer.status_code == 302
    assert any("down" in text and "1." not in text for text in said(team.get(LIST)))
    assert StoryVersion.objects.count() == versions
    assert not OutgoingEmail.objects.exists()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("decision", ["take_down", "release"])
@pytest.mark.parametrize("who", ["viewer", "owner", "nobody"])
def test_without_the_permission_nothing_happens(
    client: Client, member: User, who: str, way: Way, decision: str
) -> None:
    story = write(enough())
    if decision == "release":
        down(story, member)
    before = FounderStory.objects.values().get()
    OutgoingEmail.objects.all().delete()
    if who != "nobody":
        client.force_login(staff("view_founderstory", "change_listing") if who == "viewer" else story.author)
    answer = way(client, story, decision, {"confirmed": "yes", **REASON})
    # A list without the action is shown unchanged.
    is_list = way is in_the_list and who == "viewer"
    assert answer.status_code == (200 if is_list else 302 if who != "viewer" else 403)
    assert FounderStory.objects.values().get() == before
    assert not OutgoingEmail.objects.exists()


@pytest.mark.parametrize("reason", ["", "   ", "x" * 301, "\u200b\u202e"])
def test_taking_down_needs_a_reason_that_can_be_read(team: Client, reason: str) -> None:
    story = write(enough())
    answer = on_its_page(team, story, "take_down", {"confirmed": "yes", "reason": reason})
    assert answer.status_code == 200
    assert answer.context["form"].errors["reason"]
    story.refresh_from_db()
    assert story.published_at


def test_reading_the_question_changes_nothing_and_needs_the_token(team: Client, member: User) -> None:
    story = write(enough())
    address = reverse("admin:stories_founderstory_take_down_one", args=[story.pk])
    assert team.get(f"{address}?confirmed=yes&reason=x").status_code == 200
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(member)
    assert strict.post(address, {"confirmed": "yes", **REASON}).status_code == 403
    story.refresh_from_db()
    assert story.published_at


def test_many_are_taken_down_together(team: Client, member: User) -> None:
    stories = [write(enough()) for _ in range(3)]
    down(stories[0], member)
    chosen = [story.pk for story in stories]
    answer = team.post(
        LIST, {"action": "take_down", "_selected_action": chosen, "confirmed": "yes", **REASON}, follow=True
    )
    assert any(text.endswith(": 2.") for text in said(answer))
    assert FounderStory.objects.filter(taken_down_at__isnull=False).count() == 3


def test_a_story_of_an_earlier_owner_can_be_taken_down(team: Client) -> None:
    story = write(enough())
    company = story.listing.company
    company.owner = UserFactory.create()
    company.save()
    on_its_page(team, story, "take_down", {"confirmed": "yes", **REASON})
    story.refresh_from_db()
    assert story.taken_down_at
    # The new owner cannot publish either, and so is the one to know.
    assert OutgoingEmail.objects.filter(subject__contains="taken down").get().to == company.owner.email
    asked = on_its_page(team, story, "release", {}).content.decode()
    assert "no longer owns" in asked
    on_its_page(team, story, "release", {"confirmed": "yes"})
    email = OutgoingEmail.objects.filter(subject__contains="restored").get()
    assert email.to == company.owner.email
    assert f"{story.listing.site.url(story.listing.path)}/story" in email.text
    assert not FounderStory.objects.published().exists()


# ---- what is seen ----
def test_a_page_shows_the_words_and_takes_none(team: Client) -> None:
    story = write(enough(problem=f"{words(75)} {HOSTILE}"))
    page = team.get(page_of(story))
    text = page.content.decode()
    assert HOSTILE not in text
    for shown in ("&lt;script&gt;", "How it all began", "The problem, ", "published", story.url):
        assert shown in text
    assert team.post(page_of(story), {"title": "Taken over"}).status_code == 403
    story.refresh_from_db()
    assert story.title == "How it all began"
    assert team.get(reverse("admin:stories_founderstory_add")).status_code == 403
    assert team.post(reverse("admin:stories_founderstory_delete", args=[story.pk]), {"post": "yes"}).status_code == 403


def test_the_page_has_the_button_of_the_storys_state(team: Client, member: User) -> None:
    story = write(enough())
    buttons = {
        decision: reverse(f"admin:stories_founderstory_{decision}_one", args=[story.pk])
        for decision in ("take_down", "release")
    }
    page = team.get(page_of(story)).content.decode()
    assert [name for name, address in buttons.items() if address in page] == ["take_down"]
    page = team.get(page_of(down(story, member))).content.decode()
    assert [name for name, address in buttons.items() if address in page] == ["release"]
    viewer = Client()
    viewer.force_login(staff("view_founderstory"))
    page = viewer.get(page_of(story)).content.decode()
    assert not [name for name, address in buttons.items() if address in page]


def test_the_history_says_who_did_what_by_which_way(team: Client, member: User) -> None:
    story = write(enough())
    fields = {"title": "How it all began again"}
    by = by_owner(story.listing, via="key", credential="Laptop")
    services.set_founder_story(listing=story.listing, fields=fields, by=by)
    down(story, member)
    page = team.get(page_of(story)).content.decode()
    for shown in ("Edited while published", "Key: Laptop", story.author.email, StoryVersion.Action.TAKEN_DOWN.label):
        assert shown in page
    assert "Names a person." in page
    assert member.email in page
    assert ">again</ins>" in page or "again</ins>" in page


def test_what_a_published_story_lacks_by_new_rules_is_said(team: Client) -> None:
    story = write(enough())
    assert "current rules" in team.get(page_of(story)).content.decode()
    site = story.listing.site
    site.story_min_words = 301
    site.save()
    page = team.get(page_of(story)).content.decode()
    assert "300 of 301" in page
    assert "earlier rules" in page


def test_the_list_can_be_narrowed_to_each_state(team: Client, member: User) -> None:
    stories = {
        "published": write(enough()),
        "unseen": write(enough(), listing=in_status("scheduled")),
        "waiting": write(too_short()),
        "draft": write(enough(), publish=False),
        "taken_down": down(write(enough()), member),
    }
    for state, story in stories.items():
        shown = team.get(LIST, {"state": state}).context["cl"].result_list
        assert list(shown) == [story], state
    assert len(team.get(LIST).context["cl"].result_list) == len(stories)
    labels = team.get(LIST).content.decode()
    for label in ("published, hidden", "incomplete", "taken down"):
        assert label in labels


@pytest.mark.parametrize("wanted", ["title", "company", "author"])
def test_a_story_is_found(team: Client, wanted: str) -> None:
    story, _ = write(enough(title="The marigold years")), write(enough())
    term = {"title": "marigold", "company": story.listing.company.name, "author": story.author.email}[wanted]
    assert story in team.get(LIST, {"q": term}).context["cl"].result_list


def test_the_author_is_not_deleted_in_the_admin_and_erasure_takes_the_story(client: Client) -> None:
    story = write(enough())
    client.force_login(UserFactory.create(is_staff=True, is_superuser=True))
    address = reverse("admin:accounts_user_delete", args=[story.author_id])
    assert client.post(address, {"post": "yes"}).status_code == 403
    assert FounderStory.objects.get() == story
    erase_rows(story.author)
    assert not FounderStory.objects.exists()


def test_a_story_is_taken_down_and_not_deleted_by_itself(client: Client) -> None:
    story = write(enough())
    client.force_login(UserFactory.create(is_staff=True, is_superuser=True))
    address = reverse("admin:stories_founderstory_delete", args=[story.pk])
    assert address not in client.get(page_of(story)).content.decode()
    assert client.post(address, {"post": "yes"}).status_code == 403
    client.post(LIST, {"action": "delete_selected", "_selected_action": [story.pk], "post": "yes"})
    assert "delete_selected" not in client.get(LIST).content.decode()
    assert FounderStory.objects.get() == story


def test_a_release_says_that_the_rules_of_then_are_enough(team: Client, member: User) -> None:
    story = down(write(enough()), member)
    site = story.listing.site
    site.story_min_words = 6000
    site.save()
    assert "Meets all requirements" in on_its_page(team, story, "release", {}).content.decode()
    on_its_page(team, story, "release", {"confirmed": "yes"})
    story.refresh_from_db()
    assert story.status == "published"


@pytest.mark.parametrize("number", ["\u00b2", "9" * 40, "999999", "abc"])
@pytest.mark.parametrize("page", ["change", "take_down_one", "release_one"])
def test_a_story_that_is_not_there_leads_back(team: Client, page: str, number: str) -> None:
    assert team.get(f"{LIST}{number}/{page}/").status_code in {302, 404}
