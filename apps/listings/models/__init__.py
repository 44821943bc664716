"""Companies, their listings on each site, updates, followers and the version history."""

from apps.listings.models.categories import Category
from apps.listings.models.claims import Claim
from apps.listings.models.companies import Company
from apps.listings.models.evidence import ListingEvidence
from apps.listings.models.history import ListingVersion
from apps.listings.models.listings import MIN_RATINGS, Listing, ListingQuerySet, Rating, rating_of
from apps.listings.models.pictures import CompanyPicture, ListedPicture, image_url, logo_image_url
from apps.listings.models.search_words import SearchWord
from apps.listings.models.updates import Follow, Milestone, Update

__all__ = [
    "MIN_RATINGS",
    "Category",
    "Claim",
    "Company",
    "CompanyPicture",
    "Follow",
    "ListedPicture",
    "Listing",
    "ListingEvidence",
    "ListingQuerySet",
    "ListingVersion",
    "Milestone",
    "Rating",
    "SearchWord",
    "Update",
    "image_url",
    "logo_image_url",
    "rating_of",
]
