"""The site team's way out for money that needs a look, as actions of admin lists."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.accounts.models import User
from apps.accounts.requests import account_of
from apps.core.errors import DomainError

Decide = Callable[[Any, User], object]


class ReviewActions:
    """Two actions for an admin page, whose class says what accepting and sending back do to one of its rows."""

    actions = ("accept_as_it_is", "refund_payment")

    def accept(self, row: Any, by: User) -> None:
        raise NotImplementedError

    def send_back(self, row: Any, by: User) -> None:
        raise NotImplementedError

    def has_review_permission(self: Any, request: HttpRequest) -> bool:
        """The page itself changes nothing, so that its own permission to change stands for these decisions."""
        return bool(request.user.has_perm(f"{self.opts.app_label}.change_{self.opts.model_name}"))

    @admin.action(description="Accept the payment as it is", permissions=["review"])
    def accept_as_it_is(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        self._decide(request, queryset, self.accept, "Accept the payment as it is", "Accepted")

    @admin.action(description="Refund the payment", permissions=["review"])
    def refund_payment(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        self._decide(request, queryset, self.send_back, "Refund the payment", "Sent back")

    def _decide(
        self: Any, request: HttpRequest, queryset: QuerySet[Any], decide: Decide, title: str, done_text: str
    ) -> None:
        done = 0
        for row in queryset.order_by("pk"):
            try:
                decide(row, account_of(request))
            except DomainError as error:
                self.message_user(request, f"{row}: {error.detail}", messages.ERROR)
            else:
                self.log_change(request, row, f"{title}.")
                done += 1
        if done:
            self.message_user(request, f"{done_text}: {done}.", messages.SUCCESS)
