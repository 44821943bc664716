"""Background work of listings."""

from celery import shared_task

from apps.listings.claims import checks
from apps.listings.search import indexing
from apps.listings.services import updates as news
from apps.listings.statistics import flushing


@shared_task(max_retries=0)
def tell_followers(update_id: int) -> None:
    """Write the mails to everybody who follows; safe to repeat, and the sweep goes on with what broke off."""
    # The news wakes this task.
    while news.tell_followers(update_id):
        pass


@shared_task(max_retries=0)
def sweep_updates() -> None:
    """Wake a worker for every update whose followers are not all told; periodic."""
    for update_id in news.untold_updates():
        tell_followers.delay(update_id)


@shared_task(max_retries=0)
def index_listings(listing_ids: list[int]) -> None:
    """Index what is left of a change that concerns many listings, as of a category's name; safe to repeat."""
    indexing.index_in_batches(listing_ids)


@shared_task(max_retries=0)
def reindex_search() -> None:
    """Index every listing whose vector is not as its texts are, and forget words that are gone; periodic."""
    for _ in indexing.reindex_all():
        pass


@shared_task(acks_late=True, max_retries=0)
def check_claim(claim_id: int) -> None:
    """Look for the word of one claim; never retried by Celery: a look that is lost is due again in an hour.

    The deadlines of its lookups and fetches are its limit: Celery's own do nothing in a crawler's threads.
    """
    # Making a claim wakes this task.
    checks.check_claim(claim_id=claim_id)


@shared_task(max_retries=0)
def sweep_claims() -> None:
    """End the claims whose time is over, and look for the word of those that are due; periodic."""
    checks.expire_old()
    for claim_id in checks.claim_due():
        check_claim.delay(claim_id)


@shared_task(max_retries=0)
def flush_statistics() -> None:
    """Move the counts of visits from Valkey to PostgreSQL; periodic, and safe to repeat or to break off."""
    flushing.flush()
