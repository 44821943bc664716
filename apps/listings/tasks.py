"""Background work of listings."""

from celery import shared_task

from apps.listings.claims import checks
from apps.listings.search import indexing
from apps.listings.services import updates
from apps.listings.services.pictures import downloads, rows, uploads


@shared_task(max_retries=0)
def notify_followers(update_id: int) -> None:
    """Queue the emails to all followers. Safe to repeat: `notify_remaining_followers` continues after a crash."""
    while updates.notify_followers(update_id):
        pass


@shared_task(max_retries=0)
def notify_remaining_followers() -> None:
    """Enqueue every update whose followers are not all notified; periodic."""
    for update_id in updates.updates_to_notify():
        notify_followers.delay(update_id)


@shared_task(max_retries=0)
def index_listings(listing_ids: list[int]) -> None:
    """Index the rest of a change that affects many listings, such as a category's name. Safe to repeat."""
    indexing.index_in_batches(listing_ids)


@shared_task(max_retries=0)
def reindex_search() -> None:
    """Reindex listings that differ from their index, and drop unused words; periodic."""
    indexing.reindex_changed()


@shared_task(acks_late=True, max_retries=0)
def download_pictures(company_id: int) -> None:
    """Download a company's new pictures. Celery never retries it: their rows say when to try again."""
    downloads.download_pictures(company_id)


@shared_task(max_retries=0)
def download_due_pictures() -> None:
    """Enqueue the downloads that are due again, or whose message was lost; periodic."""
    for company_id in downloads.companies_to_download():
        download_pictures.delay(company_id)


@shared_task(max_retries=0)
def delete_abandoned_uploads() -> None:
    """Delete uploads that nobody saved within a day, and pictures replaced long ago; periodic."""
    uploads.delete_abandoned_uploads()
    rows.delete_old_replaced()


@shared_task(acks_late=True, max_retries=0)
def check_claim(claim_id: int) -> None:
    """Check one claim. Celery never retries it: a lost check is due again in an hour.

    The deadlines of its lookups and fetches are its limit, because Celery's own do nothing in a crawler's threads.
    """
    checks.run_check(claim_id=claim_id)


@shared_task(max_retries=0)
def check_due_claims() -> None:
    """End expired claims and check those that are due. Runs periodically."""
    checks.expire_old_claims()
    for claim_id in checks.lease_due_claims():
        check_claim.delay(claim_id)
