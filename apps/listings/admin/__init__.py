"""Admin pages of listings: a module for each kind of record."""

from apps.listings.admin import metrics
from apps.listings.admin.categories import CategoryAdmin
from apps.listings.admin.claims import ClaimAdmin
from apps.listings.admin.companies import CompanyAdmin
from apps.listings.admin.listings import ListingAdmin
from apps.listings.admin.updates import MilestoneAdmin, UpdateAdmin
from apps.listings.admin.versions import ListingVersionAdmin

__all__ = [
    "CategoryAdmin",
    "ClaimAdmin",
    "CompanyAdmin",
    "ListingAdmin",
    "ListingVersionAdmin",
    "MilestoneAdmin",
    "UpdateAdmin",
    "metrics",
]

# In the admin's sidebar: by group, each model with the name of its rows and a Material symbol.
SIDEBAR = {
    "Directory": (
        ("listings.Listing", "Listings", "storefront"),
        ("listings.Company", "Companies", "domain"),
        ("listings.Category", "Categories", "category"),
        ("listings.Claim", "Claims", "verified_user"),
        ("listings.Update", "Updates", "campaign"),
        ("listings.Milestone", "Milestones", "flag"),
        ("listings.ListingVersion", "Version history", "history"),
    ),
}
