"""Admin pages of reviews."""

from apps.reviews.admin import metrics, reviews

__all__ = ["metrics", "reviews"]

# In the admin's sidebar: by group, each model with the name of its rows and a Material symbol.
SIDEBAR = {
    "Directory": (("reviews.Review", "Reviews", "star"),),
}
