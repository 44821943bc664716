"""Environment variables of the providers that people sign in with."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import sign_in
from tests.config.production import in_production

OIDC = {"OIDC_ISSUER": "https://sso.example.com/", "OIDC_CLIENT_ID": "slipway", "OIDC_CLIENT_SECRET": "secret"}
GITHUB = {"GITHUB_CLIENT_ID": "id", "GITHUB_CLIENT_SECRET": "secret"}
GOOGLE = {"GOOGLE_CLIENT_ID": "id", "GOOGLE_CLIENT_SECRET": "secret"}


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*OIDC, *GITHUB, *GOOGLE, "OIDC_NAME", "OIDC_PAGE_ORIGIN", "GITHUB_URL"):
        monkeypatch.delenv(name, raising=False)


def use(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)


def test_without_variables_there_is_none() -> None:
    assert sign_in.providers() == {}


def test_each_has_its_own_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, OIDC | GITHUB | GOOGLE)
    result = sign_in.providers()
    assert {kind: about["PAGE_ORIGIN"] for kind, about in result.items()} == {
        "openid_connect": "https://sso.example.com",
        "github": "https://github.com",
        "google": "https://accounts.google.com",
    }
    [app] = result["openid_connect"]["APPS"]
    assert (app["provider_id"], app["settings"]["server_url"]) == ("oidc", "https://sso.example.com")
    assert "GITHUB_URL" not in result["github"]


def test_pages_and_enterprise_servers_may_be_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, OIDC | GITHUB | {"OIDC_PAGE_ORIGIN": "https://login.example.com", "OIDC_NAME": "Example"})
    use(monkeypatch, {"GITHUB_URL": "https://git.example.com/"})
    result = sign_in.providers()
    assert result["openid_connect"]["PAGE_ORIGIN"] == "https://login.example.com"
    assert result["openid_connect"]["APPS"][0]["name"] == "Example"
    assert (result["github"]["GITHUB_URL"], result["github"]["PAGE_ORIGIN"]) == ("https://git.example.com",) * 2


@pytest.mark.parametrize("missing", [*OIDC, *GITHUB, *GOOGLE])
def test_half_a_provider_is_refused(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    use(monkeypatch, {name: value for name, value in (OIDC | GITHUB | GOOGLE).items() if name != missing})
    with pytest.raises(ImproperlyConfigured, match=missing):
        sign_in.providers()


@pytest.mark.parametrize("issuer", ["http://sso.example.com", "sso.example.com", "ftp://sso.example.com"])
def test_identities_never_come_unencrypted(monkeypatch: pytest.MonkeyPatch, issuer: str) -> None:
    use(monkeypatch, OIDC | {"OIDC_ISSUER": issuer})
    with pytest.raises(ImproperlyConfigured, match="https"):
        sign_in.providers()


def test_groups_are_pairs() -> None:
    assert sign_in.groups(["mods=Moderators", " a b = Sales team "]) == {"mods": "Moderators", "a b": "Sales team"}
    assert sign_in.groups([]) == {}


@pytest.mark.parametrize("item", ["mods", "mods=", "=Moderators", ""])
def test_half_a_pair_is_refused(item: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="OIDC_GROUPS"):
        sign_in.groups([item])


@pytest.mark.parametrize(("changes", "expected"), [({}, "True"), ({"STAFF_SECOND_FACTOR": "off"}, "False")])
def test_production_requires_a_second_factor_of_site_admins(changes: dict[str, str], expected: str) -> None:
    program = "from django.conf import settings; print(settings.STAFF_SECOND_FACTOR)"
    done = in_production("-c", program, DJANGO_SETTINGS_MODULE="config.settings", **changes)
    assert done.stdout.strip() == expected, done.stderr
