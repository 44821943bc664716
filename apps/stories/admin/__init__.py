"""Admin pages for founder stories and interviews."""

from apps.stories.admin import interviews, stories

__all__ = ["interviews", "stories"]
