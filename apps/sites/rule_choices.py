"""Choices for a site's rules."""

from django.db import models


class StorySection(models.TextChoices):
    """Sections of a founder story, in order."""

    HOW_STARTED = "how_started", "How it started"
    PROBLEM = "problem", "The problem"
    WHAT_BUILT = "what_built", "What we built"
    HARD_PARTS = "hard_parts", "The hard parts"
    MILESTONES = "milestones", "Milestones"
    WHATS_NEXT = "whats_next", "What’s next"


class ProfilePart(models.TextChoices):
    """Parts that a complete founder profile can require."""

    REAL_NAME = "real_name", "Real name"
    ROLE = "role", "Role"
    BIO = "bio", "Bio"
    PHOTO = "photo", "Photo"
    LINKS = "links", "A link"


def default_story_sections() -> list[str]:
    return [StorySection.HOW_STARTED.value, StorySection.PROBLEM.value]


def default_profile_parts() -> list[str]:
    return [part.value for part in (ProfilePart.REAL_NAME, ProfilePart.ROLE, ProfilePart.BIO, ProfilePart.PHOTO)]
