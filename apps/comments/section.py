"""The comments on a listing's page and in its structured data."""

from typing import Any

from apps.comments.forms import CommentForm
from apps.comments.reading import Reader, Threads, read_threads
from apps.core.stores.valkey.generations import founder_name
from apps.listings.models import Listing
from apps.sites.models import Site
from apps.sites.seo.json_ld import Data, filled

# The page of all comments has the others.
SHOWN = 10
DESCRIBED = 10


def comments_section(listing: Listing, reader: Reader) -> dict[str, Any]:
    """Return the context of templates/comments/parts/section.html for a live listing. Two queries."""
    threads = read_threads(listing, reader=reader, per_page=SHOWN)
    return {
        "threads": threads.shown,
        "has_more": threads.has_more,
        "count": listing.comment_count,
        "names": names_in(threads),
        "form": CommentForm(author=reader) if reader.is_authenticated else None,
    }


def names_in(threads: Threads) -> set[str]:
    """Return the generations of the founders whose names are shown."""
    return {founder_name(comment.author_id) for comment in threads.everyone() if comment.profile}


def comments_data(site: Site, section: dict[str, Any]) -> list[Data]:
    """Describe the first comments for search engines."""
    posted = [comment for comment in section["threads"] if comment.status == "posted"]
    return [
        filled(
            {
                "@type": "Comment",
                "text": comment.text,
                "url": site.url(comment.path),
                "dateCreated": comment.created_at.isoformat(),
                "dateModified": comment.edited_at.isoformat() if comment.edited_at else None,
                "author": {"@type": "Person", "name": comment.author_name},
            }
        )
        for comment in posted[:DESCRIBED]
    ]
