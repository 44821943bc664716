"""Start a draft: for its owner, or again after a failed one."""

import logging
from collections.abc import Collection
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from redis.exceptions import RedisError

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.core.delay_on_commit import delay_on_commit
from apps.core.errors import Conflict, DomainError, TooManyRequests
from apps.core.stores.valkey.counters import Limit, Standing
from apps.core.text.durations import wait_text
from apps.core.web.hosts import display_url
from apps.drafts.crawl import response_cache
from apps.drafts.crawl.addresses import check_address, domain_key
from apps.drafts.models import Draft
from apps.drafts.services.drafts import cancel_draft
from apps.listings.models import Company, Listing
from apps.listings.services.creation import WebsiteTaken
from apps.listings.services.locks import NotEditable, why_not_editable
from apps.listings.websites.identity import website_key
from apps.sites.models import Site

logger = logging.getLogger(__name__)

RATE_WINDOW = timedelta(hours=1)

# Per website, whichever account asks, because each draft crawls somebody's whole server.
RETRIES_AN_HOUR = Limit("draft-retries", 3, 3600)


class AlreadyListed(Conflict):
    code = "duplicate"
    title = "Website already listed"


class ReadTooOften(TooManyRequests):
    """The website was reread as often as allowed in an hour. `by_hand` is the failed draft to fill in instead."""

    def __init__(self, detail: str, *, retry_after: int, by_hand: Draft | None) -> None:
        steps = [f"Or complete draft {by_hand.pk} yourself with update_draft and submit_draft."] if by_hand else []
        super().__init__(detail, retry_after=retry_after, next_steps=steps)
        self.by_hand = by_hand


def create_draft(
    *,
    site: Site,
    url: str,
    refresh: bool = False,
    by: Actor,
    is_limited: bool = True,
    retries: Standing | None = None,
) -> tuple[Draft, bool]:
    """Start a draft of the website at `url`. Returns it, and whether it is new.

    For a website with an active draft of the account on this site, returns that draft. After a failed draft the website
    is read afresh, and what the owner filled in is kept. With `refresh`, a website that the account lists on this site
    is also read afresh, to compare it with the listing. `is_limited` counts the draft toward the hourly limit.
    `retries` is what `check_retries` returned before the transaction.

    Raises InvalidAddress and PrivateAddress (422), WebsiteTaken, AlreadyListed and NotEditable (409), TooManyRequests
    (429).
    """
    address = check_address(url)
    key = website_key(address)
    with transaction.atomic():
        # Lock the account, so that concurrent requests can't create two drafts.
        owner = User.objects.lock(by.account.pk)
        listed = _own_listing(site, key, address, owner)
        if listed is not None:
            _check_rereading(listed, refresh=refresh)
        existing = Draft.objects.active().filter(owner=owner, site=site, website_key=key).first()
        if existing and existing.rereads_id == (listed and listed.pk):
            return existing, False
        if is_limited:
            _check_rate(site, owner)
        last = _last_ended(site, key, owner)
        failed = last if last is not None and last.error_code else None
        if listed is not None or failed is not None:
            if is_limited:
                _check_retries(retries, failed)
            domains = {domain_key(address), *({last.domain} if last else ())}
            _read_afresh(domains, counted_as=_retries_key(owner, key) if is_limited else "")
        if existing:
            # The website was listed since, or belongs to another listing, so this draft can lead to nothing.
            cancel_draft(draft=existing, by=Actor(user=owner, via="system"))
        draft = Draft.objects.create(
            owner=owner,
            site=site,
            url=address,
            website_key=key,
            domain=domain_key(address),
            **(_filled_in(failed) if failed and failed.is_editable and listed is None else {}),
            queued_at=timezone.now(),
            rereads=listed,
        )
        # The row is what counts: if the message is lost, `recover_drafts` finds the draft.
        delay_on_commit("apps.drafts.tasks.crawl_draft", draft.pk)
    return draft, True


def recrawl_listing(*, listing: Listing, by: Actor, retries: Standing | None = None) -> tuple[Draft, bool]:
    """Start a draft that compares the listing with its website. Returns it, and whether it is new.

    Raises what `create_draft` raises.
    """
    return create_draft(site=listing.site, url=listing.company.website, refresh=True, by=by, retries=retries)


def check_retries(url: str, *, by: Actor) -> Standing | None:
    """Return how often an account may still reread a website in this hour, for `create_draft`.

    Asks Valkey, so call it before the transaction. None if Valkey does not answer or the URL is invalid.
    """
    try:
        return RETRIES_AN_HOUR.peek(_retries_key(by.account, website_key(check_address(url))))
    except (DomainError, RedisError):
        return None


def _own_listing(site: Site, key: str, address: str, owner: User) -> Listing | None:
    """Return the account's listing of this website on the site. Raises WebsiteTaken for another account's."""
    company = Company.objects.for_website(key)
    if company is None:
        return None
    if company.owner_id != owner.pk:
        raise WebsiteTaken(site=site, website=address)
    listing: Listing | None = (
        Listing.objects.select_related("site", "company").filter(company=company, site=site).first()
    )
    return listing


def _check_rereading(listing: Listing, *, refresh: bool) -> None:
    """Allow rereading a listed website only on request, and only while the result could be used."""
    extra = {"listing_id": listing.pk, "listing_url": listing.page_url}
    if not refresh:
        raise AlreadyListed(
            f"You already list {display_url(listing.company.website)} on {listing.site}.",
            next_steps=[
                "Edit that listing with update_my_listing.",
                "Or send refresh: true to read the website again, then call get_draft to see the differences.",
            ],
            extra=extra,
        )
    if reason := why_not_editable(listing):
        raise NotEditable(reason, extra=extra)


def _last_ended(site: Site, key: str, owner: User) -> Draft | None:
    """Return the account's last draft of this website that succeeded or failed, also if it was discarded later."""
    status = Draft.Status
    ended = Draft.objects.filter(Q(status__in=[status.READY, status.SUBMITTED]) | Q(error_code__gt=""))
    last: Draft | None = ended.filter(owner=owner, site=site, website_key=key).order_by("-pk").first()
    return last


def _filled_in(failed: Draft) -> dict[str, Any]:
    """Return what the owner filled in on a failed draft, to carry it over to the next."""
    written = {name: failed.proposal[name] for name in failed.edited if name in failed.proposal}
    return {"proposal": written, "edited": sorted(written)}


def _retries_key(owner: User, key: str) -> str:
    """Count per account, so that others can't use up the website owner's limit."""
    return f"{owner.pk}:{key}"


def _check_retries(retries: Standing | None, failed: Draft | None) -> None:
    """Raise ReadTooOften (429) if the account has reread the website 3 times in an hour."""
    if retries is None or retries.is_within:
        return
    raise ReadTooOften(
        (
            f"This website was read {RETRIES_AN_HOUR.count} times in the last hour. Try again in "
            f"{wait_text(retries.seconds)}."
        ),
        retry_after=retries.seconds,
        by_hand=failed if failed is not None and failed.is_editable else None,
    )


def _read_afresh(domains: Collection[str], *, counted_as: str) -> None:
    """After the commit, drop the cached responses of these domains, within the limit. Not counted without a name."""

    def forget() -> None:
        try:
            # Count again under the lock: of concurrent requests that saw one attempt left, only one gets it.
            if counted_as and not RETRIES_AN_HOUR.try_take(counted_as).is_within:
                return
            for domain in domains:
                response_cache.forget_domain(domain)
        except RedisError:
            logger.warning("a website cannot be forgotten", extra={"domains": sorted(domains)}, exc_info=True)

    transaction.on_commit(forget, robust=True)


def _check_rate(site: Site, owner: User) -> None:
    """Check the hourly limit of new drafts. The caller holds the account's lock."""
    since = timezone.now() - RATE_WINDOW
    recent = Draft.objects.filter(owner=owner, created_at__gt=since).order_by("-created_at")
    # The newest drafts that fill the limit: another is allowed when the oldest of them leaves the window.
    filling = list(recent.values_list("created_at", flat=True)[: site.drafts_per_hour])
    if len(filling) < site.drafts_per_hour:
        return
    wait = max(int((filling[-1] - since).total_seconds()) + 1, 1)
    raise TooManyRequests(
        f"You can create {site.drafts_per_hour} drafts per hour. Try again in {wait_text(wait)}.",
        retry_after=wait,
        next_steps=["You can submit ready drafts in the meantime."],
    )


class NotRetriable(Conflict):
    code = "draft_not_retriable"
    title = "Draft can't be read again"


def retry_draft(draft: Draft) -> Draft:
    """Start a new draft of a failed draft's URL for its account, beyond the hourly limit. The failed one stays.

    Raises NotRetriable (409) unless the draft has failed and the account has started no other for the website, and what
    `create_draft` raises.
    """
    if problem := why_not_retry(draft):
        raise NotRetriable(problem)
    refresh = draft.rereads_id is not None
    new, is_new = create_draft(
        site=draft.site, url=draft.url, refresh=refresh, by=Actor(user=draft.owner, via="admin"), is_limited=False
    )
    if not is_new:
        raise NotRetriable("The owner has created a newer draft of this website.")
    return new


def why_not_retry(draft: Draft) -> str:
    """Return why a draft can't be retried, as a sentence, or an empty string."""
    if draft.status != Draft.Status.FAILED:
        return f"The draft is {draft.get_status_display().lower()}. Only failed drafts can be read again."
    if not draft.owner.is_active:
        return "The account is closed."
    return ""
