"""Signing in and out with a password."""

from dataclasses import replace
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.exceptions import NON_FIELD_ERRORS
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.accounts.sign_in import adapter
from apps.sites.models import Site
from tests.accounts.people import is_signed_in, newest_code, newest_email, next_of, prove_again_by_email, sign_in, wait
from tests.browsing import browser
from tests.factories import PASSWORD, UserFactory

pytestmark = pytest.mark.db


@pytest.fixture
def user(site: Site) -> User:
    return UserFactory.create(email="owner@example.com")


def test_anyone_who_has_a_verified_address_gets_in_and_on_to_next(user: User) -> None:
    client = browser()
    assert next_of(client.get("/account/profile?tab=1")["Location"]) == "/account/profile?tab=1"
    assert (
        sign_in(client, "Owner@Example.com", next_url="/account/profile?tab=1")["Location"] == "/account/profile?tab=1"
    )
    assert is_signed_in(client)
    assert client.get("/account/sign-in?next=/orders")["Location"] == "/orders"


@pytest.mark.parametrize(
    ("email", "password"),
    [("owner@example.com", "wrong"), ("nobody@example.com", PASSWORD), ("owner@example.com ", ""), ("", PASSWORD)],
)
def test_a_wrong_pair_is_refused_alike(user: User, email: str, password: str) -> None:
    client = browser()
    answer = sign_in(client, email, password)
    assert answer.status_code == 422
    assert answer.context["form"].errors
    assert not is_signed_in(client)


def test_an_unknown_address_and_a_wrong_password_are_answered_alike(user: User) -> None:
    forms = [sign_in(browser(), email, "wrong").context["form"] for email in (user.email, "nobody@example.com")]
    assert forms[0].errors == forms[1].errors
    assert forms[0].has_error(NON_FIELD_ERRORS, "email_password_mismatch")


@pytest.mark.parametrize("next_url", ["https://evil.example/", "//evil.example", "http://127.0.0.1/", "javascript:x"])
def test_next_stays_on_the_host(user: User, next_url: str) -> None:
    assert sign_in(browser(), user.email, next_url=next_url)["Location"] == "/account"


def test_passwords_cannot_be_tried_without_end(user: User, time_machine: Any) -> None:
    client = browser()
    for _ in range(5):
        sign_in(client, user.email, "wrong")
    answer = sign_in(client, user.email)
    assert answer.context["form"].has_error(NON_FIELD_ERRORS, "too_many_login_attempts")
    wait(time_machine, minutes=6)
    assert sign_in(client, user.email).status_code == 302


def from_address(address: str) -> Client:
    return Client(headers={"host": "testserver.localhost"}, REMOTE_ADDR=address)


def test_a_stranger_who_guesses_does_not_lock_the_owner_out(user: User) -> None:
    stranger = from_address("203.0.113.5")
    for _ in range(6):
        sign_in(stranger, user.email, "wrong")
    assert sign_in(stranger, user.email).status_code == 422
    assert sign_in(from_address("203.0.113.9"), user.email).status_code == 302


@pytest.mark.slow
def test_one_address_does_not_lock_the_owner_out_however_often_it_tries(user: User, time_machine: Any) -> None:
    """Tries that allauth refuses test no password; 24 a minute are below the limit of all requests."""
    stranger = from_address("203.0.113.5")
    for _ in range(120):
        wait(time_machine, seconds=2.5)
        assert sign_in(stranger, user.email, "wrong").status_code == 422
    assert sign_in(from_address("203.0.113.9"), user.email).status_code == 302


class TestGuessingFromManyAddresses:
    @pytest.fixture(autouse=True)
    def _few(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(adapter, "FROM_ANYWHERE", replace(adapter.FROM_ANYWHERE, count=3))

    def guess(self, user: User) -> None:
        for number in range(3):
            sign_in(from_address(f"203.0.113.{number}"), user.email.upper(), "wrong")

    def test_ends(self, user: User) -> None:
        self.guess(user)
        answer = sign_in(from_address("203.0.113.9"), user.email)
        assert answer.status_code == 422
        assert answer.context["form"].has_error(NON_FIELD_ERRORS, "too_many_wrong_passwords")
        other = UserFactory.create(email="other@example.com")
        assert sign_in(from_address("203.0.113.9"), other.email).status_code == 302

    def test_lets_the_owner_in_where_they_signed_in_before(self, user: User) -> None:
        known = browser()
        sign_in(known, user.email)
        known.post("/account/sign-out")
        self.guess(user)
        assert sign_in(known, user.email).status_code == 302

    def test_is_not_helped_by_signing_in_to_another_account(self, user: User) -> None:
        stranger = browser()
        sign_in(stranger, UserFactory.create(email="stranger@example.com").email)
        stranger.post("/account/sign-out")
        self.guess(user)
        assert sign_in(stranger, user.email).status_code == 422

    def test_lets_the_owner_in_by_a_reset(self, user: User) -> None:
        self.guess(user)
        person = browser()
        person.post("/account/password/reset", {"email": user.email})
        person.post("/account/password/reset/code", {"code": newest_code(user.email)})
        assert person.post("/account/password/reset/new", {"password1": "a new long password"}).status_code == 302
        assert is_signed_in(person)

    def test_right_passwords_do_not_count(self, user: User) -> None:
        for number in range(5):
            assert sign_in(from_address(f"203.0.113.{number}"), user.email).status_code == 302

    def test_the_note_in_the_browser_is_for_the_server_alone(self, user: User) -> None:
        note = sign_in(browser(), user.email).cookies["known_browser"]
        assert note["httponly"]
        assert note["samesite"] == "Lax"
        assert user.email not in note.value


def test_one_address_cannot_try_many_accounts(user: User) -> None:
    client = browser()
    for number in range(10):
        sign_in(client, f"person{number}@example.com", "wrong")
    assert sign_in(client, user.email).status_code == 422
    assert (
        sign_in(Client(headers={"host": "testserver.localhost"}, REMOTE_ADDR="203.0.113.9"), user.email).status_code
        == 302
    )


@pytest.mark.slow
def test_many_requests_are_answered_with_429(user: User) -> None:
    client = browser()
    answers = [client.post("/account/sign-in", {}) for _ in range(31)]
    assert {answer.status_code for answer in answers[:30]} == {422}
    assert answers[30].status_code == 429
    assert answers[30].templates[0].name == "errors/429.html"
    assert client.get("/account/sign-in").status_code == 200


def test_behind_a_proxy_the_client_is_counted(user: User, settings: Any) -> None:
    settings.BEHIND_PROXY = True
    client = browser()
    for number in range(31):
        answer = client.post("/account/sign-in", {}, headers={"X-Forwarded-For": f"1.1.1.{number}, 203.0.113.7"})
    assert answer.status_code == 429
    assert client.post("/account/sign-in", {}, headers={"X-Forwarded-For": "203.0.113.8"}).status_code == 422


def test_a_client_without_an_ip_address_can_sign_in(user: User) -> None:
    client = Client(headers={"host": "testserver.localhost"}, REMOTE_ADDR="")
    assert sign_in(client, user.email).status_code == 302
    assert is_signed_in(client)


def test_a_closed_account_is_told_so_and_stays_out(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)
    client = browser()
    assert sign_in(client, user.email)["Location"] == "/account/inactive"
    assert client.get("/account/inactive").status_code == 200
    assert not is_signed_in(client)


def test_a_closed_account_is_out_at_the_next_request(user: User) -> None:
    client = browser()
    sign_in(client, user.email)
    assert is_signed_in(client)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert not is_signed_in(client)


def test_signing_out_asks_on_get_and_happens_on_post(user: User) -> None:
    client = browser()
    sign_in(client, user.email)
    assert client.get("/account/sign-out").status_code == 200
    assert is_signed_in(client)
    assert client.post("/account/sign-out")["Location"] == "/"
    assert not is_signed_in(client)
    assert client.get("/account/sign-out")["Location"] == "/"


def test_forms_without_their_token_are_refused(user: User) -> None:
    client = Client(enforce_csrf_checks=True, headers={"host": "testserver.localhost"})
    assert sign_in(client, user.email).status_code == 403
    assert not is_signed_in(client)


def test_a_session_of_a_stranger_is_not_taken_over(user: User) -> None:
    client = browser()
    client.post("/account/password/reset", {"email": user.email})
    before = client.session.session_key
    sign_in(client, user.email)
    assert client.session.session_key != before


@pytest.mark.parametrize("path", ["/account/sign-in", "/account/sign-up", "/account/password/reset"])
def test_pages_of_signing_in_are_not_kept_by_caches(client: Client, site: Site, path: str) -> None:
    assert "no-store" in client.get(path)["Cache-Control"]


class TestAccountsThatDidNotSignUp:
    """The person who creates an account must own its address."""

    def test_by_command(self, site: Site) -> None:
        user = User.objects.create_superuser("Team@Example.com", PASSWORD)
        assert sign_in(browser(), "team@example.com")["Location"] == "/account"
        [address] = EmailAddress.objects.filter(user=user)
        assert (address.email, address.verified, address.primary) == ("team@example.com", True, True)

    def test_by_the_createsuperuser_command(self, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
        call_command("createsuperuser", "--noinput", "--email", "first@example.com", verbosity=0)
        assert sign_in(browser(), "first@example.com", next_url="/admin/")["Location"] == "/admin/"

    def test_in_the_admin(self, site: Site, client: Client) -> None:
        client.force_login(UserFactory.create(is_staff=True, is_superuser=True))
        client.post("/admin/accounts/user/add/", {"email": "New.Owner@Example.com", "name": "New"})
        made = User.objects.get(email="new.owner@example.com")
        assert not made.has_usable_password()
        person = browser()
        person.post("/account/password/reset", {"email": made.email})
        person.post("/account/password/reset/code", {"code": newest_code(made.email)})
        assert person.post("/account/password/reset/new", {"password1": PASSWORD})["Location"] == "/account"

    def test_whose_address_site_admins_change(self, site: Site, client: Client, user: User) -> None:
        client.force_login(UserFactory.create(is_staff=True, is_superuser=True))
        page = f"/admin/accounts/user/{user.pk}/change/"
        form = client.get(page).context["adminform"].form
        values = {"email": "moved@example.com", "name": form.initial["name"], "is_active": "on"}
        values |= {"joined_at_0": "2026-01-01", "joined_at_1": "00:00"}
        answer = client.post(page, values)
        assert answer.status_code == 302, answer.context["adminform"].form.errors
        assert sign_in(browser(), "moved@example.com")["Location"] == "/account"
        assert sign_in(browser(), "owner@example.com").status_code == 422


class TestTheAdmin:
    def test_its_login_is_the_same_sign_in(self, site: Site) -> None:
        team = UserFactory.create(is_staff=True, is_superuser=True)
        client = browser()
        first = client.get("/admin/orders/product/", follow=True)
        assert first.redirect_chain[-1][0].startswith("/account/sign-in?next=")
        there = first.context["redirect_field_value"]
        assert sign_in(client, team.email, next_url=there)["Location"] == "/admin/orders/product/"
        assert client.get("/admin/").status_code == 200

    def test_its_own_form_takes_no_password(self, site: Site) -> None:
        team = UserFactory.create(is_staff=True, is_superuser=True)
        client = browser()
        answer = client.post("/admin/login/", {"username": team.email, "password": PASSWORD, "next": "/admin/"})
        assert answer["Location"].startswith("/account/sign-in")
        assert client.get("/admin/").status_code == 302

    def test_owners_are_refused(self, user: User) -> None:
        client = browser()
        sign_in(client, user.email)
        assert client.get("/admin/", follow=True).status_code == 403


class TestWithoutAEmailServer:
    @pytest.fixture(autouse=True)
    def _away(self, settings: Any) -> None:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1

    def test_signing_up_says_so_and_can_be_ended_later(self, site: Site, settings: Any, time_machine: Any) -> None:
        client = browser()
        form = {"email": "new@example.com", "password1": PASSWORD}
        answer = client.post("/account/sign-up", form)
        assert answer.status_code == 503
        assert reverse("account_login") in answer.content.decode()
        settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
        wait(time_machine, minutes=2)
        assert sign_in(client, "new@example.com")["Location"] == "/account/verify"
        code = newest_code("new@example.com")
        assert client.post("/account/verify", {"action": "verify", "code": code})["Location"] == "/account"

    def test_a_reset_says_so_for_known_and_unknown_addresses(self, user: User) -> None:
        for email in (user.email, "nobody@example.com"):
            assert browser().post("/account/password/reset", {"email": email}).status_code == 503

    def test_a_changed_password_stands(self, user: User) -> None:
        client = browser()
        sign_in(client, user.email)
        form = {"oldpassword": PASSWORD, "password1": "another long password"}
        assert client.post("/account/password", form).status_code == 302
        assert sign_in(browser(), user.email, "another long password").status_code == 302

    def test_signing_in_needs_none(self, user: User) -> None:
        assert sign_in(browser(), user.email).status_code == 302
        assert mail.outbox == []


def test_a_silent_email_server_does_not_hold_the_request(site: Site, settings: Any, silent_server: int) -> None:
    assert settings.EMAIL_TIMEOUT
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", silent_server, 0.2
    answer = browser().post("/account/password/reset", {"email": "nobody@example.com"})
    assert answer.status_code == 503


class TestChangingThePassword:
    @pytest.fixture
    def person(self, user: User) -> Client:
        client = browser()
        sign_in(client, user.email)
        return client

    def test_ends_the_other_sessions_and_tells_by_email(self, user: User, person: Client) -> None:
        other = browser()
        sign_in(other, user.email)
        answer = person.post("/account/password", {"oldpassword": PASSWORD, "password1": "another long password"})
        assert answer["Location"] == "/account/security"
        assert is_signed_in(person)
        assert not is_signed_in(other)
        assert sign_in(browser(), user.email).status_code == 422
        message = newest_email(user.email)
        assert message.subject == "Your password on Slipway was changed"
        assert "another long password" not in message.body

    @pytest.mark.parametrize(
        ("old", "new", "field"),
        [
            ("wrong", "another long password", "oldpassword"),
            (PASSWORD, "short", "password1"),
            (PASSWORD, "", "password1"),
        ],
    )
    def test_a_bad_form_changes_nothing(self, user: User, person: Client, old: str, new: str, field: str) -> None:
        answer = person.post("/account/password", {"oldpassword": old, "password1": new})
        assert (answer.status_code, list(answer.context["form"].errors)) == (422, [field])
        user.refresh_from_db()
        assert user.check_password(PASSWORD)

    def test_an_account_without_one_chooses_its_first(self, user: User, person: Client) -> None:
        user.set_unusable_password()
        user.save()
        person.force_login(user)
        assert person.get("/account/password")["Location"] == "/account/password/set"
        prove_again_by_email(person)
        assert person.post("/account/password/set", {"password1": "a first long password"}).status_code == 302
        assert sign_in(browser(), user.email, "a first long password").status_code == 302


class TestChangingTheAddress:
    NEW = "moved@example.com"

    @pytest.fixture
    def person(self, user: User) -> Client:
        client = browser()
        sign_in(client, user.email)
        client.post("/account/reauthenticate", {"password": PASSWORD})
        return client

    def test_by_a_code_to_the_new_one(self, user: User, person: Client) -> None:
        assert person.post("/account/email", {"action_add": "1", "email": self.NEW})["Location"] == "/account/verify"
        user.refresh_from_db()
        assert user.email == "owner@example.com"
        answer = person.post("/account/verify", {"action": "verify", "code": newest_code(self.NEW)})
        assert answer["Location"] == "/account/email"
        user.refresh_from_db()
        assert user.email == self.NEW
        assert list(EmailAddress.objects.filter(user=user).values_list("email", "verified", "primary")) == [
            (self.NEW, True, True)
        ]
        assert "changed from owner@example.com to moved@example.com" in newest_email("owner@example.com").body
        assert sign_in(browser(), self.NEW).status_code == 302
        assert sign_in(browser(), "owner@example.com").status_code == 422

    def test_asks_who_it_is_first(self, user: User) -> None:
        client = browser()
        sign_in(client, user.email)
        answer = client.post("/account/email", {"action_add": "1", "email": self.NEW})
        assert answer["Location"].startswith("/account/reauthenticate")
        assert mail.outbox == []

    def test_an_address_of_another_account_is_not_betrayed_and_not_taken(self, user: User, person: Client) -> None:
        other = UserFactory.create(email="other@example.com")
        assert person.post("/account/email", {"action_add": "1", "email": other.email})["Location"] == "/account/verify"
        code = newest_code(other.email)
        answer = person.post("/account/verify", {"action": "verify", "code": code})
        assert answer.status_code == 422
        user.refresh_from_db()
        assert user.email == "owner@example.com"

    def test_anyone_who_was_faster_keeps_the_address(self, user: User, person: Client, time_machine: Any) -> None:
        person.post("/account/email", {"action_add": "1", "email": self.NEW})
        code = newest_code(self.NEW)
        UserFactory.create(email=self.NEW)
        assert person.post("/account/verify", {"action": "verify", "code": code}).status_code == 422
        user.refresh_from_db()
        assert user.email == "owner@example.com"
