"""The notification center, and the page for choosing notifications."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.accounts.actors import account_of, actor_of
from apps.accounts.models import NotificationKind
from apps.accounts.models.users import EMAIL_KINDS, IN_APP_KINDS
from apps.accounts.notifications import services
from apps.core.text.dates import date_text
from apps.listings.services.followers import followed_by
from apps.listings.views.updates import followed_rows
from apps.notifications.digest import set_digest_hour
from apps.notifications.inbox import Notification, Position, list_notifications, mark_read
from apps.notifications.models import DEFAULT_HOUR, Digest
from apps.sites.requests import SiteHttpRequest

SHOWN_FOLLOWS = 10
_ICONS = {
    NotificationKind.LAUNCHES: "rocket",
    NotificationKind.BADGES: "badge-check",
    NotificationKind.ORDERS: "receipt",
    NotificationKind.REVIEWS: "shield",
    NotificationKind.DRAFTS: "file-text",
    NotificationKind.STORIES: "quote",
    NotificationKind.COMMENTS: "message-circle",
    NotificationKind.FOLLOWED: "megaphone",
}


@login_required
@require_safe
def notifications(request: SiteHttpRequest) -> HttpResponse:
    """Show what happened, newest first, by day."""
    before = request.GET.get("before")
    page = list_notifications(account_of(request), before=_position(before) if before else None)
    context = {
        "days": _days(page.items),
        "newest": "" if before else page.newest,
        "older_url": f"{reverse('notifications')}?before={page.older}" if page.older else "",
        "is_first": not before,
    }
    return render(request, "notifications/list.html", context)


@login_required
@require_POST
def mark_notifications_read(request: SiteHttpRequest) -> HttpResponse:
    """Mark everything up to the newest that the page showed as read."""
    mark_read(account_of(request), through=_position(request.POST.get("through", "")))
    return redirect("notifications")


class SettingsForm(forms.Form):
    """What to show, and what to email. Nothing is a valid choice."""

    in_app = forms.MultipleChoiceField(
        choices=[(kind.value, kind.label) for kind in IN_APP_KINDS], required=False, label="In the app"
    )
    email = forms.MultipleChoiceField(
        choices=[(kind.value, kind.label) for kind in EMAIL_KINDS], required=False, label="Email"
    )
    hour = forms.TypedChoiceField(
        choices=[(hour, f"{hour:02d}:00 UTC") for hour in range(24)],
        coerce=int,
        label="Time of the daily digest",
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def notification_settings(request: SiteHttpRequest) -> HttpResponse:
    """Show and save which notifications the account gets, what it follows, and its newsletter subscription."""
    account = account_of(request)
    digest = Digest.objects.filter(account=account).first()
    # Not `or None`: an empty choice is valid and sends only the form's token.
    sent = request.POST if request.method == "POST" else None
    initial = {
        "in_app": account.in_app_notifications,
        "email": account.email_notifications,
        "hour": digest.hour if digest else DEFAULT_HOUR,
    }
    form = SettingsForm(sent, initial=initial)
    if form.is_valid():
        chosen = form.cleaned_data
        services.set_notifications(email=chosen["email"], in_app=chosen["in_app"], by=actor_of(request))
        set_digest_hour(account, chosen["hour"])
        messages.success(request, "Preferences saved")
        return redirect("notification_settings")
    follows = followed_by(account)
    context = {
        "form": form,
        "kinds": _kinds(form, IN_APP_KINDS),
        "summaries": _kinds(form, [kind for kind in EMAIL_KINDS if kind not in IN_APP_KINDS]),
        "follows": followed_rows(follows[:SHOWN_FOLLOWS], site=request.site),
        "follow_count": follows.count(),
        "newsletters": [one.site.name for one in account.newsletter_subscriptions.select_related("site")],
        "is_subscribed": account.newsletter_subscriptions.filter(site=request.site).exists(),
    }
    return render(request, "notifications/settings.html", context, status=422 if form.errors else 200)


def _position(text: str) -> Position:
    try:
        return Position.parse(text)
    except ValueError:
        raise Http404 from None


def _days(items: Sequence[Notification]) -> list[dict[str, Any]]:
    today = timezone.now().date()
    names = {0: "Today", 1: "Yesterday"}
    return [
        {
            "title": names.get((today - day).days, date_text(day)),
            "items": [{"icon": _ICONS[item.kind], "notification": item} for item in result],
        }
        for day, result in groupby(items, key=lambda item: item.at.date())
    ]


def _kinds(form: SettingsForm, kinds: Sequence[NotificationKind]) -> list[dict[str, Any]]:
    in_app, email = (set(form[name].value() or []) for name in ("in_app", "email"))
    return [
        {
            "value": kind.value,
            "label": kind.label,
            "text": services.TEXTS[kind],
            "is_in_app": kind in in_app,
            "is_emailed": kind in email,
            "email": "optional" if kind in EMAIL_KINDS else services.OTHER_EMAILS[kind],
        }
        for kind in kinds
    ]
