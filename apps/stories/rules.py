"""What a site asks of a story before it is published, and what a story still lacks."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from apps.accounts.founders.completeness import ProfileRules, profile_gaps
from apps.accounts.models import FounderProfile
from apps.sites.models import Site
from apps.stories.plain_text import count_links, count_words
from apps.stories.sections import SECTIONS


@dataclass(frozen=True, slots=True)
class Rules:
    """The numbers of a site: words, sections, characters of the title, links; and what it asks of the profile."""

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
        """The rules that `to_json` wrote."""
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
    """A story's words by their field: title and sections, as they would be saved."""

    title: str
    sections: Mapping[str, str]

    def counts(self) -> dict[str, int]:
        """The number of words of each section, in order; 0 for an empty one."""
        return {name: count_words(self.sections.get(name, "")) for name in SECTIONS}


@dataclass(frozen=True, slots=True)
class Gap:
    """One thing that keeps a story from being published: `reason` what to do, with counts, `url` where."""

    reason: str
    url: str


def gaps(
    words: Words, *, profile: FounderProfile, site: Site, editor_url: str, rules: Rules | None = None
) -> list[Gap]:
    """Everything a story lacks by the site's rules, or by others that are given; empty when it can be published.

    `editor_url` is where the story is edited; the entries lead to its fields.
    """
    asked = rules or Rules.of(site)
    found = [gap for check in _CHECKS for gap in check(words, asked, editor_url)]
    found += [Gap(gap.reason, gap.url) for gap in profile_gaps(profile, site=site, rules=asked.profile)]
    return found


def _title(words: Words, rules: Rules, url: str) -> list[Gap]:
    length, least, most = len(words.title), rules.min_title_characters, rules.max_title_characters
    if not length and least:
        return [Gap(f"Give the story a title of {least} to {most} characters.", f"{url}#title")]
    if length < least:
        return [
            Gap(
                f"Make the title {_more(least - length, 'character')} longer: it has {length} of {least}.",
                f"{url}#title",
            )
        ]
    if length > most:
        over = _more(length - most, "character")
        return [Gap(f"Make the title {over} shorter: it has {length}, {most} at most.", f"{url}#title")]
    return []


def _required(words: Words, rules: Rules, url: str) -> list[Gap]:
    counts, least = words.counts(), max(rules.min_section_words, 1)
    return [
        Gap(
            f"Write {_more(least - counts[name], 'more word')} under “{heading}”: it has {counts[name]} of {least}.",
            f"{url}#{name}",
        )
        for name, heading in SECTIONS.items()
        if name in rules.required_sections and counts[name] < least
    ]


def _sections(words: Words, rules: Rules, url: str) -> list[Gap]:
    counts, least = words.counts(), max(rules.min_section_words, 1)
    there = sum(count >= least for count in counts.values())
    lacking = rules.min_sections - there
    # Those that are required have an entry of their own.
    open_ones = [name for name, count in counts.items() if count < least and name not in rules.required_sections]
    lacking -= sum(counts[name] < least for name in rules.required_sections)
    if lacking <= 0 or not open_ones:
        return []
    nearest = max(open_ones, key=lambda name: counts[name])
    told = ", ".join(f"“{SECTIONS[name]}” has {counts[name]}" for name in open_ones)
    reason = (
        f"Bring {_more(lacking, 'more section')} to {_more(least, 'word')}: {there} of {rules.min_sections} have as "
        f"many; {told}."
    )
    return [Gap(reason, f"{url}#{nearest}")]


def _total(words: Words, rules: Rules, url: str) -> list[Gap]:
    total = sum(words.counts().values())
    if total >= rules.min_words:
        return []
    lacking = _more(rules.min_words - total, "more word")
    return [Gap(f"Write {lacking}: the story has {total} of {rules.min_words}.", url)]


def _links(words: Words, rules: Rules, url: str) -> list[Gap]:
    links = {name: count_links(words.sections.get(name, "")) for name in SECTIONS}
    total = sum(links.values())
    if total <= rules.max_links:
        return []
    told = ", ".join(f"“{SECTIONS[name]}” has {count}" for name, count in links.items() if count)
    most = next(name for name, count in links.items() if count == max(links.values()))
    over = _more(total - rules.max_links, "link")
    reason = f"Take out {over}: the story has {total}, {rules.max_links} at most; {told}."
    return [Gap(reason, f"{url}#{most}")]


_CHECKS: tuple[Callable[[Words, Rules, str], list[Gap]], ...] = (_title, _required, _sections, _total, _links)


def _more(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
