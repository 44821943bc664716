"""Read an account's events."""

from collections.abc import Collection

from apps.accounts.models import User
from apps.core.errors import Unprocessable
from apps.core.request.waiting import wait_until
from apps.events.models import Event, EventCounter


class UnknownPosition(Unprocessable):
    """422: a position after the account's last event, such as one of another account, would miss events silently."""

    code = "unknown_position"


def list_events(
    seq: int, *, account: User, types: Collection[str] = (), limit: int = 100, wait_seconds: int = 0
) -> tuple[list[Event], int]:
    """Return an account's events after a `seq`, oldest first, and where to read on. Without any, wait for the next one.

    Without `types`, all are returned. The wait ends early if too many others wait, in all or of the account. Raises
    UnknownPosition (422).
    """
    last = check_position(seq, account)
    result = Event.objects.visible_to(account).filter(seq__gt=seq).select_related("site")
    if types:
        result = result.filter(type__in=types)
    if wait_seconds:
        wait_until(result.exists, seconds=wait_seconds, account_id=account.pk)
    events = list(result[:limit])
    reached = events[-1].seq or seq if events else seq
    # With less than a page, events of other types up to the last needn't be read again.
    return events, reached if len(events) == limit else max(reached, last)


def check_position(seq: int, account: User) -> int:
    """Return the account's last `seq`. Raises UnknownPosition (422) for a later one."""
    last = EventCounter.objects.filter(account=account).values_list("last", flat=True).first() or 0
    if seq > last:
        detail = f"This account's last event is {last}. Send {last} or less, or 0 to start over."
        raise UnknownPosition(detail, pointer="/after")
    return last
