"""A story's sections: headings and older accepted names."""

from collections.abc import Mapping

from apps.sites.rule_choices import StorySection

SECTIONS: Mapping[str, str] = dict(StorySection.choices)
OLD_NAMES: Mapping[str, str] = {
    "story": "how_started",
    "why_started": "problem",
    "journey": "what_built",
    "challenges": "hard_parts",
    "achievements": "milestones",
    "lessons": "whats_next",
}
MAX_SECTION_CHARACTERS = 10_000
