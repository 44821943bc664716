"""Drafts in the admin, and retrying failed ones."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from apps.core.admin.base import ModelAdmin, labelled
from apps.core.admin.decisions import Decides, Decision, page_action, rows_at
from apps.core.text.countries import COUNTRIES
from apps.drafts.models import Draft
from apps.drafts.services import creation
from apps.listings.admin.sources import sources_table
from apps.listings.fields.labels import label_of

_LABELS = {
    "Crawling": "info",
    "Drafting": "info",
    "Ready": "success",
    "Submitted": "success",
    "Failed": "danger",
    "Expired": "warning",
    "Canceled": "warning",
}

RETRY = Decision(
    title="Read again",
    explanation=[
        "Crawls the website again as a new draft of the same account. It does not count toward the owner's limit.",
        "The failed draft is kept. Cached responses are not used.",
    ],
    done="Drafts restarted",
    decide=lambda draft, values, request: creation.retry_draft(draft),
    why_not=creation.why_not_retry,
    effects=lambda draft: [f"Error: {draft.error_message}"],
)


@admin.register(Draft)
class DraftAdmin(Decides, ModelAdmin):
    list_display = ("url", "owner", "site", "state", "error_code", "created_at")
    actions = ("retry",)
    actions_detail = ("retry_one",)
    list_filter = ("status", "error_code", "site")
    list_select_related = ("owner", "site")
    search_fields = ("url", "owner__email")
    date_hierarchy = "created_at"
    # What was crawled for an owner is a record. Admins change the listing instead.
    fields = (
        "url",
        "website",
        "owner",
        "site",
        "status",
        "error_code",
        "error_message",
        "listing",
        "compared_with",
        "pages_done",
        "pages_planned",
        "proposed",
        "what_was_read",
        "changed",
        "created_at",
        "finished_at",
        "submitted_at",
    )
    readonly_fields = fields

    @admin.display(description="proposal")
    def proposed(self, draft: Draft) -> SafeString:
        result = {field: value for field, value in draft.proposal.items() if value not in (None, "", [], {})}
        stored = {(one.field, one.url): one for one in draft.pictures.all()}
        rows = []
        for field, value in result.items():
            urls = value if isinstance(value, list) else [value]
            pictures = [stored[field, url] for url in urls if isinstance(url, str) and (field, url) in stored]
            rows.append((label_of(field), pictures, [] if pictures else _lines(field, value)))
        return render_to_string("admin/drafts/proposal.html", {"rows": rows})

    @admin.display(description="sources")
    def what_was_read(self, draft: Draft) -> SafeString:
        return sources_table(draft)

    @admin.display(description="existing listing")
    def compared_with(self, draft: Draft) -> Any:
        """The listing that the owner updates from this draft, if its website was read again."""
        return draft.rereads

    @admin.display(description="changed by the owner")
    def changed(self, draft: Draft) -> str:
        return ", ".join(map(label_of, draft.edited))

    def has_add_permission(self, request: object) -> bool:
        return False

    def has_change_permission(self, request: object, obj: object = None) -> bool:
        return False

    def has_retry_permission(self, request: HttpRequest, object_id: object = None) -> bool:
        """Retrying needs the permission to change drafts, although the page is read-only."""
        return bool(request.user.has_perm("drafts.change_draft"))

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        draft = rows_at(Draft.objects.select_related("owner"), object_id).first()
        is_possible = draft is not None and not creation.why_not_retry(draft)
        return super().get_actions_detail(request, object_id) if is_possible else []

    @labelled(description="status", ordering="status", colors=_LABELS)
    def state(self, draft: Draft) -> str:
        return str(draft.get_status_display())

    @admin.action(description="Read again", permissions=["retry"])
    def retry(self, request: HttpRequest, drafts: QuerySet[Draft]) -> HttpResponse:
        return self.ask(request, drafts, RETRY, back=request.get_full_path())

    @page_action(description="Read again", permissions=["retry"], icon="refresh")
    def retry_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, RETRY)


def _lines(field: str, value: Any) -> list[str]:
    """Return a proposed value as lines: each entry of a list, and each part of an object with its name."""
    if field == "faqs":
        return [f"{one.get('question', '')} {one.get('answer', '')}" for one in value]
    if field == "price_from_cents":
        return [f"{value / 100:.2f}"]
    if isinstance(value, dict):
        return [f"{label_of(f'{field}.{name}')}: {part}" for name, part in value.items()]
    if isinstance(value, list):
        return [": ".join(map(str, one.values())) if isinstance(one, dict) else str(one) for one in value]
    return [COUNTRIES.get(value, value) if field == "country" else str(value)]
