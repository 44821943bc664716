"""The account's API keys area: made with the password, shown once, revoked at once."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts.credentials import create_api_key
from apps.accounts.models import ApiKey, User
from apps.core.scopes import Scope
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import PASSWORD, UserFactory

FORM = {"name": "release script", "scopes": ["account:read"], "days": "30", "password": PASSWORD}


@pytest.fixture
def user(site: Site) -> User:
    return UserFactory.create()


@pytest.fixture
def browser(client: Client, user: User) -> Client:
    client.force_login(user)
    return client


def test_a_key_is_shown_once_and_works_within_its_scopes(browser: Client, user: User) -> None:
    answer = browser.post("/account/keys", FORM)
    assert answer.status_code == 201
    assert "no-store" in answer["Cache-Control"]
    [secret] = set(re.findall(r"slip_[0-9A-Za-z]{38}", answer.content.decode()))
    api = ApiClient(key=secret)
    assert api.get("/me/listings").status_code == 200
    assert api.post("/drafts", {"url": "https://acme.example"}).status_code == 403
    key = ApiKey.objects.get(token__user=user)
    assert timedelta(days=29) < key.token.expires - timezone.now() <= timedelta(days=30)
    later = browser.get("/account/keys").content.decode()
    assert secret not in later
    assert key.prefix in later


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"password": "wrong"}, "password"),
        ({"password": ""}, "password"),
        ({"name": ""}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["admin"]}, "scopes"),
        ({"days": "3650"}, "days"),
    ],
)
def test_a_bad_form_makes_no_key_and_says_why_beside_the_field(
    browser: Client, change: dict[str, object], field: str
) -> None:
    answer = browser.post("/account/keys", FORM | change)
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert not ApiKey.objects.exists()


def test_passwords_cannot_be_tried_without_end(browser: Client) -> None:
    for _ in range(5):
        browser.post("/account/keys", FORM | {"password": "wrong"})
    answer = browser.post("/account/keys", FORM)
    assert answer.context["form"].errors.as_data()["password"][0].code == "rate_limited"
    assert not ApiKey.objects.exists()


def test_a_revoked_key_is_refused_on_the_next_request(browser: Client, user: User) -> None:
    key, raw = create_api_key(user=user, name="old", scopes=[Scope.ACCOUNT_READ])
    assert ApiClient(key=raw).get("/me/listings").status_code == 200
    assert browser.post(f"/account/keys/{key.pk}/revoke").status_code == 302
    assert ApiClient(key=raw).get("/me/listings").status_code == 401


def test_keys_of_others_are_neither_seen_nor_revoked(browser: Client) -> None:
    key, raw = create_api_key(user=UserFactory.create(), name="theirs", scopes=[Scope.ACCOUNT_READ])
    assert "theirs" not in browser.get("/account/keys").content.decode()
    assert browser.post(f"/account/keys/{key.pk}/revoke").status_code == 404
    assert ApiClient(key=raw).get("/me/listings").status_code == 200


def test_nobody_comes_in_without_signing_in(client: Client, site: Site) -> None:
    assert client.get("/account/keys")["Location"].startswith("/account/sign-in")
