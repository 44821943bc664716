"""Where an account is signed in, and signing out there."""

from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.test import Client

from apps.accounts.models import User
from apps.accounts.sign_in.devices import describe_browser
from apps.accounts.tasks import delete_expired_sessions
from apps.sites.models import Site
from tests.accounts.people import is_signed_in, sign_in, wait
from tests.browsing import browser
from tests.factories import UserFactory

CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.0 Mobile/15E148 Safari/604.1"
)


@pytest.fixture
def user(site: Site, time_machine: Any) -> User:
    time_machine.move_to("2026-06-01T12:00:00Z", tick=False)
    return UserFactory.create(email="owner@example.com")


@pytest.fixture
def person(user: User) -> Client:
    client = browser(user_agent=CHROME)
    sign_in(client, user.email)
    return client


@pytest.fixture
def phone(user: User) -> Client:
    client = Client(REMOTE_ADDR="203.0.113.9", headers={"host": "testserver.localhost", "user-agent": IPHONE})
    sign_in(client, user.email)
    return client


def rows(client: Client) -> list[dict[str, Any]]:
    result: list[dict[str, Any]] = client.get("/account/sessions").context["sessions"]
    return result


def test_they_are_told_in_plain_words(person: Client, phone: Client) -> None:
    here, there = rows(person)
    assert (here["device"], here["address"], here["is_current"]) == ("Chrome on Linux", "127.0.0.1", True)
    assert (there["device"], there["address"], there["is_current"]) == ("Safari on iPhone", "203.0.113.9", False)
    page = person.get("/account/sessions").content.decode()
    assert str(person.session.session_key) not in page
    assert str(phone.session.session_key) not in page


def test_one_can_be_signed_out_there(person: Client, phone: Client) -> None:
    [there] = [row for row in rows(person) if not row["is_current"]]
    key = phone.session.session_key
    assert person.post(f"/account/sessions/{there['pk']}/end")["Location"] == "/account/sessions"
    assert not is_signed_in(phone)
    assert is_signed_in(person)
    assert not Session.objects.filter(session_key=key).exists()
    assert len(rows(person)) == 1


def test_all_others_can_be_signed_out_at_once(person: Client, phone: Client, user: User) -> None:
    third = browser()
    sign_in(third, user.email)
    person.post("/account/sessions")
    assert [is_signed_in(client) for client in (person, phone, third)] == [True, False, False]


def test_those_of_others_are_neither_seen_nor_ended(person: Client, phone: Client) -> None:
    stranger = browser()
    sign_in(stranger, UserFactory.create().email)
    for row in rows(person):
        assert stranger.post(f"/account/sessions/{row['pk']}/end").status_code == 404
    assert len(rows(stranger)) == 1
    assert is_signed_in(phone)


def test_the_session_one_is_in_is_left_by_signing_out(person: Client) -> None:
    [here] = rows(person)
    assert person.post(f"/account/sessions/{here['pk']}/end").status_code == 404
    assert person.get(f"/account/sessions/{here['pk']}/end").status_code == 405
    assert is_signed_in(person)


def test_anyone_who_is_not_signed_in_signs_in_first(site: Site) -> None:
    assert browser().get("/account/sessions")["Location"] == "/account/sign-in?next=/account/sessions"
    assert browser().post("/account/sessions/1/end").status_code == 302


def test_sessions_that_have_ended_are_not_listed(person: Client, phone: Client, user: User) -> None:
    phone.post("/account/sign-out")
    assert len(rows(person)) == 1
    assert UserSession.objects.filter(user=user).count() == 1


def test_last_seen_is_written_once_a_minute(person: Client, user: User, time_machine: Any) -> None:
    seen = UserSession.objects.get(user=user)
    wait(time_machine, seconds=30)
    person.get("/account/profile")
    assert UserSession.objects.get(user=user).last_seen_at == seen.last_seen_at
    wait(time_machine, seconds=31)
    person.get("/account/profile")
    assert (UserSession.objects.get(user=user).last_seen_at - seen.last_seen_at).total_seconds() == 61


def test_pages_are_read_while_the_database_only_reads(person: Client, user: User, time_machine: Any) -> None:
    seen = UserSession.objects.get(user=user)
    wait(time_machine, seconds=61)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL transaction_read_only = on")
        assert person.get("/account/profile").status_code == 200
        assert UserSession.objects.get(user=user).last_seen_at == seen.last_seen_at
        transaction.set_rollback(True)


def test_another_address_is_noted_at_once(person: Client, user: User) -> None:
    person.get("/account/profile", REMOTE_ADDR="2001:db8::1")
    assert UserSession.objects.get(user=user).ip == "2001:db8::1"


@pytest.mark.parametrize("agent", ["", "x" * 5000, "\x7f", "ünïcode"])
def test_an_odd_browser_is_a_browser(user: User, agent: str) -> None:
    client = browser(user_agent=agent)
    sign_in(client, user.email)
    assert rows(client)[0]["device"] == "A browser"


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (CHROME, "Chrome on Linux"),
        (IPHONE, "Safari on iPhone"),
        (f"{CHROME} Edg/140.0.0.0".replace("X11; Linux x86_64", "Windows NT 10.0; Win64; x64"), "Edge on Windows"),
        (f"{CHROME} OPR/120.0.0.0".replace("X11; Linux x86_64", "Macintosh; Intel Mac OS X 10_15_7"), "Opera on Mac"),
        ("Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", "Firefox on Android"),
        ("Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) CriOS/140.0 Mobile/15E148 Safari/604.1", "Chrome on iPad"),
        ("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) Chrome/140.0.0.0 Safari/537.36", "Chrome on ChromeOS"),
        ("curl/8.5.0", "curl"),
        ("", "A browser"),
    ],
)
def test_browsers_in_plain_words(agent: str, words: str) -> None:
    assert describe_browser(agent) == words


def test_what_is_past_its_time_is_removed(person: Client, user: User, time_machine: Any) -> None:
    visitor = browser()
    visitor.post("/account/password/reset", {"email": "nobody@example.com"})
    wait(time_machine, days=10)
    sign_in(browser(), user.email)
    wait(time_machine, days=10)
    delete_expired_sessions()
    [kept] = Session.objects.all()
    assert UserSession.objects.get().session_key == kept.session_key
