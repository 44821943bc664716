"""Categories: their names are in the search index, their slugs in URLs."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse

from apps.core.admin.base import ModelAdmin
from apps.core.admin.decisions import rows_at
from apps.listings import search
from apps.listings.models import Category, Listing


@admin.register(Category)
class CategoryAdmin(ModelAdmin):
    list_display = ("name", "slug", "site", "position", "listings_in_it")
    list_filter = ("site",)
    search_fields = ("name", "slug")
    ordering = ("site", "position", "name")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Category]:
        result: QuerySet[Category] = super().get_queryset(request)
        return result.select_related("site").annotate(listing_count=Count("listings"))

    @admin.display(description="listings", ordering="listing_count")
    def listings_in_it(self, category: Any) -> int:
        return int(category.listing_count)

    def get_readonly_fields(self, request: HttpRequest, obj: Category | None = None) -> tuple[str, ...]:
        """Make site and slug read-only: listings, closed leaderboards and links depend on them."""
        return ("site", "slug") if obj else ()

    def get_prepopulated_fields(self, request: HttpRequest, obj: Category | None = None) -> dict[str, tuple[str, ...]]:
        return {} if obj else {"slug": ("name",)}

    def get_form(self, request: HttpRequest, obj: Category | None = None, change: bool = False, **kwargs: Any) -> Any:
        texts = {"slug": "Used in URLs, the API and closed leaderboards. You can't change it later."}
        return super().get_form(request, obj, change=change, help_texts=texts, **kwargs)

    def save_model(self, request: HttpRequest, obj: Category, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        _index(_listings_in([obj.pk]))

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        if request.method != "POST":
            self._warn(request, rows_at(Category.objects.all(), object_id))
        answer: HttpResponse = super().delete_view(request, object_id, extra_context)
        return answer

    def response_action(self, request: HttpRequest, queryset: QuerySet[Category]) -> Any:
        if request.POST.get("action") == "delete_selected" and not request.POST.get("post"):
            chosen = request.POST.getlist(ACTION_CHECKBOX_NAME)
            self._warn(request, Category.objects.filter(pk__in=[pk for pk in chosen if pk.isdecimal()]))
        return super().response_action(request, queryset)

    def delete_model(self, request: HttpRequest, obj: Category) -> None:
        listings = _listings_in([obj.pk])
        super().delete_model(request, obj)
        _index(listings)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Category]) -> None:
        listings = _listings_in(list(queryset.values_list("pk", flat=True)))
        super().delete_queryset(request, queryset)
        _index(listings)

    def _warn(self, request: HttpRequest, categories: Iterable[Category]) -> None:
        for category in categories:
            if number := category.listings.count():
                text = f"{category} is in use: {number} listing{'s' if number > 1 else ''} would lose it."
                self.message_user(request, text, messages.WARNING)


def _listings_in(categories: list[int]) -> list[int]:
    return list(Listing.objects.filter(categories__in=categories).distinct().values_list("pk", flat=True))


def _index(listing_ids: list[int]) -> None:
    search.index(listing_ids=listing_ids)
