"""What the nth listing of a benchmark's directory is: the same in every run, and like those of a real directory.

Words follow Zipf's law, votes Pareto's. Launches spread over five years, with more of them in recent ones.
"""

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from itertools import accumulate

from apps.core.text.weeks import Week

WORDS = 20_000
WEEKS = 260
# The first account owns so many, beginning with the first: it calls the API as an owner.
OWN_LISTINGS = 39
_SYLLABLES = [first + vowel for first in "bcdfghjklmnprstvwz" for vowel in "aeiou"]
_HEADLINE, _SUMMARY, _DESCRIPTION = 7, 25, 60


@cache
def vocabulary() -> list[str]:
    """Words of two to four syllables, the most frequent first."""
    chance = random.Random(4)  # noqa: S311  # words, not secrets
    words: dict[str, None] = {}
    while len(words) < WORDS:
        words["".join(chance.choices(_SYLLABLES, k=chance.choice([2, 3, 3, 4])))] = None
    return list(words)


def coined(number: int) -> str:
    """A word of five syllables that eight listings share and no other has: most words of a language are rare."""
    syllables = [_SYLLABLES[number // 8 // len(_SYLLABLES) ** place % len(_SYLLABLES)] for place in range(3)]
    return "".join(["zu", *syllables, "za"])


@cache
def _frequencies() -> list[float]:
    return list(accumulate(1 / rank for rank in range(1, WORDS + 1)))


@dataclass(frozen=True, slots=True)
class Made:
    """One listing with its company and owner. `categories` are positions in the site's list."""

    number: int
    name: str
    headline: str
    summary: str
    description: str
    votes: int
    status: str
    week: Week
    is_paid: bool
    categories: list[int]

    @property
    def owner(self) -> int:
        """The number of the owner's first listing; most owners have two or three."""
        return 0 if self.number < OWN_LISTINGS else self.number - self.number % 3

    @property
    def is_owners_first(self) -> bool:
        return self.owner == self.number

    @property
    def is_live(self) -> bool:
        return self.status == "live"

    @property
    def has_story(self) -> bool:
        return self.is_live and self.is_owners_first and self.number % 30 == 0

    @property
    def has_profile(self) -> bool:
        """Whether the owner has a page of their own."""
        return self.has_story or self.number % 9 == 0

    @property
    def has_billboard(self) -> bool:
        return self.number % 5_000 == 0

    @property
    def has_order(self) -> bool:
        return self.is_live and (self.is_paid or self.number < OWN_LISTINGS)

    @property
    def slug(self) -> str:
        return f"{self.name.lower().replace(' ', '-')}-{self.number}"

    @property
    def launched_at(self) -> datetime:
        return self.week.starts_at + timedelta(seconds=1, microseconds=self.number)


def make(number: int, *, now: Week, categories: int) -> Made:
    """The listing of this number in a directory whose current week is `now`."""
    words, chance = vocabulary(), random.Random(number)  # noqa: S311
    text = chance.choices(words, cum_weights=_frequencies(), k=_HEADLINE + _SUMMARY + _DESCRIPTION)
    votes = int(chance.paretovariate(0.8)) % 5000
    status, week = _status_and_week(number, chance, now)
    summary = " ".join(text[_HEADLINE : _HEADLINE + _SUMMARY])
    return Made(
        number=number,
        name=f"{words[number % WORDS].title()} {words[(number * 7 + 1) % WORDS].title()}",
        headline=" ".join(text[:_HEADLINE])[:80].strip(),
        summary=f"{summary} unpopular" if votes <= 1 else summary,
        description=" ".join([*text[_HEADLINE + _SUMMARY :], coined(number)]),
        votes=votes if status in {"live", "archived"} else 0,
        status=status,
        week=week,
        is_paid=number % 25 == 0,
        categories=sorted({min(int(chance.paretovariate(0.7)) - 1, categories - 1) for _ in range(2)}),
    )


def _status_and_week(number: int, chance: random.Random, now: Week) -> tuple[str, Week]:
    """A few wait for their launch, in weeks that keep places for others."""
    week = now + -int(WEEKS * (1 - chance.random() ** 0.5))
    if number % 100 == 57:
        return "archived", min(week, now + -1)
    if number % 200 == 107 and number < 20_000:
        return "scheduled", now + 2 + number // 200 % 10
    return "live", week
