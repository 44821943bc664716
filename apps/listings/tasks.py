"""Background work of listings."""

from celery import shared_task

from apps.listings.claims import checks
from apps.listings.search import indexing
from apps.listings.services import updates


@shared_task(max_retries=0)
def notify_followers(update_id: int) -> None:
    """Write the emails to everybody who follows; safe to repeat, `notify_remaining_followers` goes on after a kill."""
    while updates.notify_followers(update_id):
        pass


@shared_task(max_retries=0)
def notify_remaining_followers() -> None:
    """Enqueue every update whose followers are not all notified; periodic."""
    for update_id in updates.updates_to_notify():
        notify_followers.delay(update_id)


@shared_task(max_retries=0)
def index_listings(listing_ids: list[int]) -> None:
    """Index what is left of a change that concerns many listings, as of a category's name; safe to repeat."""
    indexing.index_in_batches(listing_ids)


@shared_task(max_retries=0)
def reindex_search() -> None:
    """Index what differs from what it was indexed by, and forget words that are gone; periodic."""
    indexing.reindex_changed()


@shared_task(acks_late=True, max_retries=0)
def check_claim(claim_id: int) -> None:
    """Check one claim; never retried by Celery: a check that is lost is due again in an hour.

    The deadlines of its lookups and fetches are its limit: Celery's own do nothing in a crawler's threads.
    """
    checks.check_claim(claim_id=claim_id)


@shared_task(max_retries=0)
def check_due_claims() -> None:
    """End expired claims and check those that are due. Runs periodically."""
    checks.expire_old_claims()
    for claim_id in checks.lease_due_claims():
        check_claim.delay(claim_id)
