"""Outgoing emails in the admin: their status, and sending them again."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, ClassVar, cast

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from apps.core.admin.base import ModelAdmin, ReadOnly, StatusFilter
from apps.core.admin.decisions import Decides, Decision
from apps.core.admin.metrics import Need, register_needs
from apps.core.email import outbox
from apps.core.models import OutgoingEmail


class EmailFilter(StatusFilter):
    statuses: ClassVar = {
        "unsent": ("Not sent", Q(sent_at__isnull=True)),
        "waiting": ("Waiting", Q(sent_at__isnull=True, failed_at__isnull=True)),
        "given_up": ("Failed", Q(failed_at__isnull=False)),
        "sent": ("Sent", Q(sent_at__isnull=False)),
    }


def _retry(email: OutgoingEmail, values: Mapping[str, Any], request: HttpRequest) -> int:
    return outbox.try_again(OutgoingEmail.objects.filter(pk=email.pk))


RETRY = Decision(
    title="Try again",
    explanation=["The emails are sent now."],
    done="Emails retried",
    decide=_retry,
    why_not=lambda email: "Already sent." if email.sent_at else "",
    effects=lambda email: [f"To {email.to}"],
)


class RetriesEmails(Decides):
    """Retrying needs the permission to change emails, although the page is read-only."""

    actions = ("try_again",)

    def has_retry_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("core.change_outgoingemail"))

    @admin.action(description="Try again", permissions=["retry"])
    def try_again(self: Any, request: HttpRequest, queryset: QuerySet[OutgoingEmail]) -> HttpResponse:
        """Sends waiting and failed emails now. Skips sent ones."""
        return cast("HttpResponse", self.ask(request, queryset, RETRY, back=request.get_full_path()))


# An email is sent within seconds. After this time, the worker or the email server is down.
LATE_AFTER = timedelta(minutes=15)


def _given_up(emails: QuerySet[OutgoingEmail]) -> QuerySet[OutgoingEmail]:
    return emails.filter(failed_at__isnull=False)


def _late(emails: QuerySet[OutgoingEmail]) -> QuerySet[OutgoingEmail]:
    return emails.filter(sent_at__isnull=True, failed_at__isnull=True, created_at__lt=timezone.now() - LATE_AFTER)


register_needs(
    Need(
        key="given_up",
        title="Failed emails",
        hint="Check the email server's error, then retry.",
        model=OutgoingEmail,
        rows=_given_up,
    ),
    Need(
        key="late",
        title="Delayed emails",
        hint="The worker or email server may be down.",
        model=OutgoingEmail,
        rows=_late,
        urgency="now",
    ),
)


@admin.register(OutgoingEmail)
class OutgoingEmailAdmin(RetriesEmails, ReadOnly, ModelAdmin):
    """Outgoing emails with their status. Their contents are not shown, because they belong to the recipients."""

    list_display = ("subject", "to", "site_name", "created_at", "attempts", "sent_at", "failed_at")
    list_filter = (EmailFilter,)
    search_fields = ("to", "subject")
    # The text and the headers may hold links that act for the reader.
    fields = (
        "subject",
        "to",
        "site_name",
        "key",
        "created_at",
        "send_at",
        "attempts",
        "last_error",
        "sent_at",
        "failed_at",
    )
