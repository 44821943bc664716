"""Admin pages of comments."""

from apps.comments.admin import comments, metrics

__all__ = ["comments", "metrics"]

# In the admin's sidebar: by group, each model with the name of its rows and a Material symbol.
SIDEBAR = {
    "Directory": (("comments.Comment", "Comments", "chat_bubble"),),
}
