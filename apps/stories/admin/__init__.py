"""Founder stories and interview questions in the admin."""

from apps.stories.admin import interviews, stories

__all__ = ["interviews", "stories"]
