"""Following a founder: the button, the list, and who hears of which launch."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from lxml import html

from apps.accounts.models import FounderProfile, NotificationKind, User
from apps.accounts.own_data.deletion import erase_account
from apps.core.api import schema
from apps.core.models import OutgoingEmail
from apps.core.text.weeks import Week
from apps.launches.services.publish import go_live
from apps.listings.models import Follow, Listing
from apps.listings.services import followers
from apps.notifications.digest import send_digests, set_digest_hour
from apps.notifications.inbox import count_unread, list_notifications, mark_read
from apps.notifications.models import Digest
from apps.sites.models import Site
from tests.actors import in_browser
from tests.browsing import browser
from tests.factories import ListingFactory, SiteFactory, UserFactory, access_token, api_key, complete_profile
from tests.racing import count_outcomes

pytestmark = pytest.mark.django_db

PAGE = "/founders/ada-example"
FOLLOW = f"{PAGE}/follow"


@pytest.fixture
def founder(site: Site) -> FounderProfile:
    profile = complete_profile(ListingFactory.create(live=True).company.owner)
    profile.slug = "ada-example"
    profile.save()
    return profile


@pytest.fixture
def user(site: Site) -> User:
    made: User = UserFactory.create()
    return made


@pytest.fixture
def person(user: User) -> Client:
    client = browser()
    client.force_login(user)
    return client


def launch(founder: FounderProfile, **fields: Any) -> Listing:
    """Another listing of the founder goes live now."""
    listing = ListingFactory.create(company__owner=founder.user, **fields)
    return go_live(listing=listing, week=Week.of(timezone.now()))


def texts(user: User) -> list[str]:
    return [item.text for item in list_notifications(User.objects.get(pk=user.pk)).items]


def unread(user: User) -> int:
    return count_unread(User.objects.get(pk=user.pk))


# ---- the button ----
def test_the_button_follows_and_stops(person: Client, user: User, founder: FounderProfile) -> None:
    page: Any = html.fromstring(person.get(PAGE).content)
    assert page.xpath(f"//form[@action='{FOLLOW}']//button/@aria-pressed") == ["false"]
    for _ in range(2):
        assert person.post(FOLLOW, {"next": PAGE})["Location"] == PAGE
    follow = Follow.objects.get()
    assert (follow.user, follow.founder, follow.listing) == (user, founder, None)
    page = html.fromstring(person.get(PAGE).content)
    assert page.xpath(f"//form[@action='{FOLLOW}']//button/@aria-pressed") == ["true"]
    answer = person.post(FOLLOW, {"unfollow": "1"}, headers={"HX-Request": "true"})
    assert 'aria-pressed="false"' in answer.content.decode()
    assert not Follow.objects.exists()


def test_anyone_who_is_not_signed_in_is_led_there_and_back(founder: FounderProfile) -> None:
    assert browser().post(FOLLOW)["Location"] == f"/account/sign-in?next={PAGE}"
    assert browser().get(FOLLOW)["Location"] == PAGE
    assert not Follow.objects.exists()


def test_nobody_follows_themselves(founder: FounderProfile) -> None:
    client = browser()
    client.force_login(founder.user)
    assert FOLLOW not in client.get(PAGE).content.decode()
    client.post(FOLLOW)
    assert not Follow.objects.exists()


def test_only_founders_with_a_page_on_the_site_are_followed(person: Client, founder: FounderProfile) -> None:
    Listing.objects.update(site=SiteFactory.create())
    assert person.post(FOLLOW).status_code == 404
    assert person.post("/founders/nobody/follow").status_code == 404
    assert not Follow.objects.exists()


def test_a_forged_form_changes_nothing(user: User, founder: FounderProfile) -> None:
    client = Client(headers={"host": "testserver.localhost"}, enforce_csrf_checks=True)
    client.force_login(user)
    assert client.post(FOLLOW).status_code == 403
    assert not Follow.objects.exists()


@pytest.mark.parametrize("kind", ["key", "token"])
def test_no_key_or_token_follows(user: User, founder: FounderProfile, kind: str) -> None:
    """Browser pages know sessions only: to them, a credential is nobody."""
    raw = api_key(user) if kind == "key" else access_token(user, resource=settings.PUBLIC_HOST)
    answer = Client().post(FOLLOW, headers={"authorization": f"Bearer {raw}"})
    assert answer["Location"].startswith("/account/")
    assert "follow" not in " ".join(schema.document()["paths"])
    assert not Follow.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_at_once_make_one_row() -> None:
    founder = complete_profile(UserFactory.create())
    user = UserFactory.create()
    assert count_outcomes(*[lambda: followers.follow_founder(founder=founder, by=in_browser(user))] * 4) == {"done": 4}
    assert Follow.objects.count() == 1


# ---- the list ----
def test_the_list_shows_people_and_listings(person: Client, user: User, founder: FounderProfile) -> None:
    listing = ListingFactory.create(live=True)
    followers.follow(listing=listing, by=in_browser(user))
    followers.follow_founder(founder=founder, by=in_browser(user))
    for page in ("/account/following", "/account/notifications"):
        text = person.get(page).content.decode()
        assert f'href="{PAGE}"' in text
        assert f'href="{listing.path}"' in text
    followed = Follow.objects.get(founder=founder)
    assert (
        "Unfollowed Ada Example"
        in person.post(f"/account/following/{followed.pk}/unfollow", follow=True).content.decode()
    )
    assert list(Follow.objects.values_list("listing", flat=True)) == [listing.pk]


# ---- the notifications ----
def test_followers_are_told_of_launches_since_they_follow(user: User, founder: FounderProfile) -> None:
    launch(founder, company__name="Earlier")
    followers.follow_founder(founder=founder, by=in_browser(user))
    listing = launch(founder, company__name="Orbitly")
    assert texts(user) == ["Ada Example launched Orbitly"]
    assert unread(user) == 1
    [item] = list_notifications(user).items
    assert (item.kind, item.url) == (NotificationKind.FOLLOWED, listing.page_url)
    mark_read(user, through=list_notifications(user).newest)
    assert unread(user) == 0
    launch(founder, company__name="Second")
    assert unread(user) == 1


def test_strangers_launches_and_hidden_ones_are_no_news(user: User, founder: FounderProfile) -> None:
    followers.follow_founder(founder=founder, by=in_browser(user))
    launch(complete_profile(UserFactory.create()))
    hidden = launch(founder)
    Listing.objects.filter(pk=hidden.pk).update(status="suspended", suspended_from="live")
    assert (texts(user), unread(user)) == ([], 0)


def test_who_turned_the_kind_off_is_not_told(user: User, founder: FounderProfile) -> None:
    followers.follow_founder(founder=founder, by=in_browser(user))
    launch(founder)
    User.objects.filter(pk=user.pk).update(in_app_notifications=[NotificationKind.LAUNCHES])
    assert (texts(user), unread(user)) == ([], 0)


def test_pages_of_notifications_hold_each_launch_once(user: User, founder: FounderProfile) -> None:
    Follow.objects.create(user=user, founder=founder)
    listing = ListingFactory.create(live=True)
    Follow.objects.create(user=user, listing=listing, created_at=timezone.now() - timedelta(hours=1))
    for number in range(20):
        listing.updates.create(title=f"Update {number}", body="News.")
        launch(founder, company__name=f"Launch {number}")
    first = list_notifications(user)
    assert first.older
    second = list_notifications(user, before=first.older)
    told = [item.text for item in (*first.items, *second.items)]
    assert second.older is None
    assert len(told) == len(set(told)) == 40


def test_the_digest_tells_once(user: User, founder: FounderProfile) -> None:
    set_digest_hour(user, 0)
    User.objects.filter(pk=user.pk).update(email_notifications=[NotificationKind.DIGEST])
    followers.follow_founder(founder=founder, by=in_browser(user))
    launch(founder, company__name="Orbitly")
    assert send_digests() == 1
    assert "Ada Example launched Orbitly" in OutgoingEmail.objects.get(to=user.email).text
    Digest.objects.update(written_on=timezone.now().date() - timedelta(days=1))
    assert send_digests() == 0


def test_the_header_still_needs_one_query(user: User, founder: FounderProfile) -> None:
    followers.follow_founder(founder=founder, by=in_browser(user))
    launch(founder)
    account = User.objects.get(pk=user.pk)
    with CaptureQueriesContext(connection) as captured:
        assert count_unread(account) == 1
    assert len(captured) == 1


@pytest.mark.parametrize("who", ["follower", "founder"])
def test_an_erased_account_leaves_no_follow(user: User, founder: FounderProfile, who: str) -> None:
    followers.follow_founder(founder=founder, by=in_browser(user))
    erased = {"follower": user, "founder": founder.user}[who]
    User.objects.filter(pk=erased.pk).update(deletion_due_at=timezone.now())
    assert erase_account(erased.pk)
    assert not Follow.objects.exists()
