"""The pages of signing in as strangers call them: odd methods, odd fields, no session."""

import re
from typing import Any

import pytest
from django.test import Client

from apps.accounts.sign_in.urls import urlpatterns
from apps.sites.models import Site
from tests.accounts.people import prove_again, sign_in
from tests.browsing import browser
from tests.factories import UserFactory

pytestmark = pytest.mark.db

PATHS = [re.sub(r"<int:\w+>", "99999999999999999999", str(pattern.pattern)) for pattern in urlpatterns]
ODD = [
    "",
    "\x00",
    "\ud800".encode("utf-8", "surrogatepass"),
    "🐈" * 2000,
    "[]",
    "http://[::1",
    "%00",
    "../..",
    "a" * 70_000,
]
FIELDS = ("login", "email", "password", "password1", "oldpassword", "code", "credential", "name", "action", "next")


@pytest.fixture(params=["anonymous", "signed in", "proven"])
def person(request: pytest.FixtureRequest, site: Site) -> Client:
    client = browser()
    if request.param != "anonymous":
        sign_in(client, UserFactory.create().email)
    if request.param == "proven":
        prove_again(client)
    client.raise_request_exception = False
    return client


@pytest.mark.parametrize("path", PATHS)
def test_no_method_is_an_error_of_ours(person: Client, path: str) -> None:
    for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"):
        answer = person.generic(method, f"/{path}", b"x" * 20, content_type="text/plain")
        assert answer.status_code < 500, (method, path)


@pytest.mark.slow
# Who has proven who they are reaches whatever the signed in reach.
@pytest.mark.parametrize("person", ["anonymous", "proven"], indirect=True)
@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
def test_no_field_is_an_error_of_ours(person: Client, odd: Any) -> None:
    for path in PATHS:
        if "sign-out" in path:
            continue
        answer = person.post(f"/{path}", dict.fromkeys(FIELDS, odd) | {"action_add": "1"})
        assert answer.status_code < 500, path
        answer = person.get(f"/{path}", {"next": odd, "email": odd})
        assert answer.status_code < 500, path


def test_password_managers_find_the_page(site: Site) -> None:
    assert browser().get("/.well-known/change-password")["Location"] == "/account/password"
