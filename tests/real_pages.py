"""Real web pages for tests that crawl: those of the shared corpus where it lies beside the checkout."""

import gzip
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
CORPUS = PROJECT.parent / "shared" / "corpus" / "pages"

_OWN = """<!doctype html>
<html lang="en"><head>
<meta charset="utf-8"><title>Tidewater {number} – Tide tables that plan your day</title>
<meta name="description" content="Tidewater {number} turns tide tables into a plan for the day: when to leave,
 where to land, and when to be back. It works offline and for every harbour of the coast.">
<meta property="og:site_name" content="Tidewater {number}"><meta property="og:image" content="/cover.png">
<link rel="icon" href="/icon.png" sizes="192x192">
</head><body><h1>Tide tables that plan your day</h1>
<p>Enter your harbour and your boat. Tidewater reads the official tables, adds the weather of the day, and shows the
 hours in which the passage is open. Skippers use it on phones and tablets, alone or with their whole club.</p>
<p><a href="https://github.com/tidewater{number}">Code</a> <a href="https://x.com/tidewater{number}">News</a></p>
</body></html>"""


def real_pages(count: int) -> list[bytes]:
    """The first pages of the corpus, unpacked; pages of our own where it is not there."""
    result = sorted(CORPUS.glob("*.html.gz"))[:count]
    if len(result) < count:
        return [_OWN.replace("{number}", str(number)).encode() for number in range(count)]
    return [gzip.decompress(path.read_bytes()) for path in result]
