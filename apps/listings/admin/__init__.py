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
