"""Which emails an account gets: chosen on a page, or turned off by the address in an email without signing in."""

from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone
from lxml import html

from apps.accounts.models import NotificationKind, User
from apps.accounts.models.users import EMAIL_KINDS, IN_APP_KINDS, default_kinds
from apps.accounts.notifications.services import (
    ABOUT,
    OTHER_EMAILS,
    TEXTS,
    UNSUBSCRIBE_LINK,
    UnknownNotificationKind,
    set_notifications,
    stop_url,
    wants_email,
)
from apps.core.models import OutgoingEmail
from apps.listings.models import Follow
from apps.listings.services.followers import follow
from apps.newsletter.subscriptions import is_subscribed
from apps.notifications.models import Digest
from apps.sites.models import Site
from tests.actors import in_browser
from tests.browsing import browser
from tests.factories import ListingFactory, SiteFactory, UserFactory
from tests.outgoing import put

pytestmark = pytest.mark.django_db

PAGE = "/account/notifications"


@pytest.fixture
def user(site: Site) -> User:
    return UserFactory.create()


@pytest.fixture
def client(user: User) -> Client:
    client = browser()
    client.force_login(user)
    return client


def path_of(site: Site, user: User, kind: NotificationKind = NotificationKind.LAUNCHES) -> str:
    return urlsplit(stop_url(site=site, user_id=user.pk, kind=kind)).path


def test_a_new_account_gets_all_but_summaries(user: User) -> None:
    assert user.email_notifications == default_kinds()
    unwanted = [kind for kind in EMAIL_KINDS if not wants_email(user, kind)]
    assert unwanted == [NotificationKind.WEEKLY_NUMBERS, NotificationKind.DIGEST]
    assert user.in_app_notifications == list(IN_APP_KINDS)


def test_each_kind_is_described() -> None:
    assert set(TEXTS) == set(NotificationKind)
    assert set(ABOUT) == set(EMAIL_KINDS)
    assert {*EMAIL_KINDS, *OTHER_EMAILS} == set(NotificationKind)


def test_a_closed_account_wants_nothing(user: User) -> None:
    user.is_active = False
    assert not any(wants_email(user, kind) for kind in NotificationKind)


def test_a_choice_takes_back_what_waits_of_the_others(user: User) -> None:
    other = UserFactory.create()
    for person in (user, other):
        for kind in ("launches", "stories", ""):
            put(person.email, key=f"{kind}-{person.pk}", kind=kind)
    put(user.email, key="given up", kind="launches")
    OutgoingEmail.objects.filter(key="given up").update(failed_at=timezone.now())
    set_notifications(email=["stories", "weekly_numbers"], by=in_browser(user))
    user.refresh_from_db()
    assert user.email_notifications == ["stories", "weekly_numbers"]
    assert set(OutgoingEmail.objects.filter(to=user.email).values_list("kind", flat=True)) == {"stories", ""}
    assert OutgoingEmail.objects.filter(to=other.email).count() == 3


def test_a_kind_that_there_is_not(user: User) -> None:
    with pytest.raises(UnknownNotificationKind, match="Unknown notifications: security"):
        set_notifications(email=["launches", "security"], by=in_browser(user))
    user.refresh_from_db()
    assert user.email_notifications == default_kinds()
    with pytest.raises(IntegrityError, match="email_notifications_are_of_known_kinds"), transaction.atomic():
        User.objects.filter(pk=user.pk).update(email_notifications=["security"])


# ---- the page ----
def test_the_page_asks_for_a_sign_in(site: Site) -> None:
    assert browser().get(PAGE).status_code == 302
    assert browser().post(PAGE, {"email": ["stories"]}).status_code == 302


@pytest.mark.parametrize(
    ("in_app", "email"), [([], []), (["drafts"], ["weekly_numbers"]), (list(IN_APP_KINDS), list(EMAIL_KINDS))]
)
def test_the_page_saves_what_is_chosen(client: Client, user: User, in_app: list[str], email: list[str]) -> None:
    chosen = {"in_app": in_app, "email": email, "hour": "18"}
    assert client.post(PAGE, chosen, follow=True).status_code == 200
    user.refresh_from_db()
    assert (sorted(user.in_app_notifications), sorted(user.email_notifications)) == (sorted(in_app), sorted(email))
    assert Digest.objects.get(account=user).hour == 18
    page: Any = html.document_fromstring(client.get(PAGE).content)
    checked = [field.attrib for field in page.xpath("//input[@type='checkbox' and @checked]")]
    assert sorted((field["name"], field["value"]) for field in checked) == sorted(
        [("in_app", kind) for kind in in_app] + [("email", kind) for kind in email]
    )


@pytest.mark.parametrize(
    "wrong", [{"email": ["stories", "security"]}, {"email": ["orders"]}, {"in_app": ["digest"]}, {"hour": "24"}]
)
def test_the_page_refuses_what_it_did_not_offer(client: Client, user: User, wrong: dict[str, Any]) -> None:
    assert client.post(PAGE, {"hour": "7", **wrong}).status_code == 422
    user.refresh_from_db()
    assert user.email_notifications == default_kinds()
    assert user.in_app_notifications == list(IN_APP_KINDS)


def test_the_page_shows_what_is_followed_and_leads_back(client: Client, user: User, site: Site) -> None:
    elsewhere = SiteFactory.create(name="Elsewhere")
    for name, where in (("Acme <b>", site), ("Orbit", elsewhere)):
        follow(listing=ListingFactory.create(live=True, company__name=name, site=where), by=in_browser(user))
    follow(listing=ListingFactory.create(live=True, company__name="Of another"), by=in_browser(UserFactory.create()))
    page = client.get(PAGE).content.decode()
    assert "Acme &lt;b&gt;" in page
    assert "on Elsewhere" in page
    assert "Of another" not in page
    one = Follow.objects.filter(user=user).first()
    assert one is not None
    answer = client.post(f"/account/following/{one.pk}/unfollow", {"next": PAGE})
    assert answer.headers["Location"] == PAGE
    assert Follow.objects.filter(user=user).count() == 1


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "account"])
def test_nobody_is_led_elsewhere(client: Client, user: User, target: str) -> None:
    assert client.post("/newsletter/subscribe", {"next": target}).headers["Location"] == "/newsletter"


def test_the_newsletter_is_turned_on_and_off(client: Client, user: User, site: Site) -> None:
    assert 'name="leave"' not in client.get(PAGE).content.decode()
    assert client.post("/newsletter/subscribe", {"next": PAGE}).headers["Location"] == PAGE
    assert is_subscribed(site, user)
    assert f"<bdi>{site.name}</bdi>" in client.get(PAGE).content.decode()
    client.post("/newsletter/subscribe", {"next": PAGE, "leave": "1"})
    assert not is_subscribed(site, user)


# ---- by the address in an email (RFC 8058) ----
@pytest.fixture
def strict() -> Client:
    """An email program: no cookies, no token of a form."""
    return Client(headers={"host": "testserver.localhost"}, enforce_csrf_checks=True)


def test_looking_changes_nothing(strict: Client, site: Site, user: User) -> None:
    answer = strict.get(path_of(site, user))
    assert strict.head(path_of(site, user)).status_code == 200
    assert "Stop these emails?" in answer.content.decode()
    assert user.email not in answer.content.decode()
    assert (answer["X-Robots-Tag"], answer["Referrer-Policy"]) == ("noindex, nofollow", "no-referrer")
    user.refresh_from_db()
    assert user.email_notifications == default_kinds()


def test_one_click_stops_one_kind(strict: Client, site: Site, user: User) -> None:
    other = UserFactory.create()
    for _ in range(2):
        answer = strict.post(
            path_of(site, user), "List-Unsubscribe=One-Click", content_type="application/x-www-form-urlencoded"
        )
        assert "Unsubscribed" in answer.content.decode()
    user.refresh_from_db()
    other.refresh_from_db()
    assert user.email_notifications == ["stories", "comments", "followed"]
    assert other.email_notifications == default_kinds()


def test_an_account_that_is_gone_is_no_error(strict: Client, site: Site, user: User) -> None:
    path = path_of(site, user)
    user.delete()
    assert strict.post(path).status_code == 200


@pytest.mark.parametrize("change", [lambda token: token[:-1], lambda token: f"2{token}", lambda _: "nonsense"])
def test_a_forged_address_is_none(strict: Client, site: Site, user: User, change: Any) -> None:
    token = change(path_of(site, user).rpartition("/")[2])
    assert UNSUBSCRIBE_LINK.read(token) is None
    assert strict.post(f"/unsubscribe/emails/{token}").status_code == 404
    user.refresh_from_db()
    assert user.email_notifications == default_kinds()
