"""What templates know about notifications."""

from functools import cache
from typing import Any

from django.http import HttpRequest

from apps.notifications.inbox import count_unread


def notifications(request: HttpRequest) -> dict[str, Any]:
    """Add the number of unread notifications, which is only counted when a template of a signed-in person uses it."""

    @cache
    def unread_notifications() -> int:
        return count_unread(request.user) if request.user.is_authenticated else 0

    return {"unread_notifications": unread_notifications}
