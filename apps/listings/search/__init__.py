"""Search: one language for page, REST API and MCP; full text with weights, corrected when nothing is found."""

from apps.listings.search.finding import COUNTED, Found, find
from apps.listings.search.indexing import index, reindex_all
from apps.listings.search.language import HELP, MAX_LENGTH

__all__ = ["COUNTED", "HELP", "MAX_LENGTH", "Found", "find", "index", "reindex_all"]
