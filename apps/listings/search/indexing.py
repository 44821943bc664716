"""Keep search vectors, and the words for correcting typos, in step with the texts."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.db import connection, transaction

from apps.core.delay_on_commit import delay_on_commit
from apps.core.stores.valkey.generations import LISTS, only
from apps.listings.search.vectors import CUTTING, Texts, deletions, vector_of

# Listings whose texts are compared with their index at a time.
COMPARED = 5_000
# Rows that are locked at a time. Writers of one of them wait for a few tenths of a second.
BATCH = 200
AT_ONCE = 1_000


def index(
    *, listing_ids: Sequence[int] | None = None, company_id: int | None = None, category_id: int | None = None
) -> None:
    """Update the search vectors of some listings, or of a company's or category's.

    Call it in the transaction that changed a name, a headline, tags, a summary, a description or categories. If there
    are more than AT_ONCE listings, a worker indexes the rest after the commit, to hold few locks.
    """
    # The task imports this module.

    wanted = _wanted(listing_ids, company_id, category_id)
    index_in_batches(wanted[:AT_ONCE])
    if wanted[AT_ONCE:]:
        delay_on_commit("apps.listings.tasks.index_listings", wanted[AT_ONCE:])


def index_in_batches(listing_ids: Sequence[int]) -> None:
    """Index some listings. Outside of a transaction, each batch has its own."""
    for start in range(0, len(listing_ids), BATCH):
        index_batch(listing_ids[start : start + BATCH])


def reindex_all() -> Iterator[int]:
    """Reindex every listing, each batch in its own transaction, then drop unused words.

    Yields how many listings are done. Safe to stop, repeat and run while people write.
    """
    done, last = 0, 0
    while ids := _rows(_NEXT_SQL, [last, BATCH]):
        batch = [row[0] for row in ids]
        index_batch(batch)
        done, last = done + len(batch), batch[-1]
        yield done
    forget_words()


def reindex_changed() -> int:
    """Reindex listings whose texts differ from their index, drop unused words, and return how many.

    After a release that splits texts differently, those are all listings. The others are read but not locked.
    """
    done, last = 0, 0
    while ids := _rows(_NEXT_SQL, [last, COMPARED]):
        last = ids[-1][0]
        changed = [row[0] for row in _rows(_CHANGED_SQL, [CUTTING, ids[0][0], last])]
        index_in_batches(changed)
        done += len(changed)
    forget_words()
    return done


@transaction.atomic
def index_batch(listing_ids: Sequence[int]) -> None:
    """Index some listings, which stay locked until the transaction ends."""
    # Locked first and read by another statement, so that the last writer's changes are complete, including the company.
    _rows("SELECT id FROM listings_listing WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE", [list(listing_ids)])
    rows = _rows(_TEXTS_SQL, [CUTTING, list(listing_ids)])
    made = [(pk, site_id, texts, vector_of(Texts(*row))) for pk, site_id, texts, *row in rows]
    with only(lambda: [LISTS]):
        _run(_STORE_SQL, [[pk for pk, *_ in made], [texts for _, _, texts, _ in made], [str(one[-1]) for one in made]])
    _learn({(site_id, word) for _, site_id, _, vector in made for word in vector.words})


def forget_words() -> int:
    """Remove the words that no listing of their site has any more, and return how many."""
    with connection.cursor() as cursor:
        cursor.execute(_FORGET_SQL)
        return int(cursor.rowcount)


def _learn(pairs: set[tuple[int, str]]) -> None:
    # Always in the same order, so that two writers of the same new words can't deadlock.
    words = sorted(pairs)
    sites, names = [site_id for site_id, _ in words], [word for _, word in words]
    _run(_LEARN_SQL, [sites, names, [" ".join(sorted(set(deletions(word)))) for word in names]])


def _wanted(listing_ids: Sequence[int] | None, company_id: int | None, category_id: int | None) -> list[int]:
    if listing_ids is not None:
        return sorted(listing_ids)
    if company_id is not None:
        rows = _rows("SELECT id FROM listings_listing WHERE company_id = %s ORDER BY id", [company_id])
    else:
        rows = _rows(
            "SELECT listing_id FROM listings_listing_categories WHERE category_id = %s ORDER BY 1", [category_id]
        )
    return [row[0] for row in rows]


def _rows(sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        result: list[tuple[Any, ...]] = cursor.fetchall()
    return result


def _run(sql: str, values: Sequence[Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


_NEXT_SQL = "SELECT id FROM listings_listing WHERE id > %s ORDER BY id LIMIT %s"
_READ_SQL = """
    FROM listings_listing l JOIN listings_company c ON c.id = l.company_id
    CROSS JOIN LATERAL (
        SELECT ARRAY(
            SELECT k.name FROM listings_category k JOIN listings_listing_categories m ON m.category_id = k.id
            WHERE m.listing_id = l.id ORDER BY k.position, k.id
        ) AS names
    ) k
    CROSS JOIN LATERAL (
        SELECT hashtextextended(ROW(c.name, l.headline, l.tags, l.summary, k.names, l.description)::text, %s) AS hash
    ) texts"""
_TEXTS_SQL = f"""
    SELECT l.id, l.site_id, texts.hash, c.name, l.headline, l.tags, l.summary, k.names, l.description
    {_READ_SQL} WHERE l.id = ANY(%s) ORDER BY l.id"""
_CHANGED_SQL = f"""
    SELECT l.id {_READ_SQL}
    WHERE l.id BETWEEN %s AND %s AND (l.search_vector IS NULL OR l.indexed_texts IS DISTINCT FROM texts.hash)
    ORDER BY l.id"""  # noqa: S608  # made of constants
_STORE_SQL = """
    UPDATE listings_listing l SET search_vector = new.vector::tsvector, indexed_texts = new.texts
    FROM unnest(%s::bigint[], %s::bigint[], %s::text[]) AS new(id, texts, vector)
    WHERE l.id = new.id AND (l.indexed_texts, l.search_vector) IS DISTINCT FROM (new.texts, new.vector::tsvector)"""
_LEARN_SQL = """
    INSERT INTO listings_searchword (site_id, word, deletions)
    SELECT new.site_id, new.word, string_to_array(new.deletions, ' ')
    FROM unnest(%s::bigint[], %s::text[], %s::text[]) AS new(site_id, word, deletions)
    WHERE NOT EXISTS (SELECT FROM listings_searchword w WHERE w.site_id = new.site_id AND w.word = new.word)
    ORDER BY 1, 2
    ON CONFLICT DO NOTHING"""
_FORGET_SQL = """
    DELETE FROM listings_searchword w WHERE NOT EXISTS (
        SELECT FROM listings_listing l
        WHERE l.site_id = w.site_id AND l.search_vector @@ ('''' || w.word || '''')::tsquery)"""
