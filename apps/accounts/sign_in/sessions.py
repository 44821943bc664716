"""Sessions that are over."""

from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef


def delete_expired_sessions() -> None:
    """Remove sessions past their time, those of visitors too, and what was noted of sessions that are gone."""
    SessionStore.clear_expired()
    is_there = Exists(Session.objects.filter(session_key=OuterRef("session_key")))
    UserSession.objects.exclude(is_there).delete()
