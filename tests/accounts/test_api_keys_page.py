"""The account's API keys page: it asks for the password, shows a secret once, and revokes immediately."""

import logging
import re
from datetime import timedelta
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from apps.accounts.api_keys.secret import checksum
from apps.accounts.api_keys.services import MAX_ACTIVE_KEYS, create_api_key, revoke_api_key, rotate_api_key
from apps.accounts.models import ApiKey, User
from apps.core.api.scopes import SCOPE_TEXTS, Scope
from apps.core.web.logs import JsonFormatter
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import PASSWORD, UserFactory

pytestmark = pytest.mark.db

FORM = {"name": "release script", "scopes": ["account:read"], "lifetime": "30"}
ASK_AGAIN = "/account/reauthenticate"


@pytest.fixture
def user(site: Site) -> User:
    return UserFactory.create()


@pytest.fixture
def browser(client: Client, user: User) -> Client:
    """Signed in, and the password was asked again a moment ago."""
    client.force_login(user)
    give_password(client)
    return client


def give_password(client: Client, then: str = "/account/keys") -> Any:
    return client.post(f"{ASK_AGAIN}?next={then}", {"password": PASSWORD, "next": then})


def make(user: User, name: str = "old") -> tuple[ApiKey, str]:
    return create_api_key(user=user, name=name, scopes=[Scope.ACCOUNT_READ])


def secret_in(answer: Any) -> str:
    [secret] = set(re.findall(r"slip_[0-9A-Za-z]{38}", answer.content.decode()))
    return str(secret)


def test_a_key_is_shown_once_and_works_within_its_scopes(browser: Client, user: User) -> None:
    answer = browser.post("/account/keys/new", FORM)
    assert answer.status_code == 201
    assert "no-store" in answer["Cache-Control"]
    secret = secret_in(answer)
    assert re.search(rf'<input[^>]*readonly[^>]*value="{secret}"', answer.content.decode())
    api = ApiClient(key=secret)
    assert api.get("/me/listings").status_code == 200
    assert api.post("/drafts", {"url": "https://acme.example"}).status_code == 403
    key = ApiKey.objects.get(user=user)
    assert timedelta(days=29) < key.expires_at - timezone.now() <= timedelta(days=30)
    later = browser.get("/account/keys").content.decode()
    assert secret not in later
    assert key.prefix in later
    assert SCOPE_TEXTS[Scope.ACCOUNT_READ] in later


def test_the_form_suggests_reading_only(browser: Client) -> None:
    page = browser.get("/account/keys/new").content.decode()
    assert re.findall(r'name="scopes" value="([^"]+)"[^>]* checked', page) == [Scope.ACCOUNT_READ]


def test_the_secret_is_neither_kept_nor_logged(browser: Client) -> None:
    lines = StringIO()
    handler = logging.StreamHandler(lines)
    handler.setFormatter(JsonFormatter())
    logging.getLogger().addHandler(handler)
    try:
        secret = secret_in(browser.post("/account/keys/new", FORM))
        ApiClient(key=secret).get("/me/listings")
    finally:
        logging.getLogger().removeHandler(handler)
    assert '"route":"account/keys/new"' in lines.getvalue()
    assert secret not in lines.getvalue()
    assert not any(secret in str(session.get_decoded()) for session in Session.objects.all())
    engine: Any = cache._cache.get_client()  # type: ignore[attr-defined]  # what the cache really holds
    assert not any(secret.encode() in (engine.get(name) or b"") for name in engine.scan_iter())


def test_the_password_is_asked_again_before_the_form(client: Client, user: User) -> None:
    client.force_login(user)
    answer = client.get("/account/keys/new")
    assert answer.status_code == 302
    assert answer["Location"] == f"{ASK_AGAIN}?next=%2Faccount%2Fkeys%2Fnew"
    wrong = client.post(answer["Location"], {"password": "wrong", "next": "/account/keys/new"})
    assert wrong.status_code == 422
    assert client.get("/account/keys/new").status_code == 302
    assert give_password(client, "/account/keys/new")["Location"] == "/account/keys/new"
    assert client.get("/account/keys/new").status_code == 200


def test_what_was_typed_survives_the_question(client: Client, user: User) -> None:
    client.force_login(user)
    answer = client.post("/account/keys/new", FORM | {"name": "typed before"})
    assert answer["Location"].startswith(ASK_AGAIN)
    assert not ApiKey.objects.exists()
    made = give_password(client, "/account/keys/new")
    assert made.status_code == 201
    assert "no-store" in made["Cache-Control"]
    assert ApiClient(key=secret_in(made)).get("/me/listings").status_code == 200
    assert ApiKey.objects.get().name == "typed before"
    again = give_password(client, "/account/keys/new")
    assert again.status_code == 302
    assert ApiKey.objects.count() == 1


def test_sign_in_alone_and_long_ago_are_not_enough(browser: Client, user: User, time_machine: Any) -> None:
    key, _ = make(user)
    time_machine.move_to(timezone.now() + timedelta(minutes=30))
    for path in ("/account/keys/new", f"/account/keys/{key.pk}/rotate"):
        assert browser.get(path)["Location"].startswith(ASK_AGAIN)
        assert browser.post(path, FORM | {"overlap": "day"})["Location"].startswith(ASK_AGAIN)
    assert ApiKey.objects.count() == 1
    assert browser.post(f"/account/keys/{key.pk}/revoke")["Location"] == "/account/keys"
    assert ApiKey.objects.get().state == "revoked"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "\u202e"}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["admin"]}, "scopes"),
        ({"lifetime": "3650"}, "lifetime"),
        ({"lifetime": ""}, "lifetime"),
        ({"lifetime": "date"}, "last_date"),
        ({"lifetime": "date", "last_date": "soon"}, "last_date"),
        ({"lifetime": "date", "last_date": -1}, "last_date"),
        ({"lifetime": "date", "last_date": 366}, "last_date"),
        ({"form_token": "1; DROP"}, "__all__"),
        ({"name": "…"}, "__all__"),
    ],
)
def test_a_bad_form_makes_no_key_and_says_why(browser: Client, change: dict[str, Any], field: str) -> None:
    if isinstance(change.get("last_date"), int):
        change = change | {"last_date": str(timezone.now().date() + timedelta(days=change["last_date"]))}
    answer = browser.post("/account/keys/new", FORM | change)
    assert answer.status_code == 422
    assert field in answer.context["form"].errors
    assert answer.context["form"].errors[field][0] in answer.content.decode()
    assert not ApiKey.objects.exists()


@pytest.mark.parametrize("days", [0, 1, 365])
def test_a_chosen_day_counts_whole(browser: Client, days: int) -> None:
    last = timezone.now().date() + timedelta(days=days)
    browser.post("/account/keys/new", FORM | {"lifetime": "date", "last_date": str(last)})
    expires = ApiKey.objects.get().expires_at
    assert (expires.date(), expires.time().isoformat()) == (last + timedelta(days=1), "00:00:00")


def test_a_day_without_the_choice_is_overlooked(browser: Client) -> None:
    assert browser.post("/account/keys/new", FORM | {"last_date": "nonsense"}).status_code == 201


def test_a_form_sent_twice_makes_one_key(browser: Client) -> None:
    form = browser.get("/account/keys/new").context["form"]
    sent = FORM | {"form_token": str(form["form_token"].value())}
    assert browser.post("/account/keys/new", sent).status_code == 201
    again = browser.post("/account/keys/new", sent, follow=True)
    assert again.redirect_chain == [("/account/keys", 302)]
    assert "already created the key release script" in again.content.decode()
    assert not re.search(r"slip_[0-9A-Za-z]{38}", again.content.decode())
    assert ApiKey.objects.count() == 1
    fresh = browser.get("/account/keys/new").context["form"]
    assert fresh["form_token"].value() != form["form_token"].value()


def test_the_twenty_sixth_key_is_refused_with_the_reason(browser: Client, user: User) -> None:
    for number in range(MAX_ACTIVE_KEYS):
        make(user, f"key {number}")
    answer = browser.post("/account/keys/new", FORM)
    assert answer.status_code == 409
    assert "25 active keys" in answer.content.decode()


def test_rotation_shows_the_new_secret_once_and_keeps_the_old_key_for_a_day(browser: Client, user: User) -> None:
    old, old_secret = make(user)
    page = browser.get(f"/account/keys/{old.pk}/rotate")
    assert page.context["form"]["overlap"].value() == "day"
    answer = browser.post(f"/account/keys/{old.pk}/rotate", {"overlap": "day"})
    assert (answer.status_code, "no-store" in answer["Cache-Control"]) == (201, True)
    secret = secret_in(answer)
    assert [ApiClient(key=key).get("/me/listings").status_code for key in (secret, old_secret)] == [200, 200]
    listed = browser.get("/account/keys").content.decode()
    new = ApiKey.objects.latest("pk")
    assert f"Replaced by <code>{new.prefix}…</code>, valid until" in listed
    again = browser.post(f"/account/keys/{old.pk}/rotate", {"overlap": "day"}, follow=True)
    assert "is replaced and can" in again.content.decode()
    assert ApiKey.objects.count() == 2


def test_rotation_with_a_foreign_overlap_changes_nothing(browser: Client, user: User) -> None:
    key, _ = make(user)
    for sent in ({}, {"overlap": "year"}):
        assert browser.post(f"/account/keys/{key.pk}/rotate", sent).status_code == 422
    assert ApiKey.objects.get().state == "active"


def test_an_ended_key_has_no_rotation_page(browser: Client, user: User) -> None:
    key, _ = make(user)
    revoke_api_key(key=key)
    assert browser.get(f"/account/keys/{key.pk}/rotate")["Location"] == "/account/keys"


def test_a_revoked_key_is_refused_on_the_next_request(browser: Client, user: User) -> None:
    key, raw = make(user)
    assert ApiClient(key=raw).get("/me/listings").status_code == 200
    assert browser.post(f"/account/keys/{key.pk}/revoke").status_code == 302
    assert ApiClient(key=raw).get("/me/listings").status_code == 401
    assert "Revoked" in browser.get("/account/keys").content.decode()


def test_every_state_is_told_in_words(browser: Client, user: User) -> None:
    make(user, "plain")
    soon, _ = make(user, "soon")
    ended, _ = make(user, "ended")
    revoked, _ = make(user, "revoked")
    replaced, _ = make(user, "replaced")
    for key, after in ((soon, timedelta(days=3)), (ended, timedelta(days=-3))):
        key.expires_at = timezone.now() + after
        key.save()
    revoke_api_key(key=revoked)
    rotate_api_key(key=replaced, overlap=timedelta(0))
    answer = browser.get("/account/keys")
    states = {
        key.name: (key.state, key in answer.context["keys"])
        for key in ApiKey.objects.visible_to(user).filter(replaces__isnull=True)
    }
    assert states == {
        "plain": ("active", True),
        "soon": ("expires_soon", True),
        "ended": ("expired", False),
        "revoked": ("revoked", False),
        "replaced": ("replaced", False),
    }
    shown = re.findall(r'class="pill [^"]*">([^<]+)<', answer.content.decode())
    assert sorted(shown) == ["Active", "Active", "Expired", "Expires soon", "Replaced", "Revoked"]


def test_keys_of_others_are_neither_seen_nor_touched(browser: Client) -> None:
    key, raw = make(UserFactory.create(), "theirs")
    assert "theirs" not in browser.get("/account/keys").content.decode()
    assert browser.post(f"/account/keys/{key.pk}/revoke").status_code == 404
    assert browser.get(f"/account/keys/{key.pk}/rotate").status_code == 404
    assert browser.post(f"/account/keys/{key.pk}/rotate", {"overlap": "now"}).status_code == 404
    assert ApiKey.objects.get().state == "active"
    assert ApiClient(key=raw).get("/me/listings").status_code == 200


@pytest.mark.parametrize("path", ["", "/new", "/1/rotate"])
def test_nobody_comes_in_without_signing_in(client: Client, site: Site, path: str) -> None:
    assert client.get(f"/account/keys{path}")["Location"].startswith("/account/sign-in?next=/account/keys")


@pytest.mark.parametrize("path", ["/new", "/1/rotate", "/1/revoke"])
def test_every_change_needs_the_token_against_forged_forms(user: User, path: str) -> None:
    forger = Client(enforce_csrf_checks=True)
    forger.force_login(user)
    assert forger.post(f"/account/keys{path}", FORM | {"form_token": str(uuid4())}).status_code == 403
    assert forger.get("/account/keys/1/revoke").status_code == 405


def test_site_admins_can_end_keys_but_not_read_or_make_them(client: Client, user: User) -> None:
    client.force_login(UserFactory.create(is_staff=True, is_superuser=True))
    key, raw = make(user, "leaked")
    other, other_raw = make(user, "other")
    changelist = "/admin/accounts/apikey/"
    assert "leaked" in client.get(changelist).content.decode()
    page = client.get(f"{changelist}{key.pk}/change/").content.decode()
    assert user.email in page
    assert checksum(raw) not in page
    assert client.get(f"{changelist}add/").status_code == 403
    form = {"action": "revoke", "_selected_action": [key.pk]}
    assert "Never used." in client.post(changelist, form).content.decode()
    answer = client.post(changelist, {**form, "confirmed": "yes"}, follow=True)
    assert "Keys revoked: 1." in answer.content.decode()
    assert ApiClient(key=raw).get("/me/listings").status_code == 401
    assert ApiClient(key=other_raw).get("/me/listings").status_code == 200


def test_a_key_for_the_api_reference_has_its_scope_and_leads_back(browser: Client, user: User) -> None:
    form = browser.get("/account/keys/new?try=quote_order").context["form"]
    assert form.initial == {"name": "API reference", "scopes": [Scope.ORDERS_WRITE], "lifetime": "1"}
    answer = browser.post("/account/keys/new?try=quote_order", FORM | {"lifetime": "1"})
    assert f'href="/reference/quote_order#try" data-handed-key="{secret_in(answer)}"' in answer.content.decode()
    assert user.api_keys.get().expires_at < timezone.now() + timedelta(days=1, minutes=1)


def test_invented_operations_suggest_nothing(browser: Client) -> None:
    assert browser.get("/account/keys/new?try=//evil.example").context["tried"] is None
