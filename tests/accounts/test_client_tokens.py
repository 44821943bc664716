"""Access tokens of OAuth clients, as the API resolves them."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from oauth2_provider.models import get_access_token_model

from apps.accounts.api_keys.credentials import resolve_bearer
from apps.accounts.models import Application, Connection, User
from apps.core.api.scopes import Scope
from tests.factories import ApplicationFactory, UserFactory, access_token

pytestmark = pytest.mark.db

ORIGIN = "http://testserver.localhost"
REST, MCP = f"{ORIGIN}/api/v1", f"{ORIGIN}/mcp"


@pytest.fixture
def user(db: None) -> User:
    return UserFactory.create()


def test_a_token_resolves_to_its_account_scopes_and_client(user: User) -> None:
    application = ApplicationFactory.create(name="Helper")
    result = resolve_bearer(access_token(user, application=application, resource=MCP, scopes=[Scope.ACCOUNT_READ]), MCP)
    assert result is not None
    assert (result.user, result.scopes, result.name) == (
        user,
        frozenset({"account:read"}),
        "Unverified app on your computer",
    )


@pytest.mark.parametrize(
    "elsewhere", [REST, "/mcp", "http://other.localhost/mcp", f"{MCP}/", "https://testserver.localhost/mcp"]
)
def test_a_token_is_good_at_its_own_resource_alone(elsewhere: str, user: User) -> None:
    raw = access_token(user, resource=MCP)
    assert resolve_bearer(raw, MCP) is not None
    assert resolve_bearer(raw, elsewhere) is None


def test_what_ends_a_token_ends_it_at_once(user: User) -> None:
    def is_good() -> bool:
        return resolve_bearer(raw, MCP) is not None

    raw = access_token(user, resource=MCP)
    for model, change, back in (
        (User, {"is_active": False}, {"is_active": True}),
        (Application, {"is_active": False}, {"is_active": True}),
        (get_access_token_model(), {"expires": timezone.now()}, {"expires": timezone.now() + timedelta(hours=1)}),
    ):
        model.objects.update(**change)
        assert not is_good()
        model.objects.update(**back)
        assert is_good()
    get_access_token_model().objects.all().delete()
    assert not is_good()


def test_a_token_without_key_and_client_is_none(user: User) -> None:
    raw = access_token(user, resource="/mcp")
    get_access_token_model().objects.update(application=None)
    assert resolve_bearer(raw, MCP) is None


def test_one_query_finds_a_token(user: User, django_assert_num_queries: Any) -> None:
    raw = access_token(user, resource=MCP)
    resolve_bearer(raw, MCP)
    with django_assert_num_queries(1):
        result = resolve_bearer(raw, MCP)
        assert result is not None
        assert (result.user.email, result.name) == (user.email, "Unverified app on your computer")
    with django_assert_num_queries(1):
        assert resolve_bearer("slat_unknown", MCP) is None


def test_the_last_use_of_a_connection_is_written_at_most_once_a_minute(user: User, time_machine: Any) -> None:
    application = ApplicationFactory.create()
    tokens = [access_token(user, application=application, resource=MCP) for _ in range(2)]
    other = access_token(UserFactory.create(), application=application, resource=MCP)

    def last_use() -> Any:
        return Connection.objects.get(user=user).last_used_at

    resolve_bearer(other, MCP)
    assert last_use() is None
    resolve_bearer(tokens[0], MCP)
    first = last_use()
    assert first is not None
    resolve_bearer(tokens[1], MCP)
    assert last_use() == first
    time_machine.move_to(timezone.now() + timedelta(minutes=2))
    resolve_bearer(tokens[1], MCP)
    assert last_use() > first
