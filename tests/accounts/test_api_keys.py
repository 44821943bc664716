"""The rules of API keys: what may be made, rotated and revoked, and what is left of them."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from oauth2_provider.models import clear_expired, get_access_token_model

from apps.accounts.api_keys.services import (
    MAX_ACTIVE_KEYS,
    MAX_GOOD_KEYS,
    create_api_key,
    revoke_api_key,
    rotate_api_key,
)
from apps.accounts.models import ApiKey, User
from apps.core.api.scopes import OWNER_SCOPES, SCOPE_TEXTS, Scope
from apps.core.errors import DomainError
from tests.api import ApiClient
from tests.factories import UserFactory
from tests.racing import count_outcomes

pytestmark = pytest.mark.db

READ = [Scope.ACCOUNT_READ]
DAY = timedelta(days=1)


@pytest.fixture
def user(db: None) -> User:
    return UserFactory.create()


def make(user: User, **fields: Any) -> tuple[ApiKey, str]:
    return create_api_key(**{"user": user, "name": "ci", "scopes": READ, **fields})


def opens(secret: str) -> bool:
    return bool(ApiClient(key=secret).get("/me/listings").status_code == 200)


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(DomainError) as caught, transaction.atomic():
        call()
    return caught.value.error_code


def set_expiry(key: ApiKey, after: timedelta) -> None:
    key.expires_at = timezone.now() + after
    key.save(update_fields=["expires_at"])
    get_access_token_model().objects.filter(pk=key.token_id).update(expires=key.expires_at)


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"name": ""}, "wrong_name"),
        ({"name": " \u200d "}, "wrong_name"),
        ({"name": "…"}, "wrong_name"),
        ({"name": "x" * 61}, "wrong_name"),
        ({"scopes": []}, "no_scope"),
        ({"expires_at": timedelta(0)}, "wrong_expiry"),
        ({"expires_at": timedelta(days=366, minutes=1)}, "wrong_expiry"),
    ],
)
def test_what_cannot_be_is_refused(user: User, fields: dict[str, Any], code: str) -> None:
    if "expires_at" in fields:
        fields = {"expires_at": timezone.now() + fields["expires_at"]}
    assert refusal(lambda: make(user, **fields)) == code
    assert not ApiKey.objects.exists()


def test_the_bounds_themselves_are_allowed(user: User) -> None:
    key, _ = make(user, name="x" * 60, expires_at=timezone.now() + timedelta(days=366))
    assert key.state == "active"
    assert make(user, expires_at=timezone.now() + timedelta(minutes=1))[0].state == "expires_soon"


def test_a_name_keeps_neither_control_nor_bidi_characters(user: User) -> None:
    assert make(user, name="  re\u202elease\x00 \n script\u2066 ")[0].name == "release script"


def test_an_account_has_25_active_keys_at_most(user: User) -> None:
    keys = [make(user, name=f"key {number}")[0] for number in range(MAX_ACTIVE_KEYS)]
    assert refusal(lambda: make(user)) == "too_many_keys"
    make(UserFactory.create())
    revoke_api_key(key=keys[0])
    set_expiry(keys[1], timedelta(seconds=-1))
    rotate_api_key(key=keys[2])
    make(user)
    make(user)
    assert refusal(lambda: make(user)) == "too_many_keys"


def test_replaced_keys_do_not_pile_up(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.accounts.api_keys.services.MAX_GOOD_KEYS", 3)
    key, _ = make(user)
    for _ in range(2):
        key, _ = rotate_api_key(key=key)
    assert refusal(lambda: rotate_api_key(key=key)) == "too_many_keys"
    rotate_api_key(key=key, overlap=timedelta(0))
    assert MAX_GOOD_KEYS > MAX_ACTIVE_KEYS


def test_a_form_makes_one_key_however_often_it_is_sent(user: User) -> None:
    token = uuid4()
    make(user, form_token=token)
    assert refusal(lambda: make(user, form_token=token)) == "key_already_made"
    make(user, form_token=uuid4())
    assert ApiKey.objects.count() == 2


def test_rotation_keeps_name_scopes_and_lifetime(user: User) -> None:
    old, old_secret = make(user, name="build", scopes=OWNER_SCOPES, expires_at=timezone.now() + timedelta(days=90))
    ApiKey.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=60))
    set_expiry(old, timedelta(days=30))
    new, secret = rotate_api_key(key=old)
    assert (new.name, new.scopes, new.state) == ("build", old.scopes, "active")
    assert abs(new.expires_at - timezone.now() - timedelta(days=90)) < timedelta(minutes=1)
    old = ApiKey.objects.select_related("token", "replaced_by").get(pk=old.pk)
    assert (old.replaced_by, old.state) == (new, "replaced")
    assert get_access_token_model().objects.get(pk=old.token_id).expires == old.expires_at
    assert timedelta(hours=23) < old.expires_at - timezone.now() <= DAY
    assert secret != old_secret
    assert opens(secret)
    assert opens(old_secret)


@pytest.mark.parametrize(
    ("overlap", "minutes", "is_good"),
    [(0, 0, False), (60, 59, True), (60, 61, False), (7 * 24 * 60, 7 * 24 * 60 - 1, True)],
)
def test_the_old_key_ends_with_its_overlap(
    user: User, time_machine: Any, overlap: int, minutes: int, is_good: bool
) -> None:
    old, secret = make(user)
    rotate_api_key(key=old, overlap=timedelta(minutes=overlap))
    time_machine.move_to(timezone.now() + timedelta(minutes=minutes))
    assert opens(secret) == is_good


def test_an_overlap_never_lengthens_a_key(user: User) -> None:
    old, _ = make(user, expires_at=timezone.now() + timedelta(hours=2))
    before = old.expires_at
    rotate_api_key(key=old, overlap=timedelta(days=7))
    assert ApiKey.objects.get(pk=old.pk).expires_at == before


@pytest.mark.parametrize("overlap", [timedelta(seconds=-1), timedelta(days=7, seconds=1)])
def test_no_other_overlap(user: User, overlap: timedelta) -> None:
    key, _ = make(user)
    assert refusal(lambda: rotate_api_key(key=key, overlap=overlap)) == "wrong_overlap"
    assert ApiKey.objects.get().state == "active"


def test_what_has_ended_is_not_rotated(user: User) -> None:
    revoked, replaced, expired = make(user)[0], make(user)[0], make(user)[0]
    revoke_api_key(key=revoked)
    rotate_api_key(key=replaced)
    set_expiry(expired, timedelta(seconds=-1))
    count = ApiKey.objects.count()
    for key in (revoked, replaced, expired):
        assert refusal(partial(rotate_api_key, key=key)) == "key_has_ended"
    assert ApiKey.objects.count() == count


def test_a_revoked_key_is_kept_and_opens_nothing(user: User) -> None:
    key, secret = make(user)
    assert opens(secret)
    assert revoke_api_key(key=key) is True
    assert not opens(secret)
    first = ApiKey.objects.get(pk=key.pk).revoked_at
    assert revoke_api_key(key=key) is False
    kept = ApiKey.objects.get(pk=key.pk)
    assert (kept.revoked_at, kept.state, kept.last_used_at is not None) == (first, "revoked", True)
    assert not get_access_token_model().objects.exists()


def test_revoking_ends_the_overlap_too(user: User) -> None:
    old, secret = make(user)
    _, successor = rotate_api_key(key=old)
    revoke_api_key(key=old)
    assert not opens(secret)
    assert opens(successor)


@pytest.mark.parametrize(
    ("after", "state"),
    [
        (timedelta(days=7, minutes=1), "active"),
        (timedelta(days=7), "expires_soon"),
        (timedelta(minutes=1), "expires_soon"),
        (timedelta(0), "expired"),
    ],
)
def test_the_state_follows_the_expiry(user: User, after: timedelta, state: str) -> None:
    key, _ = make(user)
    set_expiry(key, after)
    assert (key.state, key.is_good, key.can_be_rotated) == (state, state != "expired", state != "expired")


def test_an_expired_key_is_kept_when_its_token_is_cleaned_away(user: User) -> None:
    ended, _ = make(user, name="ended")
    going, secret = make(user, name="going")
    set_expiry(ended, timedelta(seconds=-1))
    clear_expired()
    kept = {key.name: (key.state, key.scope_texts, key.token_id is None) for key in ApiKey.objects.visible_to(user)}
    words = [SCOPE_TEXTS[Scope.ACCOUNT_READ]]
    assert kept == {"ended": ("expired", words, True), "going": ("active", words, False)}
    assert opens(secret)


@pytest.mark.parametrize("change", ["replaced by itself", "revoked with a token"])
def test_the_database_refuses_what_cannot_be(user: User, change: str) -> None:
    key, _ = make(user)
    fields: dict[str, Any] = {"replaced_by": key} if "itself" in change else {"revoked_at": timezone.now()}
    with pytest.raises(IntegrityError), transaction.atomic():
        ApiKey.objects.filter(pk=key.pk).update(**fields)


def test_an_account_takes_its_keys_along(user: User) -> None:
    rotate_api_key(key=make(user)[0])
    revoke_api_key(key=make(user)[0])
    user.delete()
    assert not ApiKey.objects.exists()
    assert not get_access_token_model().objects.exists()


def test_no_column_of_any_table_has_a_trace_of_a_secret(user: User) -> None:
    key, first = make(user)
    _, second = rotate_api_key(key=key)
    assert opens(first)
    assert opens(second)
    dump = "\n".join(_rows())
    assert key.prefix in dump
    for secret in (first, second):
        body = secret.removeprefix(key.prefix[:5])
        # The visible beginning aside, no piece of it is anywhere.
        pieces = [body[start : start + 8] for start in range(len(key.prefix) - 5, len(body) - 7)]
        assert len(pieces) > 20
        assert [piece for piece in (secret, body, *pieces) if piece in dump] == []


def _rows() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT quote_ident(table_name) FROM information_schema.tables WHERE table_schema = 'public'")
        tables = [name for (name,) in cursor.fetchall()]
        rows = []
        for table in tables:
            cursor.execute(f"SELECT entry::text FROM {table} entry")  # noqa: S608 - names from the catalog
            rows += [text for (text,) in cursor.fetchall()]
    return rows


@pytest.mark.django_db(transaction=True)
def test_two_rotations_at_once_have_one_winner() -> None:
    key, _ = make(UserFactory.create())
    assert count_outcomes(*[lambda: rotate_api_key(key=key)] * 4) == {"done": 1, "key_has_ended": 3}
    assert ApiKey.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_one_form_sent_twice_at_once_makes_one_key() -> None:
    user, token = UserFactory.create(), uuid4()
    assert count_outcomes(*[lambda: make(user, form_token=token)] * 4) == {"done": 1, "key_already_made": 3}


@pytest.mark.django_db(transaction=True)
def test_the_limit_holds_when_keys_are_made_at_once() -> None:
    user = UserFactory.create()
    for _ in range(MAX_ACTIVE_KEYS - 1):
        make(user)
    assert count_outcomes(*[lambda: make(user)] * 4) == {"done": 1, "too_many_keys": 3}
