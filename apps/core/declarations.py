"""What an operation declares about itself, for whoever has to ask: permission, schema, tests."""

from dataclasses import dataclass
from typing import Any

from apps.core.scopes import Scope


@dataclass(frozen=True, slots=True)
class Operation:
    """The name and scope of an operation; scope None makes it public. `or_scope` is enough in its place."""

    name: str
    scope: Scope | None
    accepts_idempotency_key: bool
    or_scope: Scope | None = None

    @property
    def scopes(self) -> frozenset[Scope]:
        """Those of which a credential needs one; none for a public operation."""
        return frozenset(scope for scope in (self.scope, self.or_scope) if scope)


def operation_of(view: Any) -> Operation | None:
    """The operation that a view instance is about to run, if its method is one."""
    handler = getattr(view, getattr(view, "action", None) or "", None)
    found: Operation | None = getattr(handler, "operation", None)
    return found
