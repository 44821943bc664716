"""Background work of listings."""

from celery import shared_task


@shared_task(max_retries=0)
def tell_followers(update_id: int) -> None:
    """Write the mails to everybody who follows; safe to repeat, and the sweep goes on with what broke off."""
    # The news wakes this task.
    from apps.listings import news

    while news.tell_followers(update_id):
        pass


@shared_task(max_retries=0)
def sweep_updates() -> None:
    """Wake a worker for every update whose followers are not all told; periodic."""
    from apps.listings import news

    for update_id in news.untold_updates():
        tell_followers.delay(update_id)


@shared_task(max_retries=0)
def index_listings(listing_ids: list[int]) -> None:
    """Index what is left of a change that concerns many listings, as of a category's name; safe to repeat."""
    from apps.listings.search import indexing

    indexing.index_in_batches(listing_ids)


@shared_task(max_retries=0)
def reindex_search() -> None:
    """Index every listing whose vector is not as its texts are, and forget words that are gone; periodic."""
    from apps.listings.search import indexing

    for _ in indexing.reindex_all():
        pass
