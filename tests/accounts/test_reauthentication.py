"""What can lock somebody out or let others in asks once more who it is."""

from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.sites.models import Site
from tests.accounts.people import is_signed_in, next_of, prove_again, sign_in, wait
from tests.browsing import browser
from tests.factories import PASSWORD, UserFactory

pytestmark = pytest.mark.db

ASKS = "/account/passkeys/new"


@pytest.fixture
def user(site: Site) -> User:
    return UserFactory.create(email="owner@example.com")


@pytest.fixture
def person(user: User) -> Client:
    client = browser()
    sign_in(client, user.email)
    return client


def test_the_password_opens_the_page_that_asked(person: Client) -> None:
    first = person.get(f"{ASKS}?a=b")["Location"]
    assert next_of(first) == f"{ASKS}?a=b"
    assert person.get(first).status_code == 200
    answer = person.post(first, {"password": PASSWORD, "next": f"{ASKS}?a=b"})
    assert answer["Location"] == f"{ASKS}?a=b"
    assert person.get(ASKS).status_code == 200


@pytest.mark.parametrize(
    ("asks", "purpose", "back"),
    [
        (ASKS, "add a passkey", "/account/security"),
        ("/account/keys/new?try=get_order", "create an API key", "/account/keys"),
        ("/account/delete", "delete your account", "/account/data"),
    ],
)
def test_it_says_why_and_can_be_canceled(person: Client, asks: str, purpose: str, back: str) -> None:
    text = person.get(asks, follow=True).content.decode()
    assert purpose in text
    assert f'href="{back}">Cancel</a>' in text


@pytest.mark.parametrize("next_url", ["", "/nothing/here", "https://evil.example/account/delete", "https://["])
def test_other_pages_are_only_said_to_be_protected(person: Client, next_url: str) -> None:
    text = person.get("/account/reauthenticate", {"next": next_url}).content.decode()
    assert "delete your account" not in text
    assert 'href="/account">Cancel</a>' in text


def test_a_wrong_password_opens_nothing(person: Client) -> None:
    for password in ("", "wrong"):
        answer = person.post("/account/reauthenticate", {"password": password})
        assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["password"])
    assert person.get(ASKS).status_code == 302


def test_it_lasts_five_minutes(person: Client, time_machine: Any) -> None:
    prove_again(person)
    wait(time_machine, minutes=4)
    assert person.get(ASKS).status_code == 200
    wait(time_machine, minutes=2)
    assert person.get(ASKS).status_code == 302


def test_it_counts_in_this_browser_only(person: Client, user: User) -> None:
    prove_again(person)
    other = browser()
    sign_in(other, user.email)
    assert other.get(ASKS).status_code == 302


def test_it_does_not_pass_to_the_next_person_at_the_browser(person: Client, user: User) -> None:
    prove_again(person)
    person.post("/account/sign-out")
    other = UserFactory.create()
    sign_in(person, other.email)
    assert person.get(ASKS).status_code == 302


def test_passwords_cannot_be_tried_without_end(person: Client) -> None:
    answers = [person.post("/account/reauthenticate", {"password": "wrong"}).status_code for _ in range(11)]
    assert answers == [422] * 10 + [429]
    assert person.get(ASKS).status_code == 302


def test_next_stays_on_the_host(person: Client) -> None:
    form = {"password": PASSWORD, "next": "https://evil.example/"}
    assert person.post("/account/reauthenticate", form)["Location"] == "/account"


def test_strangers_sign_in_first(site: Site) -> None:
    for path in ("", "/code", "/passkey"):
        answer = browser().get(f"/account/reauthenticate{path}")
        assert answer["Location"].startswith("/account/sign-in?next=")
    client = browser()
    assert client.get(ASKS)["Location"].startswith("/account/sign-in?next=")
    assert not is_signed_in(client)


@pytest.mark.parametrize("path", ["/code", "/passkey"])
def test_ways_that_an_account_does_not_have_lead_to_those_it_has(person: Client, path: str) -> None:
    answer = person.get(f"/account/reauthenticate{path}?next={ASKS}")
    assert answer["Location"] == f"/account/reauthenticate?next={ASKS.replace('/', '%2F')}"


@pytest.mark.parametrize("path", ["security", "email", "password", "passkeys", "sessions"])
def test_each_page_of_the_account_opens_and_is_never_kept(person: Client, path: str) -> None:
    answer = person.get(f"/account/{path}")
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    assert 'href="/account/security" aria-current="page"' in answer.content.decode()
