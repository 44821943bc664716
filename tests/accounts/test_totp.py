"""The authenticator app as a second step, and the recovery codes that replace it."""

import base64
import hashlib
import hmac
import re
import struct
import time
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail
from django.db import connection
from django.test import Client

from apps.accounts.admin.decisions import REMOVE_SECOND_FACTORS
from apps.accounts.models import User
from apps.sites.models import Site
from tests.accounts.people import is_signed_in, newest_code, newest_email, prove_again, sign_in, wait
from tests.browsing import browser
from tests.factories import UserFactory

pytestmark = pytest.mark.db

CONSENT = "/account/profile?client=https://assistant.example"
START = "2026-06-01T12:00:00Z"


def shown_code(secret: str) -> str:
    """What an authenticator app shows now (RFC 6238)."""
    counter = struct.pack(">Q", int(time.time()) // 30)
    digest = hmac.new(base64.b32decode(secret), counter, hashlib.sha1).digest()
    start = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[start : start + 4])[0] & 0x7FFFFFFF) % 10**6:06}"


@pytest.fixture
def user(site: Site, time_machine: Any) -> User:
    time_machine.move_to(START, tick=False)
    return UserFactory.create(email="owner@example.com")


@pytest.fixture
def person(user: User) -> Client:
    client = browser()
    sign_in(client, user.email)
    prove_again(client)
    return client


@pytest.fixture
def secret(person: Client, time_machine: Any) -> str:
    """The key in the app of an account that is set up; the code it showed then has gone by."""
    key: str = person.get("/account/authenticator-app").context["form"].secret
    assert person.post("/account/authenticator-app", {"code": shown_code(key)})["Location"] == "/account/recovery-codes"
    wait(time_machine, seconds=60)
    return key


def recovery_codes(client: Client) -> list[str]:
    codes: list[str] = client.get("/account/recovery-codes").context["unused_codes"]
    return codes


def second_step(client: Client, code: str) -> Any:
    return client.post("/account/sign-in/second-step", {"code": code})


def test_setting_it_up_shows_the_key_as_picture_and_text(
    person: Client, user: User, site: Site, django_capture_on_commit_callbacks: Any
) -> None:
    page = person.get("/account/authenticator-app")
    assert "no-store" in page["Cache-Control"]
    key = page.context["form"].secret
    assert f'value="{key}"' in page.content.decode()
    assert 'src="data:image/svg+xml;base64,' in page.content.decode()
    assert page.context["totp_url"] == f"otpauth://totp/owner%40example.com?secret={key}&issuer={site.name}"
    wrong = person.post("/account/authenticator-app", {"code": "000000"})
    assert (wrong.status_code, wrong.context["form"].secret) == (422, key)
    assert not Authenticator.objects.exists()
    with django_capture_on_commit_callbacks(execute=True):
        person.post("/account/authenticator-app", {"code": shown_code(key)})
    assert {row.type for row in Authenticator.objects.filter(user=user)} == {"totp", "recovery_codes"}
    message = newest_email(user.email)
    assert message.subject == "An authenticator app was added on Slipway"
    assert key not in message.body


def test_a_password_asks_for_its_code_and_keeps_next(user: User, secret: str) -> None:
    client = browser()
    assert sign_in(client, user.email, next_url=CONSENT)["Location"] == "/account/sign-in/second-step"
    assert not is_signed_in(client)
    assert second_step(client, "123456").status_code == 422
    assert second_step(client, shown_code(secret))["Location"] == CONSENT
    assert is_signed_in(client)


def test_a_reset_asks_for_it_too_and_keeps_next(user: User, secret: str) -> None:
    client = browser()
    client.post("/account/password/reset", {"email": user.email, "next": CONSENT})
    client.post("/account/password/reset/code", {"code": newest_code(user.email), "next": CONSENT})
    form = {"password1": "another long password", "next": CONSENT}
    assert client.post("/account/password/reset/new", form)["Location"] == "/account/sign-in/second-step"
    assert not is_signed_in(client)
    assert second_step(client, shown_code(secret))["Location"] == CONSENT


def test_a_code_works_once(user: User, secret: str) -> None:
    first, second = browser(), browser()
    code = shown_code(secret)
    sign_in(first, user.email)
    sign_in(second, user.email)
    assert second_step(first, code).status_code == 302
    assert second_step(second, code).status_code == 422
    assert not is_signed_in(second)


def test_the_code_that_set_it_up_is_used(user: User, person: Client) -> None:
    code = shown_code(person.get("/account/authenticator-app").context["form"].secret)
    person.post("/account/authenticator-app", {"code": code})
    client = browser()
    sign_in(client, user.email)
    assert second_step(client, code).status_code == 422
    assert not is_signed_in(client)


def test_an_old_code_is_refused(user: User, secret: str, time_machine: Any) -> None:
    old = shown_code(secret)
    wait(time_machine, seconds=60)
    client = browser()
    sign_in(client, user.email)
    assert second_step(client, old).status_code == 422


def test_codes_cannot_be_tried_without_end(user: User, secret: str) -> None:
    client = browser()
    sign_in(client, user.email)
    for number in range(5):
        second_step(client, f"{number:06}")
    answer = second_step(client, shown_code(secret))
    assert answer.status_code == 422
    assert answer.context["form"].has_error("code", "too_many_login_attempts")


@pytest.mark.parametrize("code", ["", "x", "²²²²²²", "1" * 5000, "\x00"])
def test_what_is_no_code_is_refused(user: User, secret: str, code: str) -> None:
    client = browser()
    sign_in(client, user.email)
    assert second_step(client, code).status_code == 422


@pytest.mark.parametrize("zero", "0٠०０", ids=["ASCII", "Arabic-Indic", "Devanagari", "full-width"])
def test_a_code_is_taken_as_people_type_it(user: User, secret: str, zero: str) -> None:
    client = browser()
    sign_in(client, user.email)
    digits = "".join(chr(ord(zero) + int(digit)) for digit in shown_code(secret))
    assert second_step(client, f" {digits[:3]}\u00a0{digits[3:]}")["Location"] == "/account"
    other = browser()
    sign_in(other, user.email)
    assert second_step(other, shown_code(secret)).status_code == 422


def test_a_recovery_code_is_taken_in_groups(user: User, person: Client, secret: str) -> None:
    [code, *_] = recovery_codes(person)
    client = browser()
    sign_in(client, user.email)
    assert second_step(client, f"{code[:4]} – {code[4:].upper()}")["Location"] == "/account"


def test_the_app_is_set_up_with_a_code_in_groups(person: Client, user: User) -> None:
    code = shown_code(person.get("/account/authenticator-app").context["form"].secret)
    answer = person.post("/account/authenticator-app", {"code": f"{code[:3]} {code[3:]}"})
    assert answer["Location"] == "/account/recovery-codes"


def test_a_sign_in_that_took_too_long_says_so(user: User, secret: str, time_machine: Any) -> None:
    client = browser()
    sign_in(client, user.email)
    wait(time_machine, minutes=50)
    assert second_step(client, "123456").status_code == 422
    wait(time_machine, minutes=11)
    assert second_step(client, shown_code(secret))["Location"] == "/account/sign-in"
    told = client.get("/account/sign-in").context["messages"]
    assert [message.level_tag for message in told] == ["warning"]


def test_who_has_lost_every_second_factor_finds_the_site_admin(user: User, secret: str, site: Site) -> None:
    site.contact_email = "hello@slipway.example"
    site.save()
    client = browser()
    sign_in(client, user.email)
    assert 'href="mailto:hello@slipway.example"' in client.get("/account/sign-in/second-step").content.decode()


def test_the_second_step_is_not_open_to_strangers(site: Site) -> None:
    assert browser().get("/account/sign-in/second-step")["Location"] == "/account/sign-in"
    assert second_step(browser(), "123456")["Location"] == "/account/sign-in"


def test_the_second_step_can_be_cancelled(user: User, secret: str) -> None:
    client = browser()
    sign_in(client, user.email)
    assert client.get("/account/sign-in")["Location"] == "/account/sign-in/second-step"
    client.post("/account/sign-out", {"next": "/account/sign-in"})
    assert client.get("/account/sign-in").status_code == 200


def test_its_code_proves_who_one_is(person: Client, secret: str) -> None:
    way = "/account/reauthenticate/code?next=/account/email"
    assert person.get(way).status_code == 200
    assert person.post(way, {"code": "000000"}).status_code == 422
    assert person.post(way, {"code": shown_code(secret)})["Location"] == "/account/email"


def test_it_can_be_removed(person: Client, user: User, secret: str) -> None:
    assert person.get("/account/authenticator-app")["Location"] == "/account/authenticator-app/remove"
    assert person.get("/account/authenticator-app/remove").status_code == 200
    assert person.post("/account/authenticator-app/remove")["Location"] == "/account/security"
    assert not Authenticator.objects.filter(user=user).exists()
    assert sign_in(browser(), user.email)["Location"] == "/account"
    assert newest_email(user.email).subject == "The authenticator app was removed on Slipway"


class TestRecoveryCodes:
    def test_each_works_once(self, person: Client, user: User, secret: str) -> None:
        codes = recovery_codes(person)
        assert len(set(codes)) == 10
        for expected in (302, 422):
            client = browser()
            sign_in(client, user.email)
            assert second_step(client, codes[0]).status_code == expected
        assert recovery_codes(person) == codes[1:]

    def test_they_can_be_downloaded(self, person: Client, user: User, secret: str, site: Site) -> None:
        answer = person.get("/account/recovery-codes/file")
        assert answer["Content-Disposition"] == 'attachment; filename="recovery-codes.txt"'
        assert answer["Content-Type"].startswith("text/plain")
        assert "no-store" in answer["Cache-Control"]
        lines = answer.content.decode().splitlines()
        assert lines[0] == f"Recovery codes for owner@example.com on Slipway ({site.base_url})"
        assert [line for line in lines if re.fullmatch(r"\d{8}", line)] == recovery_codes(person)

    def test_new_ones_end_the_old_ones(
        self, person: Client, user: User, secret: str, django_capture_on_commit_callbacks: Any
    ) -> None:
        old = recovery_codes(person)
        assert person.get("/account/recovery-codes/new").status_code == 200
        with django_capture_on_commit_callbacks(execute=True):
            answer = person.post("/account/recovery-codes/new")
        assert answer["Location"] == "/account/recovery-codes"
        assert not set(old) & set(recovery_codes(person))
        message = newest_email(user.email)
        assert message.subject == "New recovery codes on Slipway"
        assert not set(recovery_codes(person)) & set(message.body.split())

    def test_they_are_shown_only_to_who_proves_it_again(self, person: Client, secret: str, time_machine: Any) -> None:
        wait(time_machine, minutes=6)
        for path in ("", "/new", "/file"):
            answer = person.get(f"/account/recovery-codes{path}")
            assert answer["Location"].startswith("/account/reauthenticate")

    def test_an_account_without_a_second_step_has_none(self, person: Client) -> None:
        assert person.get("/account/recovery-codes").status_code == 404
        assert person.get("/account/recovery-codes/file").status_code == 404
        assert person.post("/account/recovery-codes/new").status_code == 422


class TestKeptSecrets:
    def test_nothing_in_the_database_reads_as_one(self, person: Client, secret: str) -> None:
        codes = recovery_codes(person)
        with connection.cursor() as cursor:
            cursor.execute("SELECT data::text FROM mfa_authenticator")
            kept = " ".join(row[0] for row in cursor.fetchall())
        assert secret not in kept
        assert not [code for code in codes if code in kept]

    def test_an_earlier_key_of_the_installation_still_reads_them(self, user: User, secret: str, settings: Any) -> None:
        settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
        settings.SECRET_KEY = "a later key " * 5
        client = browser()
        sign_in(client, user.email)
        assert second_step(client, shown_code(secret)).status_code == 302

    def test_with_a_lost_key_no_code_fits_and_nothing_breaks(self, user: User, secret: str, settings: Any) -> None:
        settings.SECRET_KEY = "another key altogether " * 5
        client = browser()
        sign_in(client, user.email)
        assert second_step(client, shown_code(secret)).status_code == 422


class TestWhoHasLostThem:
    def help_out(self, team: Client, user: User) -> Any:
        form = {"action": "remove_second_factors", "_selected_action": [user.pk]}
        assert team.post("/admin/accounts/user/", form).context["decision"] is REMOVE_SECOND_FACTORS
        assert mail.outbox == []
        form["confirmed"] = "yes"
        return team.post("/admin/accounts/user/", form, follow=True)

    def test_site_admins_can_let_them_in(self, team: Client, user: User, secret: str) -> None:
        assert "verification removed: 1" in self.help_out(team, user).content.decode()
        assert sign_in(browser(), user.email)["Location"] == "/account"
        assert newest_email(user.email).subject == "Two-step verification was removed on Slipway"

    def test_nothing_happens_to_who_has_none(self, team: Client, user: User) -> None:
        assert "verification removed: 1" not in self.help_out(team, user).content.decode()
        assert mail.outbox == []
