from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.core.admin import ModelAdmin
from apps.listings import search
from apps.listings.models import Category, Company, Listing, Milestone, Update


@admin.register(Category)
class CategoryAdmin(ModelAdmin):
    list_display = ("name", "slug", "site", "position")
    list_filter = ("site",)
    prepopulated_fields = {"slug": ("name",)}

    def save_model(self, request: HttpRequest, obj: Category, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        search.index(listing_ids=list(obj.listings.values_list("pk", flat=True)))


@admin.register(Company)
class CompanyAdmin(ModelAdmin):
    list_display = ("name", "website", "owner", "created_at")
    search_fields = ("name", "website_key", "owner__email")
    autocomplete_fields = ("owner",)
    readonly_fields = ("website_key", "created_at", "updated_at")

    def save_model(self, request: HttpRequest, obj: Company, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        search.index(company_id=obj.pk)


@admin.register(Listing)
class ListingAdmin(ModelAdmin):
    list_display = ("company", "site", "status", "plan", "launch_week", "votes")
    list_filter = ("site", "status", "plan")
    search_fields = ("company__name", "company__website_key", "slug", "headline")
    autocomplete_fields = ("company",)
    readonly_fields = (
        "status",
        "plan",
        "launch_week",
        "votes",
        "launched_at",
        "submitted_at",
        "badge_checked_at",
    )
    exclude = ("search_vector",)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        search.index(listing_ids=[form.instance.pk])

    def get_queryset(self, request: HttpRequest) -> QuerySet[Listing]:
        found: QuerySet[Listing] = super().get_queryset(request)
        return found.select_related("company", "site")


@admin.register(Update)
class UpdateAdmin(ModelAdmin):
    list_display = ("title", "listing", "created_at")
    search_fields = ("title", "listing__company__name")
    raw_id_fields = ("listing",)


@admin.register(Milestone)
class MilestoneAdmin(ModelAdmin):
    list_display = ("title", "listing", "date")
    search_fields = ("title", "listing__company__name")
    raw_id_fields = ("listing",)
