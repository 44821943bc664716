"""Sessions and messages are for pages. Requests to the API pass without them."""

from collections.abc import Callable

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.urls import reverse
from django.utils.module_loading import import_string

from tests.api import ApiClient
from tests.browsing import signed_in

BROWSERS = [name for name in settings.MIDDLEWARE if ".sessions.Browser" in name]


def seen_at(path: str) -> HttpRequest:
    """The request as its view gets it."""
    seen: list[HttpRequest] = []

    def view(request: HttpRequest) -> HttpResponse:
        seen.append(request)
        return HttpResponse()

    handler: Callable[[HttpRequest], HttpResponse] = view
    for name in reversed(BROWSERS):
        handler = import_string(name)(handler)
    handler(RequestFactory().get(path))
    return seen[0]


@pytest.mark.unit
def test_a_request_to_the_api_has_neither_a_session_nor_messages() -> None:
    assert len(BROWSERS) == 3
    asked = seen_at("/api/v1/listings")
    assert not any(hasattr(asked, name) for name in ("session", "_messages"))
    assert isinstance(asked.user, AnonymousUser)
    page = seen_at("/search")
    assert all(hasattr(page, name) for name in ("session", "_messages", "user"))


@pytest.mark.django_db
def test_a_session_is_no_credential_of_the_api(owner: ApiClient) -> None:
    session = signed_in(owner.account)
    assert session.get(reverse("dashboard")).status_code == 200
    assert session.get("/api/v1/me/listings").status_code == 401
