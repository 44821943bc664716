"""The page for unsubscribing by link."""

from django.urls import reverse
from django.utils.html import format_html

from apps.accounts.models import NotificationKind, User
from apps.accounts.notifications import services
from apps.core.email.unsubscribe import UnsubscribePage, Unsubscribing


def _unsubscribing(user_id: int, kind: NotificationKind) -> Unsubscribing:
    account = User.objects.filter(pk=user_id).first()
    done = "You won't get these emails any more. You can turn them on again in your settings."
    return Unsubscribing(
        title="Email notifications",
        is_subscribed=account is not None and kind in account.email_notifications,
        question="Stop these emails?",
        reason=format_html("<strong>{}.</strong> {}", kind.label, services.TEXTS[kind]),
        done_title="Unsubscribed",
        done=format_html("<strong>{}.</strong> {}", kind.label, done),
        links=[("Choose which emails you get", reverse("notification_settings"))],
    )


UNSUBSCRIBE_PAGE = UnsubscribePage(
    services.UNSUBSCRIBE_LINK,
    stop=lambda user_id, kind: services.stop_emails(user_id=user_id, kind=kind),
    text=_unsubscribing,
)
