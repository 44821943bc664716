"""Track when sessions were last used, and delete expired ones."""

from datetime import timedelta

from allauth.account.adapter import get_adapter
from allauth.usersessions.middleware import UserSessionsMiddleware
from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.utils import timezone


def delete_expired_sessions() -> None:
    """Delete expired sessions, including visitors', and records of deleted ones."""
    SessionStore.clear_expired()
    is_there = Exists(Session.objects.filter(session_key=OuterRef("session_key")))
    UserSession.objects.exclude(is_there).delete()


_STEP = timedelta(minutes=1)


class SessionActivityMiddleware(UserSessionsMiddleware):  # type: ignore[misc]  # allauth is untyped
    """Record when and from where a session was last used, at most once a minute."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.session.session_key and request.user.is_authenticated and _is_fresh(request):
            response: HttpResponse = self.get_response(request)
        else:
            response = super().__call__(request)
        return response


def _is_fresh(request: HttpRequest) -> bool:
    seen = UserSession.objects.filter(
        session_key=request.session.session_key,
        user=request.user,
        ip=get_adapter().get_client_ip(request),
        last_seen_at__gt=timezone.now() - _STEP,
    )
    return bool(seen.exists())
