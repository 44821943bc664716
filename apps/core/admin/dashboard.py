"""The admin's start page: rows that need attention, weekly figures, and outages."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.admin.templatetags.admin_urls import admin_urlname
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString

from apps.core.admin.base import PARAMETER
from apps.core.admin.metrics import Figure, Need, figures, may_see, needs
from apps.core.operations.checks import health
from apps.core.templatetags.ui import money
from apps.core.text.weeks import Week

WEEKS = 12
_ORDER = {"now": 0, "soon": 1, "some day": 2}
# Sizes in the drawing's own units: a bar, the gap after it, and the tallest bar.
BAR, GAP, HEIGHT = 16, 6, 72
_PARTS = {
    "database": "Database",
    "broker": "Task queue",
    "migrations": "Migrations",
    "beat": "Worker and scheduler",
}


@dataclass(frozen=True, slots=True)
class Bar:
    """A week of a chart: its position and height in the drawing, and its formatted number."""

    week: Week
    x: int
    height: float
    text: str
    is_running: bool

    @property
    def y(self) -> float:
        return HEIGHT - self.height


@dataclass(frozen=True, slots=True)
class Chart:
    """A figure over the last weeks, the current one last."""

    title: str
    hint: str
    bars: Sequence[Bar]
    now: str
    before: str
    address: str
    width: int = WEEKS * (BAR + GAP) - GAP
    height: int = HEIGHT
    bar: int = BAR


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Return the context of templates/admin/index.html, limited to the person's permissions."""
    seen = [need for need in needs() if may_see(request.user, need.model)]
    waiting = [panel for need in sorted(seen, key=lambda need: _ORDER[need.urgency]) if (panel := _waiting(need))]
    charts = [_chart(figure) for figure in figures() if may_see(request.user, figure.model)]
    parts = [(_PARTS[name], state) for name, state in health.readiness().items() if state != "ok"]
    return {
        **context,
        "title": "Overview",
        "waiting": waiting,
        "sees_needs": bool(seen),
        "charts": charts,
        "out": parts,
    }


def _waiting(need: Need) -> dict[str, Any] | None:
    """Return what the page shows of a need, or None if no row has it."""
    count = need.count()
    if not count:
        return None
    address = f"{_list_of(need.model)}?{PARAMETER}={need.key}"
    return {"need": need, "count": count, "address": address}


def _chart(figure: Figure) -> Chart:
    running = Week.of(timezone.now())
    weeks = [running + (index - WEEKS + 1) for index in range(WEEKS)]
    result = figure.weekly(weeks[0])
    numbers = [result.get(str(week), 0) for week in weeks]
    # Refunds can exceed income. Such a week has no bar, and its number shows why.
    highest = max(*numbers, 1)
    bars = [
        Bar(
            week=week,
            x=index * (BAR + GAP),
            height=round(max(number, 0) / highest * HEIGHT, 1),
            text=_text(figure, number),
            is_running=week == running,
        )
        for index, (week, number) in enumerate(zip(weeks, numbers, strict=True))
    ]
    return Chart(figure.title, figure.hint, bars, bars[-1].text, bars[-2].text, _list_of(figure.model))


def _text(figure: Figure, number: int) -> str:
    return money(number) if figure.is_money else f"{number:,}"


def _list_of(model: type[Model]) -> str:
    return reverse(admin_urlname(model._meta, SafeString("changelist")))
