"""Founder stories and interview questions for the site team."""

from apps.stories.admin import interviews, stories

__all__ = ["interviews", "stories"]
