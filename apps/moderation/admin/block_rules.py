"""Block lists: rules are tried on the last 30 days, then saved, and turned off and on."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from apps.blocklists.matching import normalized
from apps.blocklists.models import BlockRule
from apps.core.admin.base import ModelAdmin, labelled
from apps.core.admin.decisions import Decides, Decision
from apps.moderation.services import dry_run


class BlockRuleForm(forms.ModelForm[BlockRule]):
    """A new rule."""

    class Meta:
        model = BlockRule
        fields = ("kind", "value", "site", "note")
        help_texts: ClassVar = {"site": "Leave empty for all sites."}

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if cleaned.get("kind") and cleaned.get("value"):
            try:
                cleaned["value"] = normalized(cleaned["kind"], cleaned["value"])
            except forms.ValidationError as error:
                self.add_error("value", error)
        return cleaned


def _set_active(*, is_active: bool) -> Callable[[BlockRule, Mapping[str, Any], HttpRequest], None]:
    def decide(rule: BlockRule, values: Mapping[str, Any], request: HttpRequest) -> None:
        rule.is_active = is_active
        rule.save(update_fields=["is_active"])

    return decide


TURN_ON = Decision(
    title="Turn on",
    explanation=["New texts that match are held for review or refused."],
    done="Rules turned on",
    decide=_set_active(is_active=True),
    why_not=lambda rule: "Already on." if rule.is_active else "",
    effects=dry_run.lines,
)
TURN_OFF = Decision(
    title="Turn off",
    explanation=["New texts that match are published."],
    done="Rules turned off",
    decide=_set_active(is_active=False),
    why_not=lambda rule: "" if rule.is_active else "Already off.",
)


@admin.register(BlockRule)
class BlockRuleAdmin(Decides, ModelAdmin):
    form = BlockRuleForm
    list_display = ("value", "kind", "state", "site", "note", "author", "created_at")
    list_filter = ("kind", "is_active", "site")
    list_select_related = ("site", "author")
    search_fields = ("value", "note")
    actions = ("turn_on", "turn_off")

    def get_fields(self, request: HttpRequest, obj: BlockRule | None = None) -> tuple[str, ...]:
        own = ("kind", "value", "site", "note")
        return (*own, "state", "author", "created_at") if obj else own

    def get_readonly_fields(self, request: HttpRequest, obj: BlockRule | None = None) -> tuple[str, ...]:
        """Only the note of a saved rule changes. Another value is another rule, with a dry run of its own."""
        return ("kind", "value", "site", "state", "author", "created_at") if obj else ()

    @labelled(description="status", ordering="is_active", colors={"On": "success"})
    def state(self, rule: BlockRule) -> str:
        return "On" if rule.is_active else "Off"

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Show what a new rule would have matched before it is saved."""
        if request.method == "POST" and "confirmed" not in request.POST and self.has_add_permission(request):
            form = self.get_form(request)(request.POST)
            if form.is_valid():
                context = {
                    **self.admin_site.each_context(request),
                    "opts": self.opts,
                    "title": "Try the rule",
                    "rule": form.instance,
                    "lines": dry_run.lines(form.instance),
                    "sent": [(name, request.POST.get(name, "")) for name in form.fields],
                }
                return TemplateResponse(request, "admin/moderation/dry_run.html", context)
        # Each rule has its dry run, and the value of a saved one never changes.
        buttons = {"show_save_and_add_another": False, "show_save_and_continue": False}
        result: HttpResponse = super().add_view(request, form_url, {**(extra_context or {}), **buttons})
        return result

    def save_model(self, request: HttpRequest, obj: BlockRule, form: Any, change: bool) -> None:
        if not change:
            obj.author_id = request.user.pk
        super().save_model(request, obj, form, change)

    @admin.action(description="Turn on", permissions=["change"])
    def turn_on(self, request: HttpRequest, rules: QuerySet[BlockRule]) -> HttpResponse:
        return self.ask(request, rules, TURN_ON, back=request.get_full_path())

    @admin.action(description="Turn off", permissions=["change"])
    def turn_off(self, request: HttpRequest, rules: QuerySet[BlockRule]) -> HttpResponse:
        return self.ask(request, rules, TURN_OFF, back=request.get_full_path())
