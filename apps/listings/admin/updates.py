"""Updates and milestones in the admin, which can only remove them."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.accounts.actors import actor_of
from apps.core.admin.base import ModelAdmin
from apps.listings.models import Milestone, Update
from apps.listings.services import milestones
from apps.listings.services.locks import NotEditable


class OwnersWords(ModelAdmin):
    """Owners' texts, which admins can view and delete."""

    list_select_related = ("listing__company", "listing__site")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Update)
class UpdateAdmin(OwnersWords):
    list_display = ("title", "listing", "created_at", "notified_at")
    list_filter = ("listing__site", "created_at")
    search_fields = ("title", "body", "listing__company__name")
    fields = ("listing", "title", "body", "created_at", "notified_at")
    readonly_fields = ("notified_at",)


@admin.register(Milestone)
class MilestoneAdmin(OwnersWords):
    list_display = ("title", "listing", "date")
    list_filter = ("listing__site", "date")
    search_fields = ("title", "description", "listing__company__name")
    fields = ("listing", "date", "title", "description", "url")

    def delete_model(self, request: HttpRequest, obj: Milestone) -> None:
        """Delete through the service, so that a history names the admin."""
        try:
            milestones.delete_milestone(milestone=obj, by=actor_of(request, via="admin"))
        except NotEditable:
            super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Milestone]) -> None:
        for milestone in queryset.order_by("pk"):
            self.delete_model(request, milestone)
