"""How much memory one process needs while it drafts from hostile pages, and how long the longest crawl takes.

The whole job of each draft, one after the other in a process that is never replaced (a worker's is, past 400 MB),
against tests.benchmarks.hostile_websites. Told are the memory before, the peak after each tenth, which must level out,
how the drafts ended, and the processor's seconds of the longest.

usage: python -m tests.benchmarks.hostile_pages [--pages 5000]
"""

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path
from unittest.mock import patch

from tests.benchmarks.database import empty_database
from tests.benchmarks.playing import websites

PAGES_A_SITE = 8
_PATIENCE_SECONDS = 3600.0


def peak_mib() -> int:
    """The most memory that this process has had, in MiB."""
    status = Path("/proc/self/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))) // 1024


def crawl_all(port: int, pages: int) -> dict[str, object]:
    """Draft from websites until so many pages were asked for; returns the figures."""
    from django.core.cache import cache

    from apps.drafts.crawl import http, job
    from apps.drafts.crawl.site_crawler import SiteCrawler
    from apps.drafts.models import Draft
    from tests.drafts.factories import DraftFactory

    # Memory and processor time are measured; a busy machine reads the same pages.
    patch.object(http, "FETCH_SECONDS", _PATIENCE_SECONDS).start()
    SiteCrawler.__init__.__kwdefaults__ = {"seconds": _PATIENCE_SECONDS}
    sites = -(-pages // PAGES_A_SITE)
    ends: Counter[str] = Counter()
    planned, longest, peaks, before = 0, (0.0, ""), [], peak_mib()
    for site in range(sites):
        draft = DraftFactory.create(url=f"http://site{site}.localhost:{port}/")
        began = time.process_time()
        job.run(draft.pk)
        longest = max(longest, (round(time.process_time() - began, 1), draft.url))
        draft.refresh_from_db()
        ends[draft.error_message or draft.status] += 1
        planned += len(draft.pages_read)
        cache.clear()
        if (site + 1) * 10 // sites > site * 10 // sites:
            peaks.append(peak_mib())
            sys.stderr.write(f"{planned} pages, peak {peaks[-1]} MiB\n")
    assert not Draft.objects.in_progress().exists()
    return {"before": before, "peaks": peaks, "pages": planned, "ends": dict(ends), "longest": longest}


def measure(pages: int) -> dict[str, object]:
    """The figures of `crawl_all` on engines and websites of its own."""
    with websites("tests.benchmarks.hostile_websites") as port:
        hosts = ",".join(f"site{site}.localhost:{port}" for site in range(-(-pages // PAGES_A_SITE)))
        settings = {"CRAWL_ALLOW_PRIVATE_HOSTS": hosts, "CRAWL_DELAY_SECONDS": "0", "LOG_LEVEL": "ERROR"}
        with empty_database(PUBLIC_BASE_URL="http://127.0.0.1:8000", **settings):
            return crawl_all(port, pages)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = measure(options.pages)
    if options.json:
        sys.stdout.write(json.dumps(figures) + "\n")
        return
    for name, value in figures.items():
        sys.stdout.write(f"{name:<8} {value}\n")


if __name__ == "__main__":
    main()
