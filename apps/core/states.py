"""Rows that move through a table of states."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db import transaction
from django.dispatch import Signal

from apps.core.errors import Conflict

# Sent in the transaction of each move, with `row`, `before` and `after`. A new row comes from None.
moved = Signal()


class IllegalTransition(Conflict):
    code = "illegal_transition"
    title = "Not possible in this status"


class HasStates:
    """A model with a `status` and TRANSITIONS, from each state to those that may follow. The first is the initial one.

    `docs/states.md` is generated from the table. Services decide who may move a row, and when.
    """

    TRANSITIONS: ClassVar[Mapping[str, frozenset[str]]]
    status: Any
    # Whether a new row sends `moved`, too.
    announces_start: ClassVar = True
    # The status that the row leaves, while `move_to` saves it.
    leaves: str | None = None

    def check_move(self, status: str) -> None:
        """Raise IllegalTransition (409) if the table doesn't allow the status next. The same status is allowed."""
        if status != self.status and status not in self.TRANSITIONS[self.status]:
            raise IllegalTransition(f"{type(self).__name__} can't change from {self.status} to {status}.")

    def move_to(self: Any, status: str, *names: str, **changes: Any) -> None:
        """Save the next status, the columns `names` and the `changes` of others, and send `moved`, all or nothing.

        The same status saves only the columns. Raises IllegalTransition (409), also if the row has left the status that
        it was read with: the one statement checks this, and locks the row.
        """
        self.check_move(status)
        before, columns = str(self.status), [*names, *changes]
        for name, value in changes.items():
            setattr(self, name, value)
        if status != before:
            columns.append("status")
            self.leaves, self.status = before, status
        if columns:
            columns += [field.name for field in self._meta.concrete_fields if getattr(field, "auto_now", False)]
        with transaction.atomic(savepoint=False):
            try:
                self.save(update_fields=None if self._state.adding else columns)
            finally:
                self.leaves = None
            if status != before:
                moved.send(type(self), row=self, before=before, after=str(status))

    def save_base(self, *args: Any, **kwargs: Any) -> None:
        """Save the row, and announce a new one, both or neither."""
        is_announced = self._state.adding and self.announces_start  # type: ignore[attr-defined]  # a model's
        with transaction.atomic(savepoint=False):
            super().save_base(*args, **kwargs)  # type: ignore[misc]  # a model's
            if is_announced:
                moved.send(type(self), row=self, before=None, after=self.leaves or str(self.status))

    def _do_update(self, rows: Any, *args: Any) -> Any:
        # Django saves a row by this method and has no public way to narrow the statement.
        if self.leaves is None:
            return super()._do_update(rows, *args)  # type: ignore[misc]  # a model's
        if not super()._do_update(rows.filter(status=self.leaves), *args):  # type: ignore[misc]  # a model's
            raise IllegalTransition(f"{type(self).__name__} is no longer {self.leaves}. Reload it.")
        return True
