"""Pages for email settings and unsubscribing by link."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_http_methods

from apps.accounts.actors import account_of, actor_of
from apps.accounts.models import NotificationKind, User
from apps.accounts.notifications import services
from apps.core.email.unsubscribe import UnsubscribePage, Unsubscribing
from apps.sites.requests import SiteHttpRequest

SHOWN_FOLLOWS = 10


class EmailNotificationsForm(forms.Form):
    """Which emails to get. None is a valid choice."""

    email_notifications = forms.MultipleChoiceField(
        label="Email notifications",
        choices=NotificationKind.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def notifications(request: SiteHttpRequest) -> HttpResponse:
    """Show and save which emails the account gets, what it follows, and its newsletter subscription."""
    account = account_of(request)
    # Not `or None`: an empty choice is valid and sends only the form's token.
    sent = request.POST if request.method == "POST" else None
    form = EmailNotificationsForm(sent, initial={"email_notifications": account.email_notifications})
    if form.is_valid():
        services.set_email_notifications(kinds=form.cleaned_data["email_notifications"], by=actor_of(request))
        messages.success(request, "Preferences saved")
        return redirect("notifications")
    follows = account.follows.select_related("listing__company", "listing__site").order_by("-created_at", "-pk")
    context = {
        "form": form,
        "kinds": _kinds(form),
        "follows": [_followed(follow, request) for follow in follows[:SHOWN_FOLLOWS]],
        "follow_count": follows.count(),
        "newsletters": [one.site.name for one in account.newsletter_subscriptions.select_related("site")],
        "is_subscribed": account.newsletter_subscriptions.filter(site=request.site).exists(),
    }
    return render(request, "accounts/notifications.html", context, status=422 if form.errors else 200)


def _unsubscribing(user_id: int, kind: NotificationKind) -> Unsubscribing:
    account = User.objects.filter(pk=user_id).first()
    done = "No more emails of this kind come to you. You can turn them on again in your settings."
    return Unsubscribing(
        title="Email notifications",
        is_subscribed=account is not None and kind in account.email_notifications,
        question="Stop these emails?",
        reason=format_html("<strong>{}.</strong> {}", kind.label, services.TEXTS[kind]),
        done_title="These emails have stopped",
        done=format_html("<strong>{}.</strong> {}", kind.label, done),
        links=[("Choose which emails you get", reverse("notifications"))],
    )


UNSUBSCRIBE_PAGE = UnsubscribePage(
    services.UNSUBSCRIBE_LINK,
    stop=lambda user_id, kind: services.stop_emails(user_id=user_id, kind=kind),
    text=_unsubscribing,
)


def _kinds(form: EmailNotificationsForm) -> list[dict[str, Any]]:
    chosen = set(form["email_notifications"].value() or [])
    return [
        {"value": kind.value, "label": kind.label, "text": services.TEXTS[kind], "is_chosen": kind in chosen}
        for kind in NotificationKind
    ]


def _followed(follow: Any, request: SiteHttpRequest) -> dict[str, Any]:
    listing = follow.listing
    is_here = listing.site_id == request.site.pk
    return {
        "id": follow.pk,
        "name": listing.company.name,
        "slug": listing.slug,
        "logo_url": listing.company.logo_url,
        "page_url": listing.page_url if listing.status == listing.Status.LIVE else "",
        "site_name": "" if is_here else listing.site.name,
    }
