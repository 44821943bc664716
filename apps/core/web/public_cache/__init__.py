"""Public answers are kept in Valkey by `middleware.py`.

docs/decisions/0024 says what is kept, for how long, and what ends it.
"""

from apps.core.web.public_cache.membership import belongs_to, counts_view_of, viewed_from_cache

__all__ = ["belongs_to", "counts_view_of", "viewed_from_cache"]
