"""Admin pages for founder stories and interviews."""

from apps.stories.admin import interviews, stories

__all__ = ["interviews", "stories"]

# In the admin's sidebar: by group, each model with the name of its rows and a Material symbol.
SIDEBAR = {
    "Founders": (
        ("stories.FounderStory", "Founder stories", "auto_stories"),
        ("stories.InterviewAnswer", "Interview answers", "forum"),
        ("stories.InterviewVersion", "Interview versions", "history"),
        ("stories.InterviewQuestion", "Interview questions", "help"),
    ),
}
