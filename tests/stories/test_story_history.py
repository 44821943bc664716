"""The history of a story as its owner reads it, restoring a version, and unpublishing."""

import pytest
from django.test import Client

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.listings.models import Listing
from apps.sites.models import Site
from apps.stories.models import FounderStory, StoryVersion
from apps.stories.sections import SECTIONS
from apps.stories.services import history, stories
from tests.browsing import signed_in
from tests.factories import ListingFactory, SiteFactory, UserFactory, complete_profile
from tests.listings.owner.browsing import HOSTILE, html_of

pytestmark = pytest.mark.django_db

PAGES = ("history", "unpublish")


@pytest.fixture
def person(site: Site) -> User:
    user: User = UserFactory.create(email="owner@example.com")
    complete_profile(user)
    return user


@pytest.fixture
def browser(person: User) -> Client:
    return signed_in(person)


@pytest.fixture
def listing(person: User) -> Listing:
    made: Listing = ListingFactory.create(live=True, company__owner=person, company__name="Acme")
    return made


def enough(word: str = "word") -> dict[str, str]:
    """A story that meets the rules of the default site."""
    text = " ".join([word] * 75)
    return {"title": "How it all began", **dict.fromkeys(("how_started", "problem", "what_built", "hard_parts"), text)}


def write(
    listing: Listing, by: User, fields: dict[str, str] | None = None, *, publish: bool = True, **more: str
) -> StoryVersion:
    """Save fields of the story in the browser; returns the version of it."""
    fresh = Listing.objects.get(pk=listing.pk)
    stories.set_founder_story(
        listing=fresh, fields={**(fields or {}), **more}, publish=publish, by=Actor(user=by, via="browser")
    )
    return newest(listing)


def newest(listing: Listing) -> StoryVersion:
    return StoryVersion.objects.filter(story__listing=listing).latest("id")


def story_of(listing: Listing) -> FounderStory:
    return FounderStory.objects.select_related("listing__company").get(listing=listing)


def restore_path(listing: Listing, version: StoryVersion) -> str:
    return f"{listing.path}/story/versions/{version.pk}/restore"


def test_the_history_says_who_by_what_and_what(browser: Client, person: User, listing: Listing) -> None:
    team = Actor(user=UserFactory.create(name="Team Member", is_staff=True), via="admin")
    steps: list[tuple[Actor, dict[str, str]]] = [
        (Actor(user=person, via="browser"), {"title": "The quick brown fox"}),
        (Actor(user=person, via="key", credential="Build script"), {"title": "The quick red fox"}),
        (Actor(user=person, via="assistant", credential="An assistant"), enough()),
        (Actor(user=person, via="browser"), {"hard_parts": ""}),
    ]
    for actor, fields in steps:
        stories.set_founder_story(listing=listing, fields=fields, by=actor)
    stories.take_down_story(story=story_of(listing), reason="Names a customer.", by=team)
    stories.release_story(story=story_of(listing), by=team)
    html = html_of(browser.get(f"{listing.path}/story/history"))
    for text in ("in the browser", "with the API key Build script", "by An assistant", "A site admin"):
        assert text in html
    assert "Team Member" not in html
    assert "<del>brown</del><ins>red</ins>" in html
    assert "Names a customer." in html
    acts = ["Restored by", "Taken down by", "Back to draft", ">Published<", "Saved as a draft"]
    assert [html.index(act) for act in acts] == sorted(html.index(act) for act in acts)


def test_a_version_is_named_after_its_story(person: User, listing: Listing) -> None:
    first = write(listing, person, problem="Paper.")
    assert str(first) == f"Story of {listing}, version {first.pk}"
    second = write(listing, person, title="How it all began")
    assert str(second) == f"How it all began, version {second.pk}"


def test_sections_are_under_the_headings_of_the_story_page(browser: Client, person: User, listing: Listing) -> None:
    write(listing, person, milestones="Ten customers.", whats_next="More of them.")
    page = browser.get(f"{listing.path}/story/history")
    (part,) = page.context["versions"][0].parts
    assert [change.label for change in part.differences] == [SECTIONS["milestones"], SECTIONS["whats_next"]]
    assert "<ins>Ten customers.</ins>" in html_of(page)


@pytest.mark.slow
def test_the_history_is_paged(browser: Client, person: User, listing: Listing) -> None:
    for number in range(25):
        write(listing, person, title=f"Title {number}")
    first = html_of(browser.get(f"{listing.path}/story/history"))
    assert first.count("<article") == 10
    assert "<ins>24</ins>" in first
    assert "<ins>14</ins>" not in first
    assert "<ins>4</ins>" in html_of(browser.get(f"{listing.path}/story/history?page=3"))


def test_a_story_from_before_the_history_can_be_brought_back(browser: Client, person: User, listing: Listing) -> None:
    old = FounderStory.objects.create(listing=listing, author=person, title="Old", sections={"problem": "Old words"})
    write(listing, person, title="New")
    beginning = old.versions.earliest("id")
    assert history.is_beginning(beginning)
    assert "First version" in html_of(browser.get(f"{listing.path}/story/history"))
    browser.post(restore_path(listing, beginning), {"newest": str(newest(listing).pk)})
    assert (story_of(listing).title, story_of(listing).sections) == ("Old", {"problem": "Old words"})


def test_an_empty_history_leads_to_the_editor(browser: Client, listing: Listing) -> None:
    html = html_of(browser.get(f"{listing.path}/story/history"))
    assert "No versions yet" in html
    assert f'href="{listing.path}/story"' in html


def test_restoring_is_confirmed_and_is_a_version_itself(browser: Client, person: User, listing: Listing) -> None:
    first = write(listing, person, enough())
    second = write(listing, person, title="Another title here", problem="")
    page = html_of(browser.get(f"{listing.path}/story/history"))
    assert restore_path(listing, first) in page
    assert restore_path(listing, second) not in page
    confirmation = browser.get(restore_path(listing, first))
    assert [change.label for change in confirmation.context["restoring"].differences] == ["Title", SECTIONS["problem"]]
    assert story_of(listing).title == "Another title here"
    answer = browser.post(restore_path(listing, first), {"newest": confirmation.context["restoring"].newest})
    assert answer.headers["Location"] == f"{listing.path}/story"
    story, version = story_of(listing), newest(listing)
    assert {"title": story.title, **story.sections} == enough()
    assert (version.restored_from, version.author, version.via) == (first, person, "browser")
    assert StoryVersion.objects.filter(story=story).count() == 3
    assert "Restored from" in html_of(browser.get(f"{listing.path}/story/history"))


def test_restoring_words_that_lack_something_makes_a_draft_and_says_so(
    browser: Client, person: User, listing: Listing
) -> None:
    draft = write(listing, person, title="Only a title yet")
    write(listing, person, enough())
    assert story_of(listing).status == "published"
    confirmation = browser.get(restore_path(listing, draft))
    assert any("0 of 300" in text for text in confirmation.context["returning"])
    answer = browser.post(restore_path(listing, draft), {"newest": newest(listing).pk}, follow=True)
    assert "draft again" in html_of(answer)
    assert story_of(listing).status == "draft"


def test_restoring_a_draft_publishes_nothing(browser: Client, person: User, listing: Listing) -> None:
    full = write(listing, person, enough(), publish=False)
    write(listing, person, publish=False, problem="")
    browser.post(restore_path(listing, full), {"newest": newest(listing).pk})
    assert {"title": story_of(listing).title, **story_of(listing).sections} == enough()
    assert story_of(listing).status == "draft"


def test_what_changed_since_the_page_was_opened_is_shown_first(browser: Client, person: User, listing: Listing) -> None:
    first = write(listing, person, title="The first title")
    write(listing, person, title="The second title")
    seen = browser.get(restore_path(listing, first)).context["restoring"].newest
    write(listing, person, problem="Written by an assistant meanwhile.")
    answer = browser.post(restore_path(listing, first), {"newest": seen})
    assert answer.status_code == 409
    assert "<del>Written by an assistant meanwhile.</del>" in html_of(answer)
    assert story_of(listing).title == "The second title"
    browser.post(restore_path(listing, first), {"newest": answer.context["restoring"].newest})
    assert (story_of(listing).title, story_of(listing).sections) == ("The first title", {})


@pytest.mark.parametrize("newest_sent", ["", "x", None])
def test_a_form_that_does_not_say_what_was_seen_restores_nothing(
    browser: Client, person: User, listing: Listing, newest_sent: str | None
) -> None:
    first = write(listing, person, title="The first title")
    write(listing, person, title="The second title")
    sent = {} if newest_sent is None else {"newest": newest_sent}
    assert browser.post(restore_path(listing, first), sent).status_code == 409
    assert story_of(listing).title == "The second title"


def test_a_title_over_the_limit_of_now_is_refused_with_the_limit(
    browser: Client, person: User, listing: Listing
) -> None:
    long = write(listing, person, title="x" * 90)
    write(listing, person, title="A short title")
    listing.site.story_title_max_characters = 60
    listing.site.save()
    answer = browser.post(restore_path(listing, long), {"newest": newest(listing).pk})
    assert answer.status_code == 422
    assert "60 characters" in html_of(answer)
    assert story_of(listing).title == "A short title"


def test_words_of_now_are_not_restored(browser: Client, person: User, listing: Listing) -> None:
    version = write(listing, person, title="A title")
    answer = browser.get(restore_path(listing, version))
    assert answer.headers["Location"] == f"{listing.path}/story/history"
    browser.post(restore_path(listing, version), {"newest": version.pk})
    assert StoryVersion.objects.count() == 1


def test_versions_of_another_story_are_not_there(browser: Client, person: User, listing: Listing) -> None:
    write(listing, person, title="Mine")
    other = ListingFactory.create(live=True)
    foreign = write(other, other.company.owner, title="Of another company")
    mine_too = write(ListingFactory.create(company__owner=person), person, title="Of my other company")
    for version in (foreign, mine_too):
        assert browser.get(restore_path(listing, version)).status_code == 404
        assert browser.post(restore_path(listing, version), {"newest": version.pk}).status_code == 404
    assert "Of another company" not in html_of(browser.get(f"{listing.path}/story/history"))
    assert story_of(listing).title == "Mine"


def test_unpublishing_says_what_it_means_and_keeps_the_reason(browser: Client, person: User, listing: Listing) -> None:
    write(listing, person, enough())
    assert f'href="{listing.path}/story/unpublish"' in html_of(browser.get(f"{listing.path}/story/history"))
    page = html_of(browser.get(f"{listing.path}/story/unpublish"))
    assert "private draft" in page
    assert story_of(listing).status == "published"
    answer = browser.post(f"{listing.path}/story/unpublish", {"reason": " The numbers\x00 are\r\nold. "})
    assert answer.headers["Location"] == f"{listing.path}/story"
    story = story_of(listing)
    assert (story.status, story.publish_when_ready, newest(listing).reason) == ("draft", False, "The numbers are old.")
    assert {"title": story.title, **story.sections} == enough()
    assert browser.get(f"/stories/{listing.slug}").status_code == 404
    assert "The numbers are old." in html_of(browser.get(f"{listing.path}/story/history"))


def test_a_reason_is_optional(browser: Client, person: User, listing: Listing) -> None:
    write(listing, person, enough())
    browser.post(f"{listing.path}/story/unpublish")
    assert (story_of(listing).status, newest(listing).reason) == ("draft", "")


def test_a_reason_that_is_too_long_is_refused_with_the_limit_and_kept(
    browser: Client, person: User, listing: Listing
) -> None:
    write(listing, person, enough())
    answer = browser.post(f"{listing.path}/story/unpublish", {"reason": "r" * 301})
    assert answer.status_code == 422
    assert "300" in str(answer.context["form"].errors["reason"])
    assert "r" * 301 in html_of(answer)
    assert story_of(listing).status == "published"
    browser.post(f"{listing.path}/story/unpublish", {"reason": "r" * 300})
    assert (story_of(listing).status, newest(listing).reason) == ("draft", "r" * 300)


def test_what_is_not_published_cannot_be_unpublished(browser: Client, person: User, listing: Listing) -> None:
    write(listing, person, title="A draft")
    for answer in (browser.get(f"{listing.path}/story/unpublish"), browser.post(f"{listing.path}/story/unpublish")):
        assert answer.headers["Location"] == f"{listing.path}/story"
    assert StoryVersion.objects.count() == 1


@pytest.mark.parametrize("page", PAGES)
def test_the_owner_gets_there_and_nobody_else(browser: Client, person: User, listing: Listing, page: str) -> None:
    write(listing, person, enough())
    address = f"{listing.path}/story/{page}"
    assert browser.get(address).status_code == 200
    for other in (UserFactory.create(), UserFactory.create(is_staff=True, is_superuser=True)):
        assert signed_in(other).get(address).status_code == 404
    anonymous = Client(headers={"host": "testserver.localhost"}).get(address)
    assert anonymous.headers["Location"] == f"/account/sign-in?next={address}"
    assert browser.get(address, headers={"host": SiteFactory.create().host}).status_code == 404


def test_nobody_else_changes_anything(person: User, listing: Listing) -> None:
    first = write(listing, person, enough())
    write(listing, person, title="Another title here")
    stranger = signed_in(UserFactory.create())
    assert stranger.post(f"{listing.path}/story/unpublish", {"reason": "Mine"}).status_code == 404
    assert stranger.post(restore_path(listing, first), {"newest": newest(listing).pk}).status_code == 404
    assert (story_of(listing).status, story_of(listing).title) == ("published", "Another title here")


def test_forms_from_elsewhere_are_refused(person: User, listing: Listing) -> None:
    first = write(listing, person, enough())
    write(listing, person, title="Another title here")
    client = Client(headers={"host": "testserver.localhost"}, enforce_csrf_checks=True)
    client.force_login(person)
    assert client.post(f"{listing.path}/story/unpublish").status_code == 403
    assert client.post(restore_path(listing, first), {"newest": newest(listing).pk}).status_code == 403
    assert (story_of(listing).status, story_of(listing).title) == ("published", "Another title here")


def test_a_rejected_listing_keeps_its_history_and_changes_no_more(
    browser: Client, person: User, listing: Listing
) -> None:
    first = write(listing, person, enough())
    write(listing, person, title="Another title here")
    Listing.objects.filter(pk=listing.pk).update(status="rejected", status_reason="No product.")
    html = html_of(browser.get(f"{listing.path}/story/history"))
    assert "Another" in html
    for way in ("/restore", "/story/unpublish", f'{listing.path}/story"'):
        assert way not in html
    for address in (f"{listing.path}/story/unpublish", restore_path(listing, first)):
        assert browser.get(address).headers["Location"] == f"{listing.path}/manage"
        assert browser.post(address, {"newest": newest(listing).pk}).status_code == 302
    assert (story_of(listing).status, story_of(listing).title) == ("published", "Another title here")


def test_a_new_owner_reads_the_words_but_not_who_wrote_them(person: User, listing: Listing) -> None:
    key = Actor(user=person, via="key", credential="Private name of a key")
    stories.set_founder_story(listing=listing, fields=enough(), by=key)
    stories.unpublish_story(listing=listing, reason="A private reason", by=key)
    new = UserFactory.create(name="New Owner")
    listing.company.owner = new
    listing.company.save()
    browser = signed_in(new)
    html = html_of(browser.get(f"{listing.path}/story/history"))
    assert "An earlier owner" in html
    assert "previous owner" in html
    assert f"{listing.path}/story/unpublish" not in html
    for private in (person.name, person.email, "Private name of a key", "A private reason"):
        assert private not in html


def test_hostile_texts_are_texts(browser: Client, person: User, listing: Listing) -> None:
    hostile = f'{HOSTILE}</textarea>"><img src=x onerror=alert(1)>'
    by_key = Actor(user=person, via="key", credential=HOSTILE)
    stories.set_founder_story(listing=listing, fields={"title": HOSTILE}, by=by_key)
    first = newest(listing)
    stories.set_founder_story(listing=listing, fields={**enough(), "problem": f"{hostile} " + "word " * 75}, by=by_key)
    listing.site.story_title_min_characters = 1
    listing.site.save()
    stories.set_founder_story(listing=Listing.objects.get(pk=listing.pk), fields={"title": HOSTILE}, by=by_key)
    unpublish = browser.post(f"{listing.path}/story/unpublish", {"reason": hostile * 10})
    pages = [browser.get(f"{listing.path}/story/history"), browser.get(restore_path(listing, first)), unpublish]
    for page in pages:
        html = html_of(page)
        assert "<script>alert" not in html
        assert "<img src=x" not in html
        assert "&lt;script&gt;alert(1)" in html


@pytest.mark.parametrize(
    ("state", "shown"),
    [
        ("none", ""),
        ("draft", "draft"),
        ("published", "published"),
        ("not live", "published"),
        ("taken_down", "draft"),
        ("of another", ""),
    ],
)
def test_the_overview_leads_to_the_story_and_says_its_state(
    browser: Client, person: User, listing: Listing, state: str, shown: str
) -> None:
    if state != "none":
        write(listing, person, {"title": "A draft"} if state == "draft" else enough())
    if state == "not live":
        Listing.objects.filter(pk=listing.pk).update(status="suspended", suspended_from="live")
    if state == "taken_down":
        team = Actor(user=UserFactory.create(is_staff=True), via="admin")
        stories.take_down_story(story=story_of(listing), reason="Names a customer.", by=team)
        assert "Names a customer." in html_of(browser.get(f"{listing.path}/story/history"))
    if state == "of another":
        FounderStory.objects.update(author=UserFactory.create())
    page = browser.get(f"{listing.path}/manage")
    html = html_of(page)
    assert page.context["listing"]["story"]["state"] == shown
    assert page.context["listing"]["story"]["text"] in html
    assert ("listing is suspended" in html) == (state == "not live")
    assert ("Taken down" in html) == (state == "taken_down")
    assert f'href="{listing.path}/story"' in html
    assert f'href="{listing.path}/story"' in html_of(browser.get("/account"))


def test_the_overview_marks_a_story_by_its_state(browser: Client, person: User, listing: Listing) -> None:
    write(listing, person, {"title": "A draft"})
    assert ">Draft</span>" in html_of(browser.get(f"{listing.path}/manage"))


def test_a_new_owner_may_take_the_words_over(person: User, listing: Listing) -> None:
    version = write(listing, person, enough())
    new = UserFactory.create()
    listing.company.owner = new
    listing.company.save()
    browser = signed_in(new)
    assert restore_path(listing, version) in html_of(browser.get(f"{listing.path}/story/history"))
    confirmation = browser.get(restore_path(listing, version))
    assert "is a draft again" not in html_of(confirmation)
    browser.post(restore_path(listing, version), {"newest": confirmation.context["restoring"].newest})
    story = story_of(listing)
    assert {"title": story.title, **story.sections} == enough()
    assert (story.author, story.status) == (new, "draft")
