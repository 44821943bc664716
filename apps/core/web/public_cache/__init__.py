"""Cache public responses in Valkey (`middleware.py`).

docs/decisions/0024 says what is cached, for how long, and what ends it.
"""

from apps.core.web.public_cache.membership import FROM_CACHE, ROUTE, belongs_to, counts_view_of, viewed_from_cache

__all__ = ["FROM_CACHE", "ROUTE", "belongs_to", "counts_view_of", "viewed_from_cache"]
