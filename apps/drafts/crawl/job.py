"""The job of a draft: lease it, read its website, propose a listing, and write the result if nobody else did."""

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
from apps.drafts.crawl.site_crawler import MovedAwayError, SiteCrawler
from apps.drafts.crawl.time_limit import TimeLimit
from apps.drafts.models import Draft
from apps.drafts.proposals.propose import propose
from apps.drafts.wording_model import word_proposal
from apps.listings.models import Category, Company
from apps.listings.websites.identity import website_key

logger = logging.getLogger(__name__)

# Faults of our own servers that pass: the lease runs out, and another attempt may go better.
_TEMPORARY = (OperationalError, InterfaceError, CacheConnectionError, CacheTimeoutError)
# A crawl is given up after 90 seconds; what the model has not said by then is not waited for.
_WORDING_ENDS_AFTER_SECONDS = 70.0


class _DomainBusyError(Exception):
    """The address leads to a website that another crawl reads; the draft waits for the end of that one."""


def run_next() -> list[int]:
    """Crawl the draft that comes next, as `run` does; nothing when none may be crawled now."""
    lease = lock.lease_next()
    return [] if lease is None else _run(lease)


def run(draft_id: int) -> list[int]:
    """Bring a draft to ready or failed, unless others come first; returns ids of drafts that waited for its end.

    Safe to call at any time and as often as one likes. A worker that dies in here leaves a lease that runs out.
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
    # The address may have led to another domain, which the draft is under since then.
    domains = {draft.domain, *Draft.objects.filter(pk=draft.pk).values_list("domain", flat=True)}
    return lock.unblocked_by(domains=domains, owner_id=draft.owner_id)


def _crawl(draft: Draft, lease: Lease) -> None:
    """Bring the draft to its end; raises LeaseLostError, and what another attempt may mend."""
    ends_at = time.monotonic() + _WORDING_ENDS_AFTER_SECONDS
    try:
        crawler = _read(draft, lease)
        lease.update(lambda row: row.move_to(Draft.Status.DRAFTING))
        found = propose(crawler.pages, Category.objects.filter(site=draft.site))
        found = word_proposal(found, crawler.pages, seconds=ends_at - time.monotonic())
        lease.update(partial(_publish, website=website_of(draft.url, crawler.home_url), found=found))
    except CrawlError as failure:
        _fail(lease, failure)
    except (LeaseLostError, _DomainBusyError, *_TEMPORARY):
        raise
    except Exception:
        # The same page would meet the same defect in every attempt.
        logger.exception("crawl failed", extra={"draft_id": draft.pk, "attempt": lease.attempt})
        _fail(lease, failures.unexpected())


def _fail(lease: Lease, failure: CrawlError) -> None:
    lease.update(partial(lock.fail, code=failure.code, message=failure.message, website=failure.website))


def _read(draft: Draft, lease: Lease) -> SiteCrawler:
    """Read the site step by step, reporting between the steps; raises CrawlError and LeaseLostError."""
    # The client is opened and closed by hand, since every step is a run of the loop of its own.
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
    """Open the home page wherever it is; raises CrawlError, LeaseLostError and _DomainBusyError."""
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
    """An address may lead to a website that is listed under another one; raises CrawlError."""
    company = Company.objects.for_website(website_key(website))
    if company is None:
        return
    if company.owner_id != draft.owner_id:
        raise failures.listed_by_another(website)
    listing = company.listings.filter(site=draft.site).first()
    if listing is not None and listing.pk != draft.rereads_id:
        raise failures.listed_already(website)


def _publish(draft: Draft, *, website: str, found: dict[str, Any]) -> None:
    # What the owner filled in when an earlier draft of the website failed.
    written = {name: draft.proposal[name] for name in draft.edited}
    draft.move_to(Draft.Status.READY)
    draft.website = website
    draft.proposal = {**found["fields"], **written}
    draft.evidence = found["evidence"]
    draft.missing = [item for item in found["missing"] if item["field"] not in written]
