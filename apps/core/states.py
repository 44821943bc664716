"""Rows that move through a table of states."""

from collections.abc import Mapping
from typing import Any, ClassVar

from apps.core.errors import Conflict


class IllegalTransition(Conflict):
    code = "illegal_transition"
    title = "Not possible in this status"


class HasStates:
    """A model with a `status` and TRANSITIONS, from each state to those that may follow. The first is the initial one.

    `docs/states.md` is generated from the table. Services decide who may move a row, and when.
    """

    TRANSITIONS: ClassVar[Mapping[str, frozenset[str]]]
    status: Any
    # Whether the status was changed since the row was read.
    has_moved = False

    def move_to(self, status: str) -> None:
        """Set the next status if the table allows it. The same status is a no-op. The caller saves it.

        Raises IllegalTransition (409).
        """
        if status == self.status:
            return
        if status not in self.TRANSITIONS[self.status]:
            raise IllegalTransition(f"{type(self).__name__} can't change from {self.status} to {status}.")
        self.status = status
        self.has_moved = True
