"""Webhooks in the admin: those of a site, with all its accounts' events, and the log of all."""

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from unfold.paginator import InfinitePaginator
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from apps.core.admin.base import ModelAdmin, ReadOnly, TabularInline, labelled
from apps.core.admin.decisions import Decides, Decision
from apps.core.errors import DomainError
from apps.events.types import GROUPS
from apps.sites.models import Site
from apps.webhooks import services
from apps.webhooks.models import Attempt, Delivery, Endpoint

# In the admin's sidebar: by group, each model with the name of its rows and a Material symbol.
SIDEBAR = {
    "Site": (
        ("webhooks.Endpoint", "Webhooks", "webhook"),
        ("webhooks.Delivery", "Webhook deliveries", "outbound"),
    ),
}

_COLORS = {"active": "success", "delivered": "success", "disabled": "danger", "failing": "danger", "failed": "danger"}


class SiteEndpointForm(forms.ModelForm[Endpoint]):
    """A site's endpoint, with the same rules as an account's."""

    types = forms.MultipleChoiceField(
        required=False,
        choices=[(group, group.replace("_", " ").capitalize()) for group in sorted(GROUPS)],
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        help_text="None for all.",
    )

    class Meta:
        model = Endpoint
        fields = ("site", "name", "url", "types", "format", "signature", "status")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "site" in self.fields:
            self.fields["site"].required = True
            self.fields["site"].initial = Site.objects.order_by("pk").first()

    def clean_url(self) -> str:
        try:
            return services.clean_url(self.cleaned_data["url"])
        except DomainError as error:
            raise forms.ValidationError(error.detail, code=error.error_code) from None


def _set_active(*, is_active: bool) -> Callable[[Endpoint, Mapping[str, Any], HttpRequest], object]:
    return lambda endpoint, values, request: services.update_webhook_endpoint(endpoint=endpoint, is_active=is_active)


PAUSE = Decision(
    title="Pause",
    explanation=["Nothing is sent to the endpoints, also to those of accounts, until they are resumed."],
    done="Paused",
    decide=_set_active(is_active=False),
    effects=lambda endpoint: [endpoint.host],
)
RESUME = Decision(
    title="Resume",
    explanation=["Events are sent to the endpoints again, beginning with what they missed."],
    done="Resumed",
    decide=_set_active(is_active=True),
    effects=lambda endpoint: [endpoint.host],
)
SEND_TEST = Decision(
    title="Send a test",
    explanation=["Each endpoint of a site gets a test. See its deliveries for the answer."],
    done="Tests sent",
    decide=lambda endpoint, values, request: services.send_webhook_test(endpoint=endpoint),
    why_not=lambda endpoint: "Belongs to an account." if endpoint.account_id else "",
    effects=lambda endpoint: [endpoint.host],
)
ROTATE = Decision(
    title="Rotate the secret",
    explanation=["The next page shows the new secret once. For a day, requests are signed with the old one as well."],
    done="Secrets rotated",
    decide=lambda endpoint, values, request: services.rotate_webhook_secret(endpoint=endpoint),
    effects=lambda endpoint: [endpoint.host],
    is_dangerous=True,
)
SEND_AGAIN = Decision(
    title="Send again",
    explanation=["The endpoints get the same events again."],
    done="Sent again",
    decide=lambda delivery, values, request: services.redeliver_webhook(delivery=delivery),
    why_not=lambda delivery: "" if delivery.event_id else "The event is no longer kept.",
    effects=lambda delivery: [f"To {delivery.endpoint}"],
)


@admin.register(Endpoint)
class EndpointAdmin(Decides, ModelAdmin):
    """Site admins add and change endpoints of sites. Those of accounts are shown without their URLs."""

    form = SiteEndpointForm
    list_display = ("shown_name", "host", "account", "site", "shown_status", "format", "failing_since")
    list_filter = ("status", "site", "format")
    list_select_related = ("account", "site")
    search_fields = ("name", "account__email")
    actions = ("pause", "resume", "send_test", "rotate_secret")
    # Deleting takes its log along, which can be long.
    show_full_result_count = False

    @admin.display(description="name", ordering="name")
    def shown_name(self, endpoint: Endpoint) -> str:
        return str(endpoint)

    @labelled(description="status", ordering="status", colors=_COLORS)
    def shown_status(self, endpoint: Endpoint) -> str:
        return "failing" if endpoint.is_failing else endpoint.status

    def get_fields(self, request: HttpRequest, obj: Endpoint | None = None) -> tuple[str, ...]:
        if obj is None:
            return ("site", "name", "url", "types", "format", "signature")
        if obj.account_id:
            return ("account", "name", "host", "types", "format", "signature", "status", "failing_since", "created_at")
        return ("site", "name", "url", "types", "format", "signature", "public_key", "status", "failing_since")

    def get_readonly_fields(self, request: HttpRequest, obj: Endpoint | None = None) -> tuple[str, ...]:
        own = ("host", "account", "public_key", "failing_since", "created_at")
        return own if obj is None else ("site", "signature", *own)

    def has_change_permission(self, request: HttpRequest, obj: Endpoint | None = None) -> bool:
        return (obj is None or obj.account_id is None) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Endpoint | None = None) -> bool:
        return (obj is None or obj.account_id is None) and super().has_delete_permission(request, obj)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        return {name: result for name, result in super().get_actions(request).items() if name != "delete_selected"}

    def save_model(self, request: HttpRequest, obj: Endpoint, form: Any, change: bool) -> None:
        if not change:
            request.webhook_secret = services.start_endpoint(obj)  # type: ignore[attr-defined]  # only response_add reads it
            return
        services.update_webhook_endpoint(
            endpoint=obj,
            url=obj.url,
            types=obj.types,
            format_=obj.format,
            name=obj.name,
            is_active=obj.is_active if "status" in form.changed_data else None,
        )

    def delete_model(self, request: HttpRequest, obj: Endpoint) -> None:
        services.delete_webhook_endpoint(endpoint=obj)

    def response_add(self, request: HttpRequest, obj: Endpoint, post_url_continue: str | None = None) -> HttpResponse:
        return self._show_once(request, obj, request.webhook_secret)  # type: ignore[attr-defined]  # from save_model

    @admin.action(description="Pause", permissions=["change"])
    def pause(self, request: HttpRequest, queryset: QuerySet[Endpoint]) -> HttpResponse:
        """Stop sending to the chosen endpoints, also to those of accounts."""
        return self.ask(request, queryset, PAUSE, back=request.get_full_path())

    @admin.action(description="Resume", permissions=["change"])
    def resume(self, request: HttpRequest, queryset: QuerySet[Endpoint]) -> HttpResponse:
        """Send to the chosen endpoints again, beginning with what they missed."""
        return self.ask(request, queryset, RESUME, back=request.get_full_path())

    @admin.action(description="Send a test", permissions=["change"])
    def send_test(self, request: HttpRequest, queryset: QuerySet[Endpoint]) -> HttpResponse:
        """Send a test to each chosen endpoint of a site."""
        return self.ask(request, queryset, SEND_TEST, back=request.get_full_path())

    @admin.action(description="Rotate the secret", permissions=["change"])
    def rotate_secret(self, request: HttpRequest, queryset: QuerySet[Endpoint]) -> HttpResponse | None:
        """Rotate the secret of one endpoint of a site, and show the new one."""
        result = queryset.filter(account=None)
        if result.count() != 1:
            self.message_user(request, "Choose one endpoint of a site.", messages.ERROR)
            return None
        if "confirmed" not in request.POST:
            return self.ask(request, result, ROTATE, back=request.get_full_path())
        try:
            return self._show_once(request, *services.rotate_webhook_secret(endpoint=result.get()))
        except DomainError as error:
            self.message_user(request, error.detail, messages.ERROR)
            return None

    def _show_once(self, request: HttpRequest, endpoint: Endpoint, secret: str) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": f"Secret of {endpoint}",
            "endpoint": endpoint,
            "secret": secret,
            "opts": self.opts,
        }
        return TemplateResponse(request, "admin/webhooks/secret.html", context)


class AttemptInline(ReadOnly, TabularInline):
    model = Attempt
    fields = ("at", "status_code", "error", "elapsed_ms")


@admin.register(Delivery)
class DeliveryAdmin(Decides, ReadOnly, ModelAdmin):
    """The log of deliveries. What endpoints of accounts answered is only theirs to read."""

    list_display = ("created_at", "type", "object_key", "endpoint", "shown_status", "attempts_made", "done_at")
    list_filter = ("status", "endpoint__site")
    list_select_related = ("endpoint",)
    search_fields = ("=type", "=object_key", "endpoint__account__email")
    # Counting all of them takes longer than showing a page.
    paginator = InfinitePaginator
    show_full_result_count = False
    fields = ("endpoint", "type", "seq", "object_key", "status", "attempts_made", "next_at", "created_at", "done_at")
    inlines = (AttemptInline,)
    actions = ("send_again",)

    @labelled(description="status", ordering="status", colors=_COLORS)
    def shown_status(self, delivery: Delivery) -> str:
        return str(delivery.status)

    def has_resend_permission(self, request: HttpRequest) -> bool:
        """Return whether the person may have deliveries sent again, although they are read-only."""
        return request.user.has_perm("webhooks.change_delivery")

    @admin.action(description="Send again", permissions=["resend"])
    def send_again(self, request: HttpRequest, queryset: QuerySet[Delivery]) -> HttpResponse:
        """Send the chosen deliveries again."""
        return self.ask(request, queryset.select_related("endpoint"), SEND_AGAIN, back=request.get_full_path())
