"""The statements of the peers that write SQL by hand, and where they run: all peers read Slipway's own tables."""

import os

DATABASE_URL = os.environ["DATABASE_URL"]
ITEMS = """
    SELECT l.id, l.slug, c.name, c.website AS url, coalesce(s.votes, l.votes) AS votes, l.headline, c.logo_url,
        ARRAY(
            SELECT k.slug FROM listings_category k JOIN listings_listing_categories m ON m.category_id = k.id
            WHERE m.listing_id = l.id ORDER BY k.position, k.name
        ) AS categories,
        l.launch_week, l.status, '/listings/' || l.slug AS listing_url
    FROM ({page}) page JOIN listings_listing l USING (id) JOIN listings_company c ON c.id = l.company_id
    LEFT JOIN launches_standing s ON s.listing_id = l.id
    ORDER BY place"""
BY_VOTES = ITEMS.format(
    page="""
        SELECT id, row_number() OVER (ORDER BY votes DESC, id) AS place
        FROM listings_listing WHERE site_id = 1 AND status = 'live' ORDER BY votes DESC, id LIMIT 20"""
)
SEARCH = ITEMS.format(
    page="""
        SELECT id, row_number() OVER (ORDER BY ts_rank(search_vector, query) DESC, votes DESC, id) AS place
        FROM listings_listing, to_tsquery('simple', %(q)s || ':*') query
        WHERE site_id = 1 AND status = 'live' AND search_vector @@ query
        ORDER BY place LIMIT 20"""
)
