"""Durations in words."""

import math
from collections.abc import Callable


def duration_text(seconds: float, *, rounded: Callable[[float], int] = math.floor) -> str:
    """`5 days`, up to three days `12 hours`, up to two hours `44 minutes`; never less than `1 minute`."""
    minutes = max(rounded(seconds / 60), 1)
    if minutes > 72 * 60:
        count, unit = rounded(minutes / (24 * 60)), "day"
    elif minutes >= 120:
        count, unit = rounded(minutes / 60), "hour"
    else:
        count, unit = minutes, "minute"
    return f"{count} {unit}{'' if count == 1 else 's'}"


def wait_text(seconds: float) -> str:
    """Return a waiting time rounded up, so that waiting that long is enough."""
    return duration_text(seconds, rounded=math.ceil)
