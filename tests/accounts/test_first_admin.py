"""The link that creates the first site admin: once, for a day, and only while there is none."""

import logging
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.accounts.sign_in.first_admin import LIFETIME_HOURS, new_setup_path
from apps.sites.models import Site
from tests.accounts.people import wait
from tests.browsing import browser
from tests.factories import PASSWORD, UserFactory
from tests.racing import run_at_once

pytestmark = pytest.mark.db

FORM = {"email": "Admin@Example.com", "password": PASSWORD}
PAGE = "/setup/account"


@pytest.fixture
def link(site: Site) -> str:
    path = new_setup_path()
    assert path is not None
    return path


def opened(link: str) -> Client:
    client = browser()
    answer = client.get(link)
    assert (answer.status_code, answer["Location"]) == (302, PAGE)
    assert answer["Referrer-Policy"] == "no-referrer"
    return client


def test_the_link_creates_an_admin_who_is_signed_in(link: str) -> None:
    person = opened(link)
    page = person.get(PAGE)
    assert page.status_code == 200
    assert page["Referrer-Policy"] != "no-referrer", "the form would be sent with the origin null, and refused"
    assert link.rpartition("/")[2] not in page.content.decode()
    assert person.post(PAGE, FORM).status_code == 302
    admin = User.objects.get(email="admin@example.com")
    assert (admin.is_staff, admin.is_superuser, admin.check_password(PASSWORD)) == (True, True, True)
    assert person.get("/admin/").status_code == 200


def test_the_link_works_once(link: str) -> None:
    first, second = opened(link), opened(link)
    assert first.post(PAGE, FORM).status_code == 302
    assert second.post(PAGE, {**FORM, "email": "second@example.com"}).status_code == 410
    assert browser().get(link).status_code == 410
    User.objects.all().delete()
    assert browser().get(link).status_code == 410
    assert second.get(PAGE).status_code == 410


def test_a_used_link_leads_to_the_admin_and_an_ended_one_to_the_command(link: str) -> None:
    person = opened(link)
    person.post(PAGE, FORM)
    assert person.get(PAGE).status_code == 410
    used = browser().get(link).content.decode()
    assert 'href="/admin/"' in used
    assert "setup_link" not in used
    User.objects.all().delete()
    ended = browser().get(link).content.decode()
    assert "python manage.py setup_link" in ended
    assert 'href="/admin/"' not in ended


def test_an_installed_wheel_names_its_own_command(link: str, settings: Any) -> None:
    settings.COMMAND = "slipway"
    new_setup_path()
    ended = browser().get(link).content.decode()
    assert "<code>slipway setup_link</code>" in ended
    assert "manage.py" not in ended


@pytest.mark.django_db(transaction=True)
def test_of_two_requests_one_creates_an_admin(site: Site) -> None:
    path = new_setup_path()
    assert path is not None
    people = [opened(path), opened(path)]

    def create(number: int) -> Callable[[], int]:
        return lambda: people[number].post(PAGE, {**FORM, "email": f"admin{number}@example.com"}).status_code

    assert sorted(run_at_once(create(0), create(1))) == [302, 410]
    assert User.objects.filter(is_superuser=True).count() == 1


def test_the_link_expires(link: str, time_machine: Any) -> None:
    person = opened(link)
    wait(time_machine, hours=LIFETIME_HOURS, seconds=1)
    assert browser().get(link).status_code == 410
    assert person.post(PAGE, FORM).status_code == 410


def test_another_token_opens_nothing(link: str) -> None:
    assert browser().get(reverse("first_admin_link", args=["wrong"])).status_code == 404
    assert browser().get(PAGE).status_code == 404


def test_a_new_link_replaces_the_earlier_one(link: str) -> None:
    assert new_setup_path() != link
    assert browser().get(link).status_code == 410


def test_there_is_no_link_once_there_is_an_admin(link: str) -> None:
    person = opened(link)
    UserFactory.create(is_staff=True)
    assert new_setup_path() is None
    assert browser().get(link).status_code == 410
    assert person.post(PAGE, FORM).status_code == 410


@pytest.mark.parametrize(
    ("changed", "field"),
    [({"email": ""}, "email"), ({"email": "taken@example.com"}, "email"), ({"password": "short"}, "password")],
)
def test_problems_are_beside_the_field_and_keep_the_link(link: str, changed: dict[str, str], field: str) -> None:
    UserFactory.create(email="taken@example.com")
    person = opened(link)
    answer = person.post(PAGE, {**FORM, **changed})
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert person.post(PAGE, FORM).status_code == 302


def test_no_log_has_the_token(link: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    person = opened(link)
    person.post(PAGE, FORM)
    assert browser().get(link).status_code == 410
    assert link.rpartition("/")[2] not in caplog.text


def test_the_command_prints_the_link(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("setup_link")
    said = capsys.readouterr().out.strip()
    assert browser().get(said).status_code == 302
    UserFactory.create(is_staff=True)
    call_command("setup_link")
    assert capsys.readouterr().out == ""
