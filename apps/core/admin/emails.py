"""What the admin's list of outgoing mails adds to a list: where each stands, and another try."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.core.email import outbox
from apps.core.models import OutgoingMail


class MailState(admin.SimpleListFilter):
    """Without a choice, the mails that have not left."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("waiting", "Waiting"), ("given_up", "Given up"), ("sent", "Sent"), ("all", "All")]

    def choices(self, changelist: Any) -> Any:
        first, *others = super().choices(changelist)
        yield {**first, "display": "Not sent"}
        yield from others

    def queryset(self, request: HttpRequest, queryset: QuerySet[OutgoingMail]) -> QuerySet[OutgoingMail]:
        match self.value():
            case "waiting":
                return queryset.filter(sent_at__isnull=True, failed_at__isnull=True)
            case "given_up":
                return queryset.filter(failed_at__isnull=False)
            case "sent":
                return queryset.filter(sent_at__isnull=False)
            case "all":
                return queryset
        return queryset.filter(sent_at__isnull=True)


class RetriesMails:
    """The action of a page that changes nothing itself: its permission to change stands for it."""

    actions = ("try_again",)

    def has_retry_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("core.change_outgoingmail"))

    @admin.action(description="Try again", permissions=["retry"])
    def try_again(self: Any, request: HttpRequest, queryset: QuerySet[OutgoingMail]) -> None:
        """Have what waits or was given up tried at once; mails that have left stay as they are."""
        count = outbox.try_again(queryset)
        self.message_user(request, f"Tried again: {count}.", messages.SUCCESS)
