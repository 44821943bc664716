"""Admin pages of collections."""

from apps.curation.admin import collections, metrics

__all__ = ["collections", "metrics"]

# In the admin's sidebar: by group, each model with the name of its rows and a Material symbol.
SIDEBAR = {
    "Directory": (("curation.Collection", "Collections", "bookmark"),),
}
