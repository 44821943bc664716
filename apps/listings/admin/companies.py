"""Companies: their facts, and merging duplicates."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.safestring import SafeString
from unfold.widgets import UnfoldAdminTextInputWidget

from apps.accounts.actors import actor_of
from apps.core.admin.base import labelled
from apps.core.admin.decisions import admin_url, page_action
from apps.listings import history
from apps.listings.admin.forms_in_history import InHistory
from apps.listings.admin.merging import MergePage
from apps.listings.admin.pictures import CompanyForm, listing_of, thumbnails
from apps.listings.models import Company
from apps.listings.services.ratings import count_reviews

_PLACE = ("country", "city", "founded_year", "team_size", "stage", "funding", "legal_name", "contact_email")
_PRODUCT = (
    "pricing_model", "price_from_cents", "price_currency", "price_period", "audience", "platforms", "tech_stack",
)  # fmt: skip
_MEDIA = ("pictures", "logo_file", "screenshot_files", "logo_url", "screenshots", "video_url")
_TIMES = ("created_at", "updated_at")
_LINKS = ("docs_url", "openapi_url", "mcp_url", "llms_url", "socials")


@admin.register(Company)
class CompanyAdmin(MergePage, InHistory):
    form = CompanyForm
    list_display = ("name", "website", "owner", "on_sites", "merged", "created_at")
    list_filter = (("merged_into", admin.EmptyFieldListFilter), "listings__site", "created_at")
    list_select_related = ("owner", "merged_into")
    search_fields = ("name", "website_key", "owner__email", "legal_name")
    ordering = ("name", "pk")
    autocomplete_fields = ("owner",)
    fieldsets = (
        (None, {"fields": ("name", "website", "website_key", "owner", "verified_at", "merged_into", *_TIMES)}),
        ("The company", {"fields": _PLACE}),
        ("The product", {"fields": _PRODUCT}),
        ("Pictures and video", {"fields": _MEDIA}),
        ("Links", {"fields": _LINKS}),
    )
    readonly_fields = ("website_key", "verified_at", "merged_into", "pictures", *_TIMES)
    actions = ("merge_two",)
    actions_detail = ("merge",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Company]:
        result: QuerySet[Company] = super().get_queryset(request)
        return result.annotate(listing_count=Count("listings"))

    def get_fieldsets(self, request: HttpRequest, obj: Company | None = None) -> Any:
        """Offer uploads where there is a listing that could show them."""
        result = super().get_fieldsets(request, obj)
        if self.has_change_permission(request, obj) and listing_of(obj):
            return result
        uploads = {"logo_file", "screenshot_files"}
        return [(title, {**part, "fields": [n for n in part["fields"] if n not in uploads]}) for title, part in result]

    def get_form(self, request: HttpRequest, obj: Company | None = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        form.by = actor_of(request, via="admin")
        return form

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        match db_field.name:
            case "logo_url":
                # Without the link of URL inputs: our file is shown above, and the original may be gone.
                field.label, field.widget = "Logo URL", UnfoldAdminTextInputWidget(attrs={"inputmode": "url"})
            case "screenshots":
                field.label, field.help_text = "Screenshot URLs", "One per line, in the order shown."
        return field

    @admin.display(description="pictures")
    def pictures(self, company: Company) -> SafeString | str:
        return thumbnails(company)

    @admin.display(description="listings", ordering="listing_count")
    def on_sites(self, company: Any) -> int:
        return int(company.listing_count)

    @labelled(description="merged", colors="warning")
    def merged(self, company: Company) -> str:
        return f"into {company.merged_into}" if company.merged_into else ""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Record changes of owner, which no snapshot of the company's facts contains."""
        super().save_related(request, form, formsets, change)
        if change and "owner" in form.changed_data:
            history.record_states(
                company=form.instance,
                listing=None,
                before={"owner": form.owner_before},
                after={"owner": form.instance.owner.email},
                by=actor_of(request, via="admin"),
            )
            for listing in form.instance.listings.all():
                count_reviews(listing.pk)

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:
        form.owner_before = Company.objects.get(pk=form.instance.pk).owner.email if change else ""
        company = super().save_form(request, form, change)
        if change and "owner" in form.changed_data:
            # One owner's proof says nothing about the next owner.
            company.verified_at = None
        return company

    @admin.action(description="Merge companies", permissions=["merge"])
    def merge_two(self, request: HttpRequest, companies: QuerySet[Company]) -> HttpResponse | None:
        """Review the merge on the next page. The older company is kept by default."""
        result = list(companies.order_by("pk")[:3])
        if len(result) != 2:
            self.message_user(request, "Select two companies.", messages.ERROR)
            return None
        keep, drop = result
        return HttpResponseRedirect(f"{admin_url(self, 'merge', keep.pk)}?drop={drop.pk}")

    @page_action(description="Merge a duplicate", permissions=["merge"], icon="merge")
    def merge(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.merge_page(request, object_id)
