"""Run the job of a draft: lease it, read its website, propose a listing, and save the result while the lease holds."""

import asyncio
import logging
import time
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError
from redis.exceptions import ConnectionError as CacheConnectionError
from redis.exceptions import TimeoutError as CacheTimeoutError

from apps.core.fetch import SafeClient
from apps.drafts.crawl import failures, lock
from apps.drafts.crawl.addresses import domain_key, website_of
from apps.drafts.crawl.failures import CrawlError
from apps.drafts.crawl.lock import Heartbeat, Lease, LeaseLostError
from apps.drafts.crawl.pictures import PictureFinder
from apps.drafts.crawl.site_crawler import MovedAwayError, SiteCrawler
from apps.drafts.crawl.time_limit import TimeLimit
from apps.drafts.extraction.site.unusable_pages import needs_javascript
from apps.drafts.models import Draft, DraftPicture
from apps.drafts.proposals.propose import propose
from apps.drafts.wording_model import word_proposal
from apps.listings.models import Category, Company
from apps.listings.websites.identity import website_key

logger = logging.getLogger(__name__)

# Temporary faults of our own servers: the lease runs out, and the next attempt may succeed.
_TEMPORARY = (OperationalError, InterfaceError, CacheConnectionError, CacheTimeoutError)
# A crawl ends after 90 seconds, so the model's answer is not awaited beyond that.
_WORDING_ENDS_AFTER_SECONDS = 70.0


class _DomainBusyError(Exception):
    """The URL redirects to a website that another crawl is reading. The draft waits for that crawl to end."""


def run_next() -> list[int]:
    """Crawl the next draft, as `run` does. Does nothing when no draft may be crawled now."""
    lease = lock.lease_next()
    return [] if lease is None else _run(lease)


def run(draft_id: int) -> list[int]:
    """Read a draft's website, unless other drafts go first. Returns ids of drafts that waited for it to end.

    Safe to call any number of times. If the worker dies, its lease runs out.
    """
    lease = lock.lease_draft(draft_id)
    return [] if lease is None else _run(lease)


def _run(lease: Lease) -> list[int]:
    draft = Draft.objects.select_related("site").get(pk=lease.draft_id)
    try:
        with TimeLimit(lease), Heartbeat(lease):
            _crawl(draft, lease)
    except LeaseLostError:
        logger.info("lease lost", extra={"draft_id": draft.pk, "attempt": lease.attempt})
        lease.release_cancelled()
    except _DomainBusyError:
        logger.info("domain busy", extra={"draft_id": draft.pk, "attempt": lease.attempt})
        lease.release()
    # After a redirect to another domain, the draft is filed under that one.
    domains = {draft.domain, *Draft.objects.filter(pk=draft.pk).values_list("domain", flat=True)}
    return lock.unblocked_by(domains=domains, owner_id=draft.owner_id)


def _crawl(draft: Draft, lease: Lease) -> None:
    """Finish the draft. Raises LeaseLostError, and temporary errors that another attempt may resolve."""
    ends_at = time.monotonic() + _WORDING_ENDS_AFTER_SECONDS
    try:
        crawler = _read(draft, lease)
        lease.update(lambda row: row.move_to(Draft.Status.DRAFTING))
        result = propose(crawler.pages, Category.objects.filter(site=draft.site), files=crawler.files)
        _check_described(result, crawler)
        result = word_proposal(result, crawler.pages, seconds=ends_at - time.monotonic())
        result, pictures = _with_pictures(result, crawler, ends_at=ends_at)
        website = website_of(draft.url, crawler.home_url)
        lease.update(partial(_publish, website=website, found=result, pictures=pictures))
    except CrawlError as failure:
        _fail(lease, failure)
    except (LeaseLostError, _DomainBusyError, *_TEMPORARY):
        raise
    except Exception:
        # Every attempt would hit the same bug on the same page.
        logger.exception("crawl failed", extra={"draft_id": draft.pk, "attempt": lease.attempt})
        _fail(lease, failures.unexpected())


def _check_described(found: dict[str, Any], crawler: SiteCrawler) -> None:
    """Check that a website without words in its HTML describes itself elsewhere. Raises CrawlError."""
    if not needs_javascript(crawler.pages[0].document):
        return
    summaries = [item for item in found["evidence"] if item["field"] == "summary"]
    # The few words of the page itself may be those of a challenge.
    if not any(item["source"] != "text" or item["page_url"] != crawler.home_url for item in summaries):
        raise failures.from_unusable("needs_javascript", 200, cut=crawler.pages[0].cut)


def _fail(lease: Lease, failure: CrawlError) -> None:
    lease.update(partial(lock.fail, code=failure.code, message=failure.message, website=failure.website))


def _read(draft: Draft, lease: Lease) -> SiteCrawler:
    """Read the site step by step, and report progress after each step. Raises CrawlError and LeaseLostError."""
    # Opened and closed by hand, because every step runs the event loop anew.
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        client = runner.run(stack.enter_async_context(SafeClient()))
        crawler = SiteCrawler(draft.url, client=client, delay_seconds=settings.CRAWL_DELAY_SECONDS)
        try:
            _open(crawler, runner, lease)
            _refuse_listed(draft, website_of(draft.url, crawler.home_url))
            _report(crawler, lease)
            while runner.run(crawler.read_next()):
                _report(crawler, lease)
            _report(crawler, lease)
        except CrawlError:
            _report(crawler, lease)
            raise
        finally:
            runner.run(stack.aclose())
    return crawler


def _open(crawler: SiteCrawler, runner: asyncio.Runner, lease: Lease) -> None:
    """Open the home page and follow its redirects. Raises CrawlError, LeaseLostError and _DomainBusyError."""
    while True:
        try:
            return runner.run(crawler.open())
        except MovedAwayError as moved:
            domain = domain_key(moved.address)
            if not lease.move_to_domain(domain):
                raise _DomainBusyError from None
            crawler.allow_domain(domain)


def _report(crawler: SiteCrawler, lease: Lease) -> None:
    lease.report(done=crawler.done, planned=crawler.planned, pages=crawler.outcomes)


def _refuse_listed(draft: Draft, website: str) -> None:
    """Check that a redirect does not lead to a website that is already listed. Raises CrawlError."""
    company = Company.objects.for_website(website_key(website))
    if company is None:
        return
    if company.owner_id != draft.owner_id:
        raise failures.listed_by_another(website)
    listing = company.listings.filter(site=draft.site).first()
    if listing is not None and listing.pk != draft.rereads_id:
        raise failures.listed_already(website)


def _with_pictures(
    found: dict[str, Any], crawler: SiteCrawler, *, ends_at: float
) -> tuple[dict[str, Any], list[DraftPicture]]:
    """Return the proposal with only real pictures, and those that are stored."""
    finder = PictureFinder(allows=crawler.allows, delay_seconds=settings.CRAWL_DELAY_SECONDS, ends_at=ends_at)
    return finder.keep_real_ones(found), finder.stored


def _publish(draft: Draft, *, website: str, found: dict[str, Any], pictures: list[DraftPicture]) -> None:
    # What the owner filled in when an earlier draft of this website failed.
    written = {name: draft.proposal[name] for name in draft.edited}
    draft.move_to(
        Draft.Status.READY,
        website=website,
        proposal={**found["fields"], **written},
        evidence=found["evidence"],
        warnings=found["warnings"],
        missing=[item for item in found["missing"] if item["field"] not in written],
    )
    for picture in pictures:
        picture.draft = draft
    DraftPicture.objects.bulk_create(pictures)
