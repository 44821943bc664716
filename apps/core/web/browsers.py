"""Django's middlewares for people in browsers, which let the API's requests pass.

The API reads no cookie, so it needs no session, no form token and no messages, which would cost a list a twentieth of
its time.
"""

from typing import Any

from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware
from django.utils.deprecation import MiddlewareMixin

_API = "/api/"


class _NotForApi(MiddlewareMixin):
    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        call: Any = self.get_response if request.path_info.startswith(_API) else super().__call__
        response: HttpResponseBase = call(request)
        return response


class BrowserSessions(_NotForApi, SessionMiddleware):
    """Sessions, by a cookie."""


class BrowserForms(_NotForApi, CsrfViewMiddleware):
    """Form tokens. Views of the API ask for none."""


class BrowserMessages(_NotForApi, MessageMiddleware):
    """Messages for the next page."""


class BrowserUsers(_NotForApi, AuthenticationMiddleware):
    """The account of a session. In the API, it is the credential's."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        request.user = AnonymousUser()
        return super().__call__(request)
