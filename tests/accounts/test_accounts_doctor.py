"""What `manage.py doctor` says of single sign-on."""

from typing import Any

import pytest
from django.contrib.auth.models import Group

from apps.core.doctor import examinations as doctor
from tests.identity_server import IdentityServer

pytestmark = pytest.mark.db


def problems() -> list[str]:
    examination = doctor.examinations()["single sign-on"]
    [(_, findings)] = doctor.examine({"single sign-on": examination})
    return [finding.problem for finding in findings]


def test_a_server_that_answers_is_fine(server: IdentityServer) -> None:
    assert problems() == []


def test_one_that_is_out(server: IdentityServer) -> None:
    server.fail_with = (500, 1)
    [problem] = problems()
    assert server.url in problem


def test_one_with_another_name(server: IdentityServer, settings: Any) -> None:
    [app] = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"]
    app["settings"]["server_url"] = server.url.replace("127.0.0.1", "localhost")
    [problem] = problems()
    assert problem.endswith(f"{server.url}.")


@pytest.mark.usefixtures("site")
def test_groups_that_are_missing(settings: Any) -> None:
    settings.OIDC_GROUPS = {"mods": "Moderators"}
    [problem] = problems()
    assert "Moderators" in problem
    Group.objects.create(name="Moderators")
    assert problems() == []
