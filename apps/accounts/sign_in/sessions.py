"""Track when sessions were last used, and delete expired ones."""

import logging
from collections.abc import Callable
from datetime import timedelta

from allauth.account.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import DatabaseError
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from apps.core.request.outages import outage_behind

logger = logging.getLogger(__name__)


def delete_expired_sessions() -> None:
    """Delete expired sessions, including visitors', and records of deleted ones."""
    SessionStore.clear_expired()
    is_there = Exists(Session.objects.filter(session_key=OuterRef("session_key")))
    UserSession.objects.exclude(is_there).delete()


_STEP = timedelta(minutes=1)


class SessionActivityMiddleware:
    """Record when and from where a session was last used, at most once a minute.

    Pages stay readable while the database accepts no writes, as on a full disk.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # The API has none.
        session = getattr(request, "session", None)
        if session is not None and session.session_key and request.user.is_authenticated and not _is_fresh(request):
            try:
                UserSession.objects.create_from_request(request)
            except DatabaseError as error:
                if outage_behind(error) is None:
                    raise
                logger.warning("session activity not recorded: %s", error)
        return self.get_response(request)


def _is_fresh(request: HttpRequest) -> bool:
    seen = UserSession.objects.filter(
        session_key=request.session.session_key,
        user=request.user,
        ip=get_adapter().get_client_ip(request),
        last_seen_at__gt=timezone.now() - _STEP,
    )
    return bool(seen.exists())
