"""Versions in the admin: who, by which way, what changed, and the way back."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.template.loader import render_to_string

from apps.core.admin.base import ReadOnly
from apps.core.versions.differences import Difference, Piece, Row
from apps.core.versions.models import Version


class ShowsVersions(ReadOnly):
    """For pages and inlines of versions; a subclass says what changed."""

    def differences(self, version: Any) -> Sequence[Difference]:
        raise NotImplementedError

    @admin.display(description="by")
    def who(self, version: Version) -> str:
        return str(version.author) if version.author else "the service"

    @admin.display(description="by way of", ordering="via")
    def way(self, version: Version) -> str:
        label = str(version.get_via_display())
        return f"{label}: {version.credential}" if version.credential else label

    @admin.display(description="before and after")
    def what_changed(self, version: Version) -> str:
        return render_to_string("admin/parts/differences.html", {"differences": self.differences(version)})


def shown_texts(texts: Sequence[tuple[str, str]]) -> str:
    """Texts under their labels, in the look of differences."""
    rows = [Difference(label, [Row([Piece("same", text)])]) for label, text in texts]
    return render_to_string("admin/parts/differences.html", {"differences": rows, "is_plain": True})
