"""Rows that move through a table of states."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db import transaction
from django.dispatch import Signal

from apps.core.errors import Conflict

# Sent in the transaction of a saved row for each of its moves, with `row`, `before` and `after`. A new row comes from
# None.
moved = Signal()


class IllegalTransition(Conflict):
    code = "illegal_transition"
    title = "Not possible in this status"


class HasStates:
    """A model with a `status` and TRANSITIONS, from each state to those that may follow. The first is the initial one.

    `docs/states.md` is generated from the table. Services decide who may move a row, and when. Saving a row that moved
    sends `moved`.
    """

    TRANSITIONS: ClassVar[Mapping[str, frozenset[str]]]
    status: Any
    # Whether a new row sends `moved`, too.
    announces_start: ClassVar = True
    # Whether the status was changed since the row was read.
    has_moved = False
    _unsaved_moves: tuple[tuple[Any, str], ...] = ()

    def move_to(self, status: str) -> None:
        """Set the next status if the table allows it. The same status is a no-op. The caller saves it.

        Raises IllegalTransition (409).
        """
        if status == self.status:
            return
        if status not in self.TRANSITIONS[self.status]:
            raise IllegalTransition(f"{type(self).__name__} can't change from {self.status} to {status}.")
        self._unsaved_moves = (*self._unsaved_moves, (str(self.status), str(status)))
        self.status = status
        self.has_moved = True

    def save_base(self, *args: Any, **kwargs: Any) -> None:
        """Save the row and announce its moves, both or neither."""
        is_new, fields = self._state.adding, kwargs.get("update_fields")  # type: ignore[attr-defined]  # a model's
        with transaction.atomic(savepoint=False):
            super().save_base(*args, **kwargs)  # type: ignore[misc]  # a model's
            if fields is not None and "status" not in fields:
                return
            moves, self._unsaved_moves = self._unsaved_moves, ()
            if is_new and self.announces_start:
                moves = ((None, moves[0][0] if moves else str(self.status)), *moves)
            for before, after in moves:
                moved.send(type(self), row=self, before=before, after=after)
