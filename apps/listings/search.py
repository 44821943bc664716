"""Full-text search: weighted, accent-insensitive, by word beginnings; by likeness when that finds nothing."""

import re

from django.contrib.postgres.search import SearchQuery, SearchRank, TrigramWordSimilarity
from django.db import connection
from django.db.models import F, FloatField
from django.db.models.functions import Cast

from apps.listings.models import ListingQuerySet

CONFIGURATION = "slipway"
MAX_WORDS = 12
_WORD = re.compile(r"\w+")
_LIKENESS = 0.3


def search(queryset: ListingQuerySet, text: str) -> ListingQuerySet:
    """Narrow `queryset` to what matches `text`, best first; without words it is ordered by votes.

    Every word must occur, the last letters may be missing. When nothing matches, names alike are found
    instead, so that a typing error still leads there.
    """
    words = _WORD.findall(text)[:MAX_WORDS]
    if not words:
        return queryset.order_by("-votes", "id")
    query = SearchQuery(" & ".join(f"'{word}':*" for word in words), search_type="raw", config=CONFIGURATION)
    found = queryset.filter(search_vector=query)
    if found.exists():
        return found.annotate(rank=SearchRank(F("search_vector"), query)).order_by("-rank", "-votes", "id")
    return _alike(queryset, " ".join(words))


def _alike(queryset: ListingQuerySet, text: str) -> ListingQuerySet:
    likeness = Cast(TrigramWordSimilarity(text, "company__name"), FloatField())
    return queryset.annotate(rank=likeness).filter(rank__gte=_LIKENESS).order_by("-rank", "-votes", "id")


def index(*, listing_ids: list[int] | None = None, company_id: int | None = None) -> None:
    """Bring the search vectors of some listings, or of all listings of a company, up to date."""
    condition = "l.id = ANY(%s)" if listing_ids is not None else "l.company_id = %s"
    with connection.cursor() as cursor:
        cursor.execute(_INDEX_SQL + condition, [listing_ids if listing_ids is not None else company_id])


_INDEX_SQL = """
    UPDATE listings_listing l SET search_vector =
        setweight(to_tsvector('slipway', c.name), 'A')
        || setweight(to_tsvector('slipway', l.headline || ' ' || array_to_string(l.tags, ' ')), 'B')
        || setweight(to_tsvector('slipway', l.summary || ' ' || coalesce((
            SELECT string_agg(k.name, ' ') FROM listings_category k
            JOIN listings_listing_categories m ON m.category_id = k.id WHERE m.listing_id = l.id), '')), 'C')
        || setweight(to_tsvector('slipway', l.description), 'D')
    FROM listings_company c WHERE c.id = l.company_id AND """
