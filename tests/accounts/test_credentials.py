from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from oauth2_provider.models import get_access_token_model

from apps.accounts.api_keys.credentials import resolve_bearer
from apps.accounts.api_keys.secret import is_well_formed_key
from apps.accounts.api_keys.services import create_api_key, revoke_api_key
from apps.accounts.models import ApiKey, User
from apps.core.api.audience import Audience
from apps.core.api.scopes import Scope
from tests.api import ApiClient
from tests.factories import UserFactory


@pytest.fixture
def user(db: None) -> User:
    return UserFactory.create()


def test_a_key_resolves_to_its_account_and_scopes(user: User) -> None:
    key, raw = create_api_key(user=user, name="ci", scopes=[Scope.ACCOUNT_READ])
    for audience in Audience:
        result = resolve_bearer(raw, audience)
        assert result is not None
        assert (result.user, result.scopes, result.name) == (user, frozenset({"account:read"}), "ci")
    assert raw.startswith(key.prefix)
    assert is_well_formed_key(raw)


def test_a_mistyped_key_is_noticed_without_the_database() -> None:
    assert resolve_bearer("slip_" + "a" * 38, Audience.REST) is None
    assert not is_well_formed_key("slip_" + "a" * 38)
    assert not is_well_formed_key("other_" + "a" * 38)


def test_the_secret_is_nowhere_in_the_database(user: User) -> None:
    _, raw = create_api_key(user=user, name="ci", scopes=[Scope.ACCOUNT_READ])
    with connection.cursor() as cursor:
        cursor.execute("SELECT t::text FROM oauth2_provider_accesstoken t")
        rows = str(cursor.fetchall())
    assert rows.count("account:read") == 1
    assert raw not in rows
    assert raw.removeprefix("slip_") not in rows


def test_expired_revoked_and_deactivated_keys_stop_at_once(user: User) -> None:
    key, raw = create_api_key(user=user, name="old", scopes=[Scope.ACCOUNT_READ])
    get_access_token_model().objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert resolve_bearer(raw, Audience.REST) is None
    key, raw = create_api_key(user=user, name="revoked", scopes=[Scope.ACCOUNT_READ])
    client = ApiClient(key=raw)
    assert client.get("/me/listings").status_code == 200
    revoke_api_key(key=key)
    assert client.get("/me/listings").status_code == 401
    _, raw = create_api_key(user=user, name="fresh", scopes=[Scope.ACCOUNT_READ])
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert ApiClient(key=raw).get("/me/listings").status_code == 401


def test_last_use_is_written_at_most_once_a_minute(user: User, time_machine: Any) -> None:
    key, raw = create_api_key(user=user, name="ci", scopes=[Scope.ACCOUNT_READ])
    resolve_bearer(raw, Audience.REST)
    first = ApiKey.objects.get(pk=key.pk).last_used_at
    resolve_bearer(raw, Audience.REST)
    assert ApiKey.objects.get(pk=key.pk).last_used_at == first
    time_machine.move_to(timezone.now() + timedelta(minutes=2))
    resolve_bearer(raw, Audience.REST)
    assert ApiKey.objects.get(pk=key.pk).last_used_at != first


def test_one_query_finds_a_credential(user: User, django_assert_num_queries: Any) -> None:
    _, raw = create_api_key(user=user, name="ci", scopes=[Scope.ACCOUNT_READ])
    resolve_bearer(raw, Audience.REST)
    with django_assert_num_queries(1):
        resolve_bearer(raw, Audience.REST)
