"""What PostgreSQL would do for a statement, as a tree that tests ask about."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction


@dataclass(frozen=True)
class Plan:
    """A node of a plan with the nodes below it."""

    node: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """The node and, for a scan, what it reads: `Index Only Scan standings_of_week`."""
        read = self.node.get("Index Name") or self.node.get("Relation Name") or ""
        return f"{self.node['Node Type']} {read}".strip()

    def __iter__(self) -> Iterator["Plan"]:
        yield self
        for child in self.node.get("Plans", []):
            yield from Plan(child)

    def below(self, kind: str) -> "Plan":
        """The node under the first one of a kind."""
        result = next(plan for plan in self if plan.kind == kind)
        return Plan(result.node["Plans"][0])

    @property
    def kinds(self) -> set[str]:
        return {plan.kind for plan in self}


def plan_of(sql: str, values: Any = None) -> Plan:
    """The plan for tables too large to be read or sorted as a whole, whatever few rows a test has made."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_sort = off")
        cursor.execute("SET LOCAL enable_bitmapscan = off")
        cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}", values)
        result = cursor.fetchone()[0]
    return Plan((json.loads(result) if isinstance(result, str) else result)[0]["Plan"])
