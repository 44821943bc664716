"""Sessions of browsers: give pages one, track when they were last used, and delete expired ones.

The API reads no cookie. Its requests pass without a session and messages, which would cost a list a twentieth of its
time.
"""

import logging
from datetime import timedelta
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.middleware import SessionMiddleware
from django.contrib.sessions.models import Session
from django.db import DatabaseError
from django.db.models import Exists, OuterRef
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin

from apps.core.request.outages import outage_behind

logger = logging.getLogger(__name__)
_API = "/api/"


class _NotForApi(MiddlewareMixin):
    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        call: Any = self.get_response if request.path_info.startswith(_API) else super().__call__
        response: HttpResponseBase = call(request)
        return response


class BrowserSessionMiddleware(_NotForApi, SessionMiddleware):
    """Sessions, by a cookie."""


class BrowserMessageMiddleware(_NotForApi, MessageMiddleware):
    """Messages for the next page."""


class BrowserUserMiddleware(_NotForApi, AuthenticationMiddleware):
    """The account of a session. In the API, it is the credential's."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        request.user = AnonymousUser()
        return super().__call__(request)


def delete_expired_sessions() -> None:
    """Delete expired sessions, including visitors', and records of deleted ones."""
    SessionStore.clear_expired()
    is_there = Exists(Session.objects.filter(session_key=OuterRef("session_key")))
    UserSession.objects.exclude(is_there).delete()


_STEP = timedelta(minutes=1)


class SessionActivityMiddleware(_NotForApi):
    """Record when and from where a session was last used, at most once a minute.

    Pages stay readable while the database accepts no writes, as on a full disk.
    """

    def process_request(self, request: HttpRequest) -> None:
        if request.session.session_key and request.user.is_authenticated and not _is_fresh(request):
            try:
                UserSession.objects.create_from_request(request)
            except DatabaseError as error:
                if outage_behind(error) is None:
                    raise
                logger.warning("session activity not recorded: %s", error)


def _is_fresh(request: HttpRequest) -> bool:
    seen = UserSession.objects.filter(
        session_key=request.session.session_key,
        user=request.user,
        ip=get_adapter().get_client_ip(request),
        last_seen_at__gt=timezone.now() - _STEP,
    )
    return bool(seen.exists())
