"""Find the listings most similar to one: named alternatives, shared categories and tags, and the same words."""

from collections.abc import Iterable, Sequence

from django.db.models.expressions import RawSQL

from apps.listings.models import Listing
from apps.listings.search.language import parse
from apps.listings.search.words import chunks

# Of the listings in the same categories, and of those with the same words, these many with the most votes are compared.
COMPARED = 40
# Shorter words of a headline say little about the product.
_LEAST_LETTERS = 5
_SHOWN = ("slug", "headline", "votes", "company__name", "company__logo_key", "standing__votes")


def similar_listings(listing: Listing, *, named: Sequence[int] = (), limit: int) -> list[Listing]:
    """Return live listings of the same site, the most similar first, with what a list of names shows, in one query.

    Being named as an alternative counts most, by either side, and `named` has the ids of those that the listing names.
    Each shared category counts more than a shared tag, and that more than words. Ties go to more votes. Plans and
    purchases don't count. The listing's categories are prefetched.
    """
    categories = [category.pk for category in listing.categories.all()]
    tags = [tag.lower() for tag in listing.tags]
    own_names = [listing.company.name.lower(), listing.company.website_key]
    words, known, site = words_of(listing), list(named), listing.site_id
    compared = RawSQL(_COMPARED_SQL, [known, site, categories, site, words])  # noqa: S611  # constant, with parameters
    score = RawSQL(_SCORE_SQL, [known, own_names, categories, tags, words])  # noqa: S611
    result = Listing.objects.public().filter(site=site, pk__in=compared).exclude(pk=listing.pk)
    shown = result.select_related("company", "standing").only(*_SHOWN)
    return list(shown.order_by(score.desc(), "-votes", "pk")[:limit])


def words_of(listing: Listing) -> str:
    """Return a tsquery for any of the listing's tags and of the longer words of its headline.

    Without a category, a word of the headline says too little about the product.
    """
    headline = listing.headline if listing.categories.all() else ""
    spoken = [word for chunk in chunks(headline) if len(word := chunk.joined) >= _LEAST_LETTERS]
    return " | ".join(dict.fromkeys(_conditions([*listing.tags, *spoken])))


def _conditions(texts: Iterable[str]) -> Iterable[str]:
    for text in texts:
        yield from (term.condition(whole=True) for term in parse(f'"{text}"').wanted)


_COMPARED_SQL = f"""
    SELECT unnest(%s::bigint[])
    UNION (SELECT l.id FROM listings_listing l
        WHERE l.site_id = %s AND l.status = 'live' AND EXISTS (
            SELECT FROM listings_listing_categories m
            WHERE m.listing_id = l.id AND m.category_id = ANY(%s::bigint[]))
        ORDER BY l.votes DESC, l.id LIMIT {COMPARED})
    UNION (SELECT l.id FROM listings_listing l
        WHERE l.site_id = %s AND l.status = 'live' AND l.search_vector @@ %s::tsquery
        ORDER BY l.votes DESC, l.id LIMIT {COMPARED})"""  # noqa: S608  # made of constants
_SCORE_SQL = """
    (CASE WHEN listings_listing.id = ANY(%s::bigint[]) THEN 8 ELSE 0 END)
    + (CASE WHEN EXISTS (SELECT FROM unnest(listings_listing.alternatives) other WHERE lower(other) = ANY(%s::text[]))
        THEN 8 ELSE 0 END)
    + 3 * (SELECT count(*) FROM listings_listing_categories m
        WHERE m.listing_id = listings_listing.id AND m.category_id = ANY(%s::bigint[]))
    + 2 * (SELECT count(*) FROM unnest(listings_listing.tags) tag WHERE lower(tag) = ANY(%s::text[]))
    + coalesce(ts_rank(listings_listing.search_vector, %s::tsquery), 0)"""
