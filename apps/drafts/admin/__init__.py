"""Drafts in the admin."""

from apps.drafts.admin import drafts, metrics

__all__ = ["drafts", "metrics"]

# In the admin's sidebar: by group, each model with the name of its rows and a Material symbol.
SIDEBAR = {
    "Directory": (("drafts.Draft", "Drafts", "edit_note"),),
}
