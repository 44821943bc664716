"""What the page of a history shows of each version (templates/parts/versions.html)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from apps.core.versions.authorship import Authorship
from apps.core.versions.differences import Difference


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One of the things that an act changed; `unchanged` is said where there are no differences."""

    differences: Sequence[Difference]
    label: str = ""
    tone: str = "neutral"
    unchanged: str = ""
    restore_url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One act of a history: who, by what, when, and what changed; `restored_at` is the time of what it brought back."""

    author: Authorship
    created_at: datetime
    parts: Sequence[Part]
    restored_at: datetime | None = None
    reason: str = ""
