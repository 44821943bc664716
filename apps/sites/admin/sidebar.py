"""The admin's sidebar: pages in groups, under their everyday names, from the SIDEBAR of each app's `admin`."""

from collections.abc import Iterable, Iterator
from typing import Any, cast

from django.apps import apps
from django.http import HttpRequest
from django.urls import reverse

from apps.core.admin.metrics import may_see
from apps.core.app_modules import app_modules
from apps.sites.setup import may_set_up

_GROUPS = ("Directory", "Moderation", "Launches", "Founders", "Sales", "Prices and VAT", "People", "Site")

# The model's label, the name of its rows, and a Material symbol.
Entry = tuple[str, str, str]


def entries() -> dict[str, list[Entry]]:
    """Return what each group has, in the order of INSTALLED_APPS."""
    groups: dict[str, list[Entry]] = {name: [] for name in _GROUPS}
    for module in app_modules("admin"):
        for name, result in getattr(module, "SIDEBAR", {}).items():
            groups[name] += result
    return groups


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the groups with what the person may view, without empty groups.

    The request gets `admin_names`, the name of each page by its URL, for titles and breadcrumbs.
    """
    start = {"title": "", "items": [{"title": "Overview", "icon": "dashboard", "link": reverse("admin:index")}]}
    groups: list[dict[str, Any]] = [
        {"title": title, "items": list(_items(request, result))} for title, result in entries().items()
    ]
    cast("Any", request).admin_names = {item["link"]: item["title"] for group in groups for item in group["items"]}
    if may_set_up(request.user):
        groups[-1]["items"].insert(0, {"title": "Name, logo and color", "icon": "palette", "link": reverse("setup")})
    return [start, *(group for group in groups if group["items"])]


def _items(request: HttpRequest, entries: Iterable[Entry]) -> Iterator[dict[str, Any]]:
    for label, title, icon in entries:
        if may_see(request.user, apps.get_model(label)):
            address = reverse(f"admin:{label.lower().replace('.', '_')}_changelist")
            # By path alone, unfold would also mark /sitepage/ for /sitepageversion/.
            yield {"title": title, "icon": icon, "link": address, "active": request.path.startswith(address)}
