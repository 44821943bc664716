"""How long rows are kept: RETENTION in each app's `personal_data.py`, and the days in `KEEP_DAYS`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import models
from django.utils import timezone

from apps.core.operations.personal_data.erasure import empty_values
from apps.core.operations.personal_data.records import table

# Small enough that nobody waits for the locks of one statement.
_BATCH = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """Rows to delete some days after `since`, or whose fields in `clears` to empty then.

    `days` is a key of `settings.KEEP_DAYS`, where 0 keeps them forever. `only` restricts the rows.
    """

    model: str
    days: str
    since: str
    clears: str = ""
    only: Mapping[str, Any] = field(default_factory=dict)

    def due(self) -> "models.QuerySet[Any]":
        """Return the rows that have been kept long enough."""
        rows: models.QuerySet[Any] = apps.get_model(self.model)._default_manager.filter(**self.only)
        days = settings.KEEP_DAYS[self.days]
        if not days:
            return rows.none()
        rows = rows.filter(**{f"{self.since}__lt": self._moment(days)})
        if not self.clears:
            return rows
        emptied = models.Q(**empty_values(rows.model, self.clears.split()))
        return rows.exclude(emptied)

    def _moment(self, days: int) -> Any:
        moment = timezone.now() - timedelta(days=days)
        column = apps.get_model(self.model)._meta.get_field(self.since)
        return moment if isinstance(column, models.DateTimeField) else moment.date()


def delete_expired_data() -> dict[str, int]:
    """Delete or empty rows past their retention, in small transactions. Returns how many of each model."""
    result: dict[str, int] = {}
    for rule in table("RETENTION"):
        while count := _next_batch(rule):
            result[rule.model] = result.get(rule.model, 0) + count
    return result


def _next_batch(rule: Retention) -> int:
    keys = list(rule.due().order_by("pk").values_list("pk", flat=True)[:_BATCH])
    rows = rule.due().filter(pk__in=keys)
    if rule.clears:
        return rows.update(**empty_values(rows.model, rule.clears.split()))
    rows.delete()
    return len(keys)
