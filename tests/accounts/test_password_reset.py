"""A forgotten password: a code by email, a new password, and back to where one came from."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from lxml import html

from apps.accounts.models import User
from apps.sites.models import Site
from tests.accounts.people import is_signed_in, newest_code, newest_email, next_of, sign_in, wait
from tests.browsing import browser
from tests.factories import PASSWORD, UserFactory

pytestmark = pytest.mark.db

NEW = "another long password"
CONSENT = "/account/profile?client=https://assistant.example"


@pytest.fixture
def user(site: Site) -> User:
    return UserFactory.create(email="owner@example.com")


@pytest.fixture
def person(user: User) -> Client:
    return browser()


def ask(client: Client, email: str, *, next_url: str = "") -> Any:
    return client.post("/account/password/reset", {"email": email, "next": next_url})


def confirm(client: Client, code: str, *, next_url: str = "") -> Any:
    return client.post("/account/password/reset/code", {"code": code, "next": next_url})


def choose(client: Client, password: str = NEW, *, next_url: str = "") -> Any:
    return client.post("/account/password/reset/new", {"password1": password, "next": next_url})


def test_a_new_password_signs_in_and_returns_to_next(person: Client, user: User) -> None:
    link = person.get("/account/sign-in", {"next": CONSENT}).content.decode()
    assert "/account/password/reset?next=%2Faccount%2Fprofile%3Fclient%3Dhttps%3A%2F%2Fassistant.example" in link
    first = ask(person, user.email, next_url=CONSENT)["Location"]
    assert next_of(first) == CONSENT
    second = confirm(person, newest_code(user.email), next_url=CONSENT)["Location"]
    assert next_of(second) == CONSENT
    assert person.get(second).context["redirect_field_value"] == CONSENT
    assert choose(person, next_url=CONSENT)["Location"] == CONSENT
    assert is_signed_in(person)
    assert sign_in(browser(), user.email).status_code == 422
    assert sign_in(browser(), user.email, NEW).status_code == 302
    assert newest_email(user.email).subject == "Your password on Slipway was changed"


@pytest.mark.parametrize("is_known", [True, False])
def test_the_code_proves_an_email_that_was_not_verified(person: Client, user: User, is_known: bool) -> None:
    addresses = EmailAddress.objects.filter(user=user)
    if is_known:
        addresses.update(verified=False)
    else:
        addresses.delete()
    ask(person, user.email)
    confirm(person, newest_code(user.email))
    assert choose(person)["Location"] == "/account"
    assert is_signed_in(person)
    assert list(addresses.values_list("email", "verified", "primary")) == [(user.email, True, True)]


def test_the_other_sessions_end(person: Client, user: User) -> None:
    other = browser()
    sign_in(other, user.email)
    ask(person, user.email)
    confirm(person, newest_code(user.email))
    choose(person)
    assert not is_signed_in(other)


def test_an_unknown_address_gets_the_same_answers(person: Client, user: User) -> None:
    unknown = browser()
    answers = [ask(person, user.email), ask(unknown, "nobody@example.com")]
    assert {answer["Location"] for answer in answers} == {"/account/password/reset/code"}
    pages = [client.get("/account/password/reset/code") for client in (person, unknown)]
    assert {page.status_code for page in pages} == {200}
    wrong = [confirm(client, "AAAA-AAAA") for client in (person, unknown)]
    assert {(answer.status_code, str(answer.context["form"].errors)) for answer in wrong} == {
        (422, str(wrong[0].context["form"].errors))
    }
    assert newest_email("nobody@example.com").subject == "No account on Slipway for this address"


def test_an_empty_code_opens_no_unknown_account(site: Site) -> None:
    client = browser()
    ask(client, "nobody@example.com")
    for code in ("", " ", "-", "None"):
        assert confirm(client, code).status_code in {422, 302}
    assert choose(client)["Location"].startswith("/account/password/reset")
    assert not is_signed_in(client)


def test_ten_wrong_codes_end_the_code_and_leave_the_form(person: Client, user: User) -> None:
    for client, email in ((person, user.email), (browser(), "nobody@example.com")):
        ask(client, email)
        assert [confirm(client, "AAAA-AAAA").status_code for _ in range(9)] == [422] * 9
        last = confirm(client, "AAAA-AAAA")
        assert last.status_code == 422
        assert last.context["form"].has_error("code", "too_many_wrong_codes")
        assert client.get("/account/password/reset/code").context["has_ended"]
    assert confirm(person, newest_code(user.email)).status_code == 422
    assert choose(person)["Location"] == "/account/password/reset/code"
    user.refresh_from_db()
    assert user.check_password(PASSWORD)
    ask(person, user.email)
    assert confirm(person, newest_code(user.email))["Location"] == "/account/password/reset/new"


def test_a_password_cannot_be_chosen_without_the_code(person: Client, user: User) -> None:
    ask(person, user.email)
    assert choose(person)["Location"] == "/account/password/reset/code"
    user.refresh_from_db()
    assert user.check_password(PASSWORD)


def test_a_code_is_good_for_fifteen_minutes(person: Client, user: User, time_machine: Any) -> None:
    ask(person, user.email)
    code = newest_code(user.email)
    wait(time_machine, minutes=14)
    assert confirm(person, code)["Location"] == "/account/password/reset/new"
    wait(time_machine, minutes=16)
    assert choose(person, next_url=CONSENT)["Location"].startswith("/account/password/reset?next=")
    told = person.get("/account/password/reset").context["messages"]
    assert [message.level_tag for message in told] == ["warning"]


def test_after_fifteen_minutes_the_form_offers_a_new_code(person: Client, user: User, time_machine: Any) -> None:
    unknown = browser()
    ask(unknown, "nobody@example.com")
    ask(person, user.email)
    code = newest_code(user.email)
    wait(time_machine, minutes=16)
    for client in (person, unknown):
        answer = confirm(client, code)
        assert answer.context["form"].has_error("code", "code_expired")
        assert client.get("/account/password/reset/code").context["has_ended"]
    page: Any = html.document_fromstring(answer.content)
    [send] = [form for form in page.forms if "email" in form.fields]
    assert (send.action, send.fields["email"]) == ("/account/password/reset", "nobody@example.com")
    ask(person, user.email)
    assert confirm(person, newest_code(user.email))["Location"] == "/account/password/reset/new"


@pytest.mark.parametrize("page", ["code", "new"])
def test_a_code_that_is_gone_leads_to_a_new_one(person: Client, user: User, page: str) -> None:
    ask(person, user.email)
    confirm(person, newest_code(user.email))
    choose(person)
    person.post("/account/sign-out")
    answer = person.post(f"/account/password/reset/{page}", {"code": "AAAA-AAAA", "next": CONSENT}, follow=True)
    assert answer.redirect_chain[-1][0].startswith("/account/password/reset?next=")
    assert [message.level_tag for message in answer.context["messages"]][-1] == "warning"


def test_a_weak_password_is_refused_beside_the_field(person: Client, user: User) -> None:
    ask(person, user.email)
    confirm(person, newest_code(user.email))
    answer = choose(person, "password")
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["password1"])
    assert choose(person)["Location"] == "/account"


def test_a_closed_account_gets_no_code(site: Site) -> None:
    closed = UserFactory.create(is_active=False)
    ask(browser(), closed.email)
    assert newest_email(closed.email).subject == "No account on Slipway for this address"


def test_emails_are_limited_by_address_and_by_whom_they_go_to(person: Client, user: User) -> None:
    *sent, refused = [ask(person, user.email) for _ in range(4)]
    assert [answer.status_code for answer in sent] == [302] * 3
    told = "Too many codes. Send a new one in 1 minute."
    page = person.get(refused["Location"])
    assert [str(message) for message in page.context["messages"]] == [told]
    assert ask(browser(), user.email).context["form"].errors["email"] == [told]
    assert len(mail.outbox) == 3
    assert confirm(person, newest_code(user.email)).status_code == 302
    for number in range(20):
        last = ask(person, f"person{number}@example.com")
    assert last.status_code == 422
    assert len(mail.outbox) == 10


def test_too_many_wrong_passwords_are_forgotten_with_the_reset(person: Client, user: User) -> None:
    for _ in range(6):
        sign_in(browser(), user.email, "wrong")
    ask(person, user.email)
    confirm(person, newest_code(user.email))
    choose(person)
    assert sign_in(browser(), user.email, NEW).status_code == 302
