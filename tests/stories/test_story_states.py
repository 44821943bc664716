"""Whether a story is published and shown: by its listing's status, its owner, its site's rules and site admins."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.actors import SYSTEM, Actor
from apps.accounts.models import User
from apps.core.errors import Unprocessable
from apps.core.text.weeks import Week
from apps.listings.models import Company, Listing
from apps.listings.services import moderation
from apps.listings.services.creation import publish_listing
from apps.listings.services.locks import NotEditable
from apps.listings.services.merging import merge_companies
from apps.sites.models import Site
from apps.stories.models import FounderStory, StoryVersion
from apps.stories.services import stories
from tests.api import ApiClient
from tests.factories import CompanyFactory, ListingFactory, UserFactory, complete_profile
from tests.listings.statuses import in_status
from tests.stories.writing import by_owner, enough, too_short, words, write

pytestmark = pytest.mark.django_db

Status = Listing.Status
# How a story came to its state, with the status its owner sees.
STATES = {"published": "published", "draft": "draft", "unpublished": "draft", "taken_down": "draft"}


@pytest.fixture
def team(db: None) -> Actor:
    return Actor(user=UserFactory.create(is_staff=True), via="admin")


def in_state(state: str, listing: Listing) -> FounderStory:
    """A story of the listing, as the commands leave it in that state."""
    story = write(too_short() if state == "draft" else enough(), listing=listing)
    if state == "unpublished":
        stories.unpublish_story(listing=listing, reason="", by=by_owner(listing))
    if state == "taken_down":
        stories.take_down_story(story=story, reason="It names a customer.", by=SYSTEM)
    return FounderStory.objects.get(pk=story.pk)


def places(listing: Listing) -> dict[str, bool]:
    """Where visitors, who are not signed in, see something of the story."""
    browser, address = Client(), f"/stories/{listing.slug}"
    return {
        "page": browser.get(address).status_code == 200,
        "list": address in browser.get("/stories").content.decode(),
        "listing": address in browser.get(listing.path).content.decode(),
    }


def actions() -> list[str]:
    return list(StoryVersion.objects.order_by("id").values_list("action", flat=True))


class TestListing:
    @pytest.mark.parametrize("state", STATES)
    @pytest.mark.parametrize("status", [status for status in Status.values if status != Status.REJECTED])
    def test_visitors_see_it_while_it_is_published_on_a_live_listing(self, status: str, state: str) -> None:
        listing = in_status(status)
        in_state(state, listing)
        listing = Listing.objects.get(pk=listing.pk)
        is_shown = (status, state) == (Status.LIVE, "published")
        assert places(listing) == dict.fromkeys(("page", "list", "listing"), is_shown)
        assert listing.founder_story.is_shown is is_shown
        assert FounderStory.objects.published().exists() is is_shown
        answer = ApiClient(listing.company.owner).get(f"/me/listings/{listing.pk}", {"include": "founder_story"})
        told = answer.json()["founder_story"]
        assert (told["status"], told["shown_on_listing"]) == (STATES[state], is_shown)

    def test_it_comes_and_goes_with_its_listing_and_nothing_of_it_is_changed(self, team: Actor) -> None:
        """From before the launch to the archive: the row of the story stays unchanged all the time."""
        listing = ListingFactory.create()
        write(enough(), listing=listing)
        before = FounderStory.objects.values().get()

        def seen() -> bool:
            [one] = set(places(listing).values())
            return one

        assert not seen()
        publish_listing(listing=listing, week=Week.of(timezone.now()))
        assert seen()
        moderation.suspend_listing(listing=listing, reason="Complaints.", by=team)
        assert not seen()
        moderation.restore_listing(listing=listing, by=team)
        assert seen()
        moderation.archive_listing(listing=listing, by=team)
        assert not seen()
        assert FounderStory.objects.values().get() == before
        assert actions() == ["published"]

    def test_a_rejected_listing_keeps_its_story_and_nobody_changes_it(self) -> None:
        listing = in_status("in_review")
        story = write(too_short(), listing=listing)
        Listing.objects.filter(pk=listing.pk).update(status=Status.REJECTED)
        for call in (
            lambda: write(enough(), listing=listing),
            lambda: stories.unpublish_story(listing=listing, reason="", by=by_owner(listing)),
            lambda: stories.restore_story(version=story.versions.get(), by=by_owner(listing)),
        ):
            with pytest.raises(NotEditable):
                call()
        Site.objects.update(story_min_words=1)
        assert stories.publish_if_ready(story.pk) is False
        assert actions() == ["saved"]


class TestOwner:
    @pytest.fixture
    def former(self, site: Site) -> User:
        return UserFactory.create(name="Former Person")

    @pytest.fixture
    def present(self, site: Site) -> User:
        made: User = UserFactory.create()
        complete_profile(made)
        return made

    @pytest.fixture
    def listing(self, former: User, present: User, team: Actor) -> Listing:
        """A live listing with a published story, that changed hands by a merge."""
        made: Listing = ListingFactory.create(live=True, company__owner=former)
        write(enough(title="What the former one says"), listing=made)
        drop = CompanyFactory.create(owner=present)
        merge_companies(keep=made.company, drop=drop, by=team, owner=present)
        return Listing.objects.get(pk=made.pk)

    def test_a_former_owners_story_is_not_shown(self, listing: Listing, present: User) -> None:
        assert not any(places(listing).values())
        assert stories.own_story(listing) is None
        answer = ApiClient(present).get(f"/me/listings/{listing.pk}", {"include": "founder_story"})
        assert answer.json()["founder_story"] is None
        with pytest.raises(stories.NotPublished):
            stories.unpublish_story(listing=listing, reason="", by=by_owner(listing))

    def test_a_question_of_the_new_owner_changes_nothing(self, listing: Listing, present: User) -> None:
        before = FounderStory.objects.values().get()
        story = ApiClient(present).put(f"/me/listings/{listing.pk}/story", {}).json()
        assert (story["title"], story["status"], len(story["missing"])) == ("", "draft", 5)
        assert FounderStory.objects.values().get() == before

    def test_the_new_owner_begins_without_the_former_ones_words(self, listing: Listing, present: User) -> None:
        client = ApiClient(present)
        story = client.put(f"/me/listings/{listing.pk}/story", {"problem": words(75)}).json()
        assert (story["title"], story["status"]) == ("", "draft")
        kept = FounderStory.objects.get()
        assert (kept.author, kept.title, kept.sections) == (present, "", {"problem": words(75)})
        assert client.put(f"/me/listings/{listing.pk}/story", enough()).json()["shown_on_listing"] is True
        assert "What the former one says" not in Client().get(f"/stories/{listing.slug}").content.decode()

    def test_the_former_words_stay_in_the_history(self, listing: Listing, present: User) -> None:
        ApiClient(present).put(f"/me/listings/{listing.pk}/story", enough(title="What the new one says"))
        first, second = StoryVersion.objects.order_by("id")
        assert first.snapshot["title"] == "What the former one says"
        assert second.action == "published"
        titles = [change for change in second.changes if change["field"] == "title"]
        assert titles == [{"field": "title", "before": "What the former one says", "after": "What the new one says"}]

    def test_the_former_owner_writes_no_more(self, listing: Listing, former: User) -> None:
        with pytest.raises(NotEditable, match="another account"):
            stories.set_founder_story(listing=listing, fields=enough(), by=Actor(user=former, via="browser"))
        with pytest.raises(NotEditable, match="another account"):
            stories.unpublish_story(listing=listing, reason="", by=Actor(user=former, via="browser"))

    def test_back_with_its_author_it_is_shown_again(self, listing: Listing, former: User) -> None:
        Company.objects.filter(pk=listing.company_id).update(owner=former)
        assert all(places(listing).values())

    def test_a_draft_that_waits_is_not_published_for_another_owner(self, present: User) -> None:
        listing = ListingFactory.create(live=True)
        story = write(too_short(), listing=listing)
        Company.objects.filter(pk=listing.company_id).update(owner=present)
        Site.objects.update(story_min_words=1)
        assert stories.publish_if_ready(story.pk) is False

    def test_what_site_admins_took_down_stays_down_under_another_owner(self, present: User) -> None:
        listing = ListingFactory.create(live=True)
        in_state("taken_down", listing)
        Company.objects.filter(pk=listing.company_id).update(owner=present)
        story = ApiClient(present).put(f"/me/listings/{listing.pk}/story", enough()).json()
        assert story["status"] == "draft"
        assert story["missing"][0]["url"].endswith("/story/history")


class TestMerge:
    """Two companies of one owner become one, both listed on the site."""

    @pytest.fixture
    def pair(self, team: Actor) -> tuple[Listing, Listing]:
        owner = UserFactory.create()
        first, second = ListingFactory.create_batch(2, live=True, company__owner=owner)
        return first, second

    def test_the_story_of_a_listing_that_closes_goes_to_the_one_that_stays(
        self, team: Actor, pair: tuple[Listing, Listing]
    ) -> None:
        keep, drop = pair
        story = write(enough(), listing=drop)
        merge_companies(keep=keep.company, drop=drop.company, by=team)
        story = FounderStory.objects.get(pk=story.pk)
        assert (story.listing, story.is_shown, story.versions.count()) == (keep, True, 1)
        assert all(places(keep).values())
        changed = write({"title": "A title after the merge"}, listing=Listing.objects.get(pk=keep.pk))
        assert (changed.pk, changed.status) == (story.pk, "published")

    def test_of_two_stories_each_stays_with_its_listing(self, team: Actor, pair: tuple[Listing, Listing]) -> None:
        keep, drop = pair
        write(enough(title="The one that stays"), listing=keep)
        write(enough(title="The one that closes"), listing=drop)
        merge_companies(keep=keep.company, drop=drop.company, by=team)
        assert list(FounderStory.objects.published().values_list("title", flat=True)) == ["The one that stays"]
        assert FounderStory.objects.get(listing=drop).title == "The one that closes"

    def test_a_listing_that_moves_takes_its_story_along(self, team: Actor, site: Site) -> None:
        owner = UserFactory.create()
        moved = ListingFactory.create(live=True, company__owner=owner)
        write(enough(), listing=moved)
        merge_companies(keep=CompanyFactory.create(owner=owner), drop=moved.company, by=team)
        assert all(places(moved).values())

    def test_site_admins_get_a_warning_beforehand(self, team: Actor, pair: tuple[Listing, Listing]) -> None:
        keep, drop = pair
        browser = Client()
        browser.force_login(UserFactory.create(is_staff=True, is_superuser=True))

        def told() -> str:
            address = reverse("admin:listings_company_merge", args=[keep.company_id])
            return browser.get(address, {"drop": drop.company_id}).content.decode()

        assert "founder story" not in told()
        write(enough(), listing=drop)
        assert ", the founder story" in told()
        write(enough(), listing=keep)
        assert f"hidden because {keep.path}" in told()


class TestUnpublish:
    def test_it_stays_a_draft_until_its_owner_publishes_it(self) -> None:
        story = write(enough())
        stories.unpublish_story(listing=story.listing, reason="  We rewrite\nit. ", by=by_owner(story.listing))
        assert not any(places(story.listing).values())
        Site.objects.update(story_min_words=1)
        assert stories.publish_if_ready(story.pk) is False
        version = StoryVersion.objects.latest("id")
        assert (version.action, version.reason, version.changes) == ("unpublished", "We rewrite it.", [])
        assert write({}, listing=story.listing).status == "published"
        assert actions() == ["published", "unpublished", "published"]

    def test_a_draft_cannot_be(self) -> None:
        story = write(too_short())
        with pytest.raises(stories.NotPublished):
            stories.unpublish_story(listing=story.listing, reason="", by=by_owner(story.listing))
        with pytest.raises(stories.NotPublished):
            stories.unpublish_story(listing=ListingFactory.create(), reason="", by=SYSTEM)
        assert actions() == ["saved"]

    def test_saving_a_draft_keeps_it_one_and_it_waits_for_nothing(self) -> None:
        story = write(enough(), publish=False)
        assert (story.status, story.publish_when_ready) == ("draft", False)
        assert stories.publish_if_ready(story.pk) is False
        assert write({"title": "Another good title"}, listing=story.listing, publish=True).status == "published"
        assert write({"title": "A third good title"}, listing=story.listing, publish=False).status == "published"


class TestTeam:
    def test_what_is_down_is_not_published_until_it_is_released(self, team: Actor) -> None:
        story = write(enough())
        stories.take_down_story(story=story, reason=" It names\na customer ", by=team)
        assert not any(places(story.listing).values())
        outcome = stories.set_founder_story(
            listing=story.listing, fields=enough(title="A title without a name"), by=by_owner(story.listing)
        )
        where = f"{stories.editor_url(story.listing)}/history"
        told = "A moderator took the story down: It names a customer. Contact the site admin once this is resolved."
        assert [(gap.reason, gap.url) for gap in outcome.gaps] == [(told, where)]
        assert stories.publish_if_ready(story.pk) is False
        released = stories.release_story(story=story, by=team)
        assert (released.status, released.title) == ("published", "A title without a name")
        assert all(places(story.listing).values())
        assert actions() == ["published", "taken_down", "saved", "released"]
        held = StoryVersion.objects.get(action="taken_down")
        assert (held.reason, held.author, held.via) == ("It names a customer", team.user, "admin")

    @pytest.mark.parametrize("state", ["draft", "unpublished"])
    def test_a_release_publishes_nothing_that_was_not(self, team: Actor, state: str) -> None:
        listing = ListingFactory.create(live=True)
        story = in_state(state, listing)
        stories.take_down_story(story=story, reason="Spam.", by=team)
        assert stories.release_story(story=story, by=team).status == "draft"

    def test_a_release_gives_back_what_stood_by_older_rules(self, team: Actor) -> None:
        story = write(enough())
        Site.objects.update(story_min_words=1000)
        stories.take_down_story(story=story, reason="Spam.", by=team)
        assert stories.release_story(story=story, by=team).status == "published"

    def test_a_release_judges_what_was_changed_meanwhile(self, team: Actor) -> None:
        story = write(enough())
        stories.take_down_story(story=story, reason="Spam.", by=team)
        write({"problem": "Short."}, listing=story.listing)
        released = stories.release_story(story=story, by=team)
        assert (released.status, released.taken_down_reason) == ("draft", "")
        assert stories.missing(released)
        assert write({"problem": words(75)}, listing=story.listing).status == "published"

    def test_a_release_publishes_nothing_under_another_owner(self, team: Actor) -> None:
        """Whose profile is complete: it is not theirs that the words are published under."""
        listing = ListingFactory.create(live=True)
        author, present = listing.company.owner, UserFactory.create()
        story = in_state("taken_down", listing)
        complete_profile(present)
        Company.objects.filter(pk=listing.company_id).update(owner=present)
        released = stories.release_story(story=story, by=team)
        assert (released.status, released.taken_down_at, released.publish_when_ready) == ("draft", None, True)
        Company.objects.filter(pk=listing.company_id).update(owner=author)
        assert stories.publish_if_ready(story.pk) is True
        assert all(places(listing).values())

    def test_a_story_that_is_gone_is_told(self, team: Actor) -> None:
        story = in_state("taken_down", ListingFactory.create(live=True))
        FounderStory.objects.all().delete()
        with pytest.raises(NotEditable, match="no longer exists"):
            stories.release_story(story=story, by=team)

    def test_twice_is_refused(self, team: Actor) -> None:
        story = write(enough())
        with pytest.raises(stories.NotTakenDown):
            stories.release_story(story=story, by=team)
        stories.take_down_story(story=story, reason="Spam.", by=team)
        with pytest.raises(stories.AlreadyTakenDown):
            stories.take_down_story(story=story, reason="Spam again.", by=team)
        assert FounderStory.objects.get().taken_down_reason == "Spam."

    @pytest.mark.parametrize(
        ("reason", "code"), [("", "required"), (" \u200b\n", "required"), ("x" * 301, "max_length")]
    )
    def test_a_reason_is_needed_and_has_its_limit(self, team: Actor, reason: str, code: str) -> None:
        story = write(enough())
        with pytest.raises(Unprocessable) as refusal:
            stories.take_down_story(story=story, reason=reason, by=team)
        assert [(error.code, error.pointer) for error in refusal.value.errors] == [(code, "/reason")]
        assert actions() == ["published"]
        assert stories.take_down_story(story=story, reason="x" * 300, by=team).taken_down_reason == "x" * 300

    def test_an_owners_reason_has_the_same_limit(self) -> None:
        story = write(enough())
        with pytest.raises(Unprocessable) as refusal:
            stories.unpublish_story(listing=story.listing, reason="x" * 301, by=by_owner(story.listing))
        assert [(error.code, error.pointer) for error in refusal.value.errors] == [("max_length", "/reason")]
        assert FounderStory.objects.get().status == "published"


class TestRestore:
    def test_a_draft_stays_one_and_a_published_story_published(self) -> None:
        story = write(enough(title="The first good title"))
        first = StoryVersion.objects.get()
        write({"title": "Another good title"}, listing=story.listing)
        outcome = stories.restore_story(version=first, by=by_owner(story.listing))
        assert (outcome.story.title, outcome.story.status) == ("The first good title", "published")
        version = StoryVersion.objects.latest("id")
        assert (version.action, version.restored_from) == ("edited", first)
        stories.unpublish_story(listing=story.listing, reason="", by=by_owner(story.listing))
        write({"title": "A third good title"}, listing=story.listing, publish=False)
        outcome = stories.restore_story(version=first, by=by_owner(story.listing))
        assert (outcome.story.title, outcome.story.status) == ("The first good title", "draft")

    def test_what_was_added_since_is_gone_with_it(self) -> None:
        story = write({"title": "First", "problem": "Rain."})
        first = StoryVersion.objects.get()
        write({"whats_next": "Sun.", "problem": ""}, listing=story.listing)
        stories.restore_story(version=first, by=by_owner(story.listing))
        restored = FounderStory.objects.get()
        assert (restored.title, restored.sections) == ("First", {"problem": "Rain."})

    def test_a_title_that_is_too_long_by_now_is_refused(self) -> None:
        story = write({"title": "t" * 90})
        first = story.versions.get()
        write({"title": "Short"}, listing=story.listing)
        Site.objects.update(story_title_max_characters=80)
        with pytest.raises(Unprocessable) as refusal:
            stories.restore_story(version=first, by=by_owner(story.listing))
        assert [(error.code, error.pointer) for error in refusal.value.errors] == [("max_length", "/title")]
