"""An account that only signs in with a provider confirms with a code sent by email."""

from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from django.core import mail
from django.test import Client

from apps.accounts.models import ApiKey
from tests.accounts.people import newest_code, next_of, prove_again_by_email, sign_in, through, wait
from tests.browsing import browser
from tests.factories import UserFactory
from tests.identity_server import IdentityServer

pytestmark = pytest.mark.db

PAGE = "/account/reauthenticate/email"
SENSITIVE = [
    "/account/delete",
    "/account/keys/new",
    "/account/passkeys/new",
    "/account/authenticator-app",
    "/account/password/set",
]


@pytest.fixture
def person(server: IdentityServer) -> Client:
    client = browser()
    through(client)
    return client


@pytest.mark.parametrize("path", SENSITIVE)
def test_what_is_sensitive_asks(person: Client, path: str) -> None:
    asked = person.get(path)["Location"]
    assert (asked.partition("?")[0], next_of(asked)) == (PAGE, path)
    assert person.get(asked).status_code == 200
    answer = person.post(PAGE, {"code": newest_code("ada@example.com"), "next": path})
    assert answer["Location"] == path
    assert person.get(path).status_code == 200


def test_a_form_sent_before_is_sent_after(person: Client) -> None:
    form = {"name": "robot", "scopes": ["account:read"], "lifetime": "30"}
    asked = person.post("/account/keys/new", form)["Location"]
    assert not ApiKey.objects.exists()
    person.get(asked)
    answer = person.post(PAGE, {"code": newest_code("ada@example.com"), "next": next_of(asked)})
    assert answer.status_code == 201
    assert ApiKey.objects.get().name == "robot"


def test_it_lasts_five_minutes(person: Client, time_machine: Any) -> None:
    prove_again_by_email(person)
    wait(time_machine, minutes=4)
    assert person.get("/account/delete").status_code == 200
    wait(time_machine, minutes=2)
    assert person.get("/account/delete").status_code == 302


def test_a_wrong_code_opens_nothing(person: Client) -> None:
    person.get(PAGE)
    for code in ("", "AAAA-AAAA"):
        answer = person.post(PAGE, {"code": code})
        assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["code"])
    assert person.get("/account/delete").status_code == 302


def test_without_a_code_sent_none_is_right(person: Client) -> None:
    assert person.post(PAGE, {"code": ""}).status_code == 422
    assert person.post(PAGE, {"code": "AAAA-AAAA"}).status_code == 422
    assert person.get("/account/delete").status_code == 302


@pytest.mark.slow
def test_a_code_ends_after_ten_wrong_ones(person: Client, time_machine: Any) -> None:
    person.get(PAGE)
    code = newest_code("ada@example.com")
    for _ in range(10):
        person.post(PAGE, {"code": "AAAA-AAAA"})
    wait(time_machine, minutes=2)
    assert person.post(PAGE, {"code": code}).status_code == 422


def test_a_code_ends_after_15_minutes(person: Client, time_machine: Any) -> None:
    person.get(PAGE)
    code = newest_code("ada@example.com")
    wait(time_machine, minutes=16)
    answer = person.post(PAGE, {"code": code})
    assert answer.status_code == 422
    assert answer.context["form"].has_error("code", "code_expired")
    person.post(PAGE, {"action": "resend"})
    assert person.post(PAGE, {"code": newest_code("ada@example.com")}).status_code == 302


def test_a_code_works_once(person: Client, time_machine: Any) -> None:
    prove_again_by_email(person)
    code = newest_code("ada@example.com")
    wait(time_machine, minutes=6)
    assert person.post(PAGE, {"code": code}).status_code == 422


def test_a_code_counts_in_its_browser_only(person: Client) -> None:
    person.get(PAGE)
    other = browser()
    through(other)
    assert other.post(PAGE, {"code": newest_code("ada@example.com")}).status_code == 422


def test_opening_the_page_again_sends_nothing_and_a_button_does(person: Client) -> None:
    person.get(PAGE)
    person.get(PAGE)
    assert len(mail.outbox) == 1
    first = newest_code("ada@example.com")
    assert person.post(PAGE, {"action": "resend", "next": "/account/delete"})["Location"].startswith(PAGE)
    assert newest_code("ada@example.com") != first
    assert person.post(PAGE, {"code": first}).status_code == 422


@pytest.mark.slow
def test_emails_are_limited(person: Client) -> None:
    for _ in range(30):
        person.post(PAGE, {"action": "resend"})
    assert len(mail.outbox) == 10


def test_accounts_with_a_password_keep_to_it(server: IdentityServer) -> None:
    user = UserFactory.create(email="owner@example.com")
    client = browser()
    sign_in(client, user.email)
    assert client.get(PAGE)["Location"] == "/account/reauthenticate"
    assert not mail.outbox


def test_connecting_asks(person: Client, server: IdentityServer) -> None:
    server.person.emails = [{"email": "ada@example.com", "primary": True, "verified": True}]
    asked = through(person, "github", process="connect")["Location"]
    assert SocialAccount.objects.count() == 1
    assert person.get(asked)["Location"] == PAGE
    prove_again_by_email(person)
    assert SocialAccount.objects.count() == 2


def test_next_stays_on_the_host(person: Client) -> None:
    person.get(PAGE)
    form = {"code": newest_code("ada@example.com"), "next": "https://evil.example/"}
    assert person.post(PAGE, form)["Location"] == "/account"
