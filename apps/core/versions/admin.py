"""Versions in the admin: who changed what and how, and restoring."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from apps.core.admin.base import ReadOnly
from apps.core.admin.decisions import Decides, Decision, page_action
from apps.core.versions.differences import Difference, Piece, Row, difference
from apps.core.versions.models import Version

SHOWN = 4


class ShowsVersions(ReadOnly):
    """For pages and inlines of versions."""

    def label_of(self, field: str) -> str:
        return field.replace("_", " ").capitalize()

    def differences(self, version: Any) -> Sequence[Difference]:
        return [difference(self.label_of(one["field"]), one["before"], one["after"]) for one in version.changes]

    @admin.display(description="by")
    def who(self, version: Version) -> str:
        return str(version.author) if version.author else "Slipway"

    @admin.display(description="via", ordering="via")
    def way(self, version: Version) -> str:
        label = str(version.get_via_display())
        return f"{label}: {version.credential}" if version.credential else label

    @admin.display(description="changed")
    def changed(self, version: Version) -> str:
        names = [self.label_of(change["field"]) for change in version.changes]
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        return ", ".join(names[:SHOWN]) + more if names else "first version"

    @admin.display(description="before and after")
    def what_changed(self, version: Version) -> str:
        return render_to_string("admin/parts/differences.html", {"differences": self.differences(version)})


class RestoresVersions(Decides, ShowsVersions):
    """Adds a button that restores a version, for people with `restore_permissions`."""

    restoring: ClassVar[Decision]
    restore_permissions: ClassVar[Sequence[str]]
    actions_detail = ("restore",)

    def has_restore_permission(self, request: HttpRequest, object_id: object = None) -> bool:
        """Restoring needs the permission to change the restored object, since this page changes nothing itself."""
        return request.user.has_perms(self.restore_permissions)

    @page_action(description="Restore this version", permissions=["restore"], icon="history")
    def restore(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, self.restoring)


def shown_texts(texts: Sequence[tuple[str, str]]) -> str:
    """Texts under their labels, styled as differences."""
    rows = [Difference(label, [Row([Piece("same", text)])]) for label, text in texts]
    return render_to_string("admin/parts/differences.html", {"differences": rows, "is_plain": True})
