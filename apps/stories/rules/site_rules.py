"""A site's rules for stories, and what a story lacks."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from apps.accounts.founders.completeness import ProfileRules, profile_gaps
from apps.accounts.models import FounderProfile
from apps.core.editing.plain_text import count_links, count_words
from apps.sites.models import Site
from apps.stories.sections import SECTIONS


@dataclass(frozen=True, slots=True)
class Rules:
    """A site's limits for words, sections, title and links, and its profile rules."""

    min_words: int
    min_sections: int
    min_section_words: int
    required_sections: tuple[str, ...]
    min_title_characters: int
    max_title_characters: int
    max_links: int
    profile: ProfileRules

    @classmethod
    def of(cls, site: Site) -> "Rules":
        return cls(
            min_words=site.story_min_words,
            min_sections=site.story_min_sections,
            min_section_words=site.story_min_section_words,
            required_sections=tuple(site.story_required_sections),
            min_title_characters=site.story_title_min_characters,
            max_title_characters=site.story_title_max_characters,
            max_links=site.story_max_links,
            profile=ProfileRules.of(site),
        )

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Rules":
        """Return the rules written by `to_json`."""
        profile = stored["profile"]
        return cls(
            **{
                **stored,
                "required_sections": tuple(stored["required_sections"]),
                "profile": ProfileRules(**{**profile, "parts": tuple(profile["parts"])}),
            }
        )

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Words:
    """A story's title and sections as they would be saved."""

    title: str
    sections: Mapping[str, str]

    def counts(self) -> dict[str, int]:
        """Return each section's number of words in order, 0 for an empty one."""
        return {name: count_words(self.sections.get(name, "")) for name in SECTIONS}


@dataclass(frozen=True, slots=True)
class Gap:
    """A missing part of a story. `reason` says what to do, with counts, and `url` where."""

    reason: str
    url: str


def gaps(
    words: Words, *, profile: FounderProfile, site: Site, editor_url: str, rules: Rules | None = None
) -> list[Gap]:
    """Return everything a story lacks by the site's rules or by given ones. Empty if it can be published.

    `editor_url` is the story editor. Gaps link to its fields.
    """
    rules_in_force = rules or Rules.of(site)
    result = [gap for check in _CHECKS for gap in check(words, rules_in_force, editor_url)]
    result += [Gap(gap.reason, gap.url) for gap in profile_gaps(profile, site=site, rules=rules_in_force.profile)]
    return result


def _title(words: Words, rules: Rules, url: str) -> list[Gap]:
    # A page needs a title, whatever the rules.
    length, least, most = len(words.title), max(rules.min_title_characters, 1), rules.max_title_characters
    where = f"{url}#title"
    if not length:
        return [Gap(f"Add a title of {least} to {_more(most, 'character')}.", where)]
    if length < least:
        lacking = _more(least - length, "character")
        return [Gap(f"Add {lacking} to the title. It has {length} of {least}.", where)]
    if length > most:
        over = _more(length - most, "character")
        return [Gap(f"Shorten the title by {over}. It has {length}, the maximum is {most}.", where)]
    return []


def _required(words: Words, rules: Rules, url: str) -> list[Gap]:
    counts, least = words.counts(), _least(rules)
    return [
        Gap(
            f"Add {_more(least - counts[name], 'more word')} to “{SECTIONS[name]}”. It has {counts[name]} of {least}.",
            f"{url}#{name}",
        )
        for name in _short_required(counts, rules)
    ]


def _sections(words: Words, rules: Rules, url: str) -> list[Gap]:
    counts, least = words.counts(), _least(rules)
    there = sum(count >= least for count in counts.values())
    # Required sections have their own gaps.
    lacking = rules.min_sections - there - len(_short_required(counts, rules))
    open_ones = [name for name, count in counts.items() if count < least and name not in rules.required_sections]
    if lacking <= 0 or not open_ones:
        return []
    nearest = max(open_ones, key=lambda name: counts[name])
    detail = ", ".join(f"“{SECTIONS[name]}” has {counts[name]}" for name in open_ones)
    reason = (
        f"Write {_more(lacking, 'more section')} of {_more(least, 'word')} or more. {there} of "
        f"{rules.min_sections} done. {detail}."
    )
    return [Gap(reason, f"{url}#{nearest}")]


def _least(rules: Rules) -> int:
    """Return the minimum words for a section to count. An empty one never does."""
    return max(rules.min_section_words, 1)


def _short_required(counts: Mapping[str, int], rules: Rules) -> list[str]:
    return [name for name, count in counts.items() if name in rules.required_sections and count < _least(rules)]


def _total(words: Words, rules: Rules, url: str) -> list[Gap]:
    counts = words.counts()
    # A story needs at least one word, whatever the rules.
    total, least = sum(counts.values()), max(rules.min_words, 1)
    if total >= least:
        return []
    shortest = min(counts, key=lambda name: counts[name])
    return [Gap(f"Add {_more(least - total, 'more word')}. The story has {total} of {least}.", f"{url}#{shortest}")]


def _links(words: Words, rules: Rules, url: str) -> list[Gap]:
    links = {name: count_links(words.sections.get(name, "")) for name in SECTIONS}
    total = sum(links.values())
    if total <= rules.max_links:
        return []
    detail = ", ".join(f"“{SECTIONS[name]}” has {count}" for name, count in links.items() if count)
    most = next(name for name, count in links.items() if count == max(links.values()))
    over = _more(total - rules.max_links, "link")
    reason = f"Remove {over}. The story has {total}, the maximum is {rules.max_links}. {detail}."
    return [Gap(reason, f"{url}#{most}")]


_CHECKS: tuple[Callable[[Words, Rules, str], list[Gap]], ...] = (_title, _required, _sections, _total, _links)


def _more(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
