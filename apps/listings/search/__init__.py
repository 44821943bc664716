"""Search: one language for page, REST API and MCP; full text with weights, corrected when nothing is found."""

from apps.listings.search.indexing import index, reindex_all
from apps.listings.search.language import HELP, MAX_LENGTH
from apps.listings.search.queries import COUNTED, Found, Order, find_listings, search_listings, suggest_listings
from apps.listings.search.similar import similar_listings

__all__ = [
    "COUNTED",
    "HELP",
    "MAX_LENGTH",
    "Found",
    "Order",
    "find_listings",
    "index",
    "reindex_all",
    "search_listings",
    "similar_listings",
    "suggest_listings",
]
