"""What `manage.py doctor` says of single sign-on."""

from typing import Any

import pytest
from django.contrib.auth.models import Group

from tests.doctor import problems
from tests.identity_server import IdentityServer

pytestmark = pytest.mark.db


def test_a_server_that_answers_is_fine(server: IdentityServer) -> None:
    assert problems("single sign-on") == []


def test_one_that_is_out(server: IdentityServer) -> None:
    server.fail_with = (500, 1)
    [problem] = problems("single sign-on")
    assert server.url in problem


def test_one_with_another_name(server: IdentityServer, settings: Any) -> None:
    [app] = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"]
    app["settings"]["server_url"] = server.url.replace("127.0.0.1", "localhost")
    [problem] = problems("single sign-on")
    assert problem.endswith(f"{server.url}.")


@pytest.mark.usefixtures("site")
def test_groups_that_are_missing(settings: Any) -> None:
    settings.OIDC_GROUPS = {"mods": "Moderators"}
    [problem] = problems("single sign-on")
    assert "Moderators" in problem
    Group.objects.create(name="Moderators")
    assert problems("single sign-on") == []
