"""Checks for site rules that can't be met or that contradict each other."""

from apps.sites.models import Site
from apps.sites.rule_choices import StorySection

# A section holds 10,000 characters, which is about this many words in any language.
MAX_SECTION_WORDS = 1_000
# The length of a bio.
MAX_BIO_CHARACTERS = 1_000


def contradictions(site: Site) -> dict[str, str]:
    """Return an error for each rule that conflicts with another."""
    result = {
        "story_title_min_characters": _title_problem(site),
        "story_min_section_words": _section_problem(site),
        "story_min_words": _words_problem(site),
        "story_min_sections": _sections_problem(site),
        "profile_min_bio_characters": _bio_problem(site),
    }
    return {name: text for name, text in result.items() if text}


def _title_problem(site: Site) -> str:
    if site.story_title_min_characters <= site.story_title_max_characters:
        return ""
    return f"The maximum below is {site.story_title_max_characters} characters. Enter a lower number."


def _section_problem(site: Site) -> str:
    if site.story_min_section_words <= MAX_SECTION_WORDS:
        return ""
    return f"A section can have up to {MAX_SECTION_WORDS:,} words. Enter a lower number."


def _words_problem(site: Site) -> str:
    most = MAX_SECTION_WORDS * len(StorySection)
    if site.story_min_words <= most:
        return ""
    return f"The {len(StorySection)} sections can have up to {most:,} words. Enter a lower number."


def _sections_problem(site: Site) -> str:
    required = len(set(site.story_required_sections))
    if required <= site.story_min_sections:
        return ""
    return f"{required} sections are required below. Enter {required} or more."


def _bio_problem(site: Site) -> str:
    if site.profile_min_bio_characters <= MAX_BIO_CHARACTERS:
        return ""
    return f"A bio can have up to {MAX_BIO_CHARACTERS:,} characters. Enter a lower number."
