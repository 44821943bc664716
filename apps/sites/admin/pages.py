"""Admin for operator-written pages, with a preview and version history."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.core.admin.base import ModelAdmin
from apps.core.admin.decisions import Decision, admin_url, page_action, rows_at
from apps.core.versions.admin import RestoresVersions
from apps.core.versions.models import Author
from apps.sites import texts
from apps.sites.models import Site, SitePage, SitePageVersion
from apps.sites.requests import SiteHttpRequest
from apps.sites.views.legal import TEMPLATE, shown

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser

Kind = SitePage.Kind


def _restore(version: SitePageVersion, values: Mapping[str, Any], request: HttpRequest) -> object:
    return texts.restore_version(version=version, by=_author(request))


RESTORE = Decision(
    title="Publish this version again",
    explanation=["Restores this title and text immediately. The current version stays in the history."],
    done="Pages restored",
    decide=_restore,
    why_not=lambda version: "Current version" if texts.is_shown(version) else "",
)


@admin.register(SitePage)
class SitePageAdmin(ModelAdmin):
    list_display = ("title", "kind", "site", "updated_at", "public_page")
    list_filter = ("site", "kind")
    list_select_related = ("site",)
    search_fields = ("title", "text")
    fields = ("site", "kind", "title", "text", "updated_at", "public_page")
    readonly_fields = ("updated_at", "public_page")
    actions_list = ("write_terms", "write_privacy", "write_imprint")
    actions_detail = ("see_versions",)

    def get_readonly_fields(self, request: HttpRequest, obj: SitePage | None = None) -> tuple[str, ...]:
        """Fix the page's kind and site once it exists."""
        return (*self.readonly_fields, "site", "kind") if obj else self.readonly_fields

    def get_changeform_initial_data(self, request: SiteHttpRequest) -> dict[str, Any]:
        """Start a new page with the built-in text."""
        result = {"site": request.site.pk, **super().get_changeform_initial_data(request)}
        kind, site = result.get("kind"), rows_at(Site.objects.all(), result["site"]).first()
        if kind in Kind.values and site:
            result |= {"title": Kind(kind).label, "text": texts.placeholder(site, kind)}
        return result

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.preview_page)
        return [path("preview", view, name="sites_sitepage_preview"), *super().get_urls()]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        context["preview_attrs"] = {"formaction": admin_url(self, "preview"), "formtarget": "_blank"}
        answer: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return answer

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Forbid deletion: it would delete the versions, and the text people agreed to must stay available."""
        return False

    def save_model(self, request: HttpRequest, obj: SitePage, form: Any, change: bool) -> None:
        texts.save_page(page=obj, by=_author(request))

    @admin.display(description="page")
    def public_page(self, page: SitePage) -> SafeString | str:
        if not page.pk:
            return ""
        address = page.site.url(reverse(page.kind))
        return format_html('<a class="text-primary-600 dark:text-primary-500" href="{0}">{0}</a>', address)

    # ---- buttons ----
    @page_action(description="Write terms", permissions=["add"], icon="gavel")
    def write_terms(self, request: SiteHttpRequest) -> HttpResponse:
        return self._write(request, Kind.TERMS)

    @page_action(description="Write privacy", permissions=["add"], icon="shield")
    def write_privacy(self, request: SiteHttpRequest) -> HttpResponse:
        return self._write(request, Kind.PRIVACY)

    @page_action(description="Write imprint", permissions=["add"], icon="contact_page")
    def write_imprint(self, request: SiteHttpRequest) -> HttpResponse:
        return self._write(request, Kind.IMPRINT)

    @page_action(description="Versions", permissions=["view"], icon="history")
    def see_versions(self, request: HttpRequest, object_id: str) -> HttpResponse:
        versions = reverse("admin:sites_sitepageversion_changelist")
        return HttpResponseRedirect(f"{versions}?page__id__exact={object_id}")

    def preview_page(self, request: SiteHttpRequest) -> HttpResponse:
        """Render the unsaved form in the look of this host's site."""
        if not (self.has_change_permission(request) or self.has_add_permission(request)):
            raise PermissionDenied
        words = texts.Words(request.POST.get("title", ""), request.POST.get("text", ""))
        return render(request, TEMPLATE, {**shown(words, request.POST.get("kind", "")), "is_preview": True})

    def _write(self, request: SiteHttpRequest, kind: Kind) -> HttpResponse:
        """Open this site's page if it exists, otherwise the form for a new one."""
        page = SitePage.objects.filter(site=request.site, kind=kind).first()
        if page:
            return HttpResponseRedirect(admin_url(self, "change", page.pk))
        return HttpResponseRedirect(f"{admin_url(self, 'add')}?site={request.site.pk}&kind={kind}")


@admin.register(SitePageVersion)
class SitePageVersionAdmin(RestoresVersions, ModelAdmin):
    list_display = ("created_at", "page", "title", "who")
    list_filter = ("page__site", "page__kind", "created_at")
    list_select_related = ("page__site", "author")
    search_fields = ("snapshot__title", "snapshot__text")
    fields = ("page", "created_at", "who", "restored_from", "what_changed", "title", "text")
    readonly_fields = ("who", "what_changed", "title", "text")
    restoring = RESTORE
    restore_permissions = ("sites.change_sitepage",)

    @admin.display(description="title", ordering="snapshot__title")
    def title(self, version: SitePageVersion) -> str:
        return str(version.snapshot["title"])

    @admin.display(description="text")
    def text(self, version: SitePageVersion) -> str:
        return str(version.snapshot["text"])

    def get_queryset(self, request: HttpRequest) -> QuerySet[SitePageVersion]:
        result: QuerySet[SitePageVersion] = super().get_queryset(request)
        return result.select_related("page__site", "author", "restored_from__page__site")


def _author(request: HttpRequest) -> Author:
    """Return the signed-in admin."""
    return Author(user=cast("AbstractBaseUser", request.user), via="admin")
