"""Commands on drafts: start, change, submit, cancel."""

import logging
from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone
from redis.exceptions import RedisError

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.core.delay_on_commit import delay_on_commit
from apps.core.durations import wait_text
from apps.core.errors import Conflict, DomainError, FieldProblem, NotFound, TooManyRequests, Unprocessable
from apps.core.valkey.counters import Limit, Standing
from apps.drafts.crawl import response_cache
from apps.drafts.crawl.addresses import check_address, domain_key
from apps.drafts.models import LIFETIME, Draft
from apps.drafts.proposals.apply_filter import EMPTY
from apps.drafts.proposals.milestones import add_proposed, check_not_listed
from apps.drafts.proposals.proposal import NOT_LISTED
from apps.drafts.services import guidance, recrawl
from apps.drafts.services.evidence import facts_of
from apps.listings.fields.names import REQUIRED_FIELDS
from apps.listings.models import Company, Listing
from apps.listings.services.categories import check_categories
from apps.listings.services.creation import WebsiteTaken, create_listing
from apps.listings.services.editing import update_my_listing
from apps.listings.services.evidence import keep_evidence
from apps.listings.services.locks import NotEditable, check_own, lock_company, why_not_editable
from apps.listings.websites.identity import website_key
from apps.sites.models import Site

BATCH = 500


def expire_drafts() -> int:
    """Expire drafts that have been waiting for too long, the next time the rest; returns how many."""
    waiting = Draft.objects.filter(status=Draft.Status.READY, created_at__lt=Now() - LIFETIME).order_by("pk")
    with transaction.atomic():
        drafts = list(waiting.select_for_update(skip_locked=True)[:BATCH])
        for draft in drafts:
            draft.move_to(Draft.Status.EXPIRED)
            draft.save(update_fields=["status"])
    return len(drafts)


logger = logging.getLogger(__name__)

RATE_WINDOW = timedelta(hours=1)
# Of one website, whichever account asks: each is a whole crawl of somebody's server.
RETRIES_AN_HOUR = Limit("draft-retries", 3, 3600)
_WRITTEN = ["proposal", "edited", "missing"]


class AlreadyListed(Conflict):
    code = "duplicate"
    title = "You list this website already"


class DraftNotReady(Conflict):
    code = "draft_not_ready"
    title = "The draft is not ready"


class AlreadySubmitted(Conflict):
    code = "already_submitted"
    title = "The draft was submitted with other fields"


class DraftEnded(Conflict):
    code = "draft_ended"
    title = "The draft has ended"


class ChangedMeanwhile(Conflict):
    code = "changed_meanwhile"
    title = "Something else differs by now"


class NothingChosen(Unprocessable):
    code = "nothing_chosen"
    title = "Nothing was chosen to take over"


class DraftIncomplete(Unprocessable):
    code = "draft_incomplete"
    title = "The draft lacks what a listing needs"


class ReadTooOften(TooManyRequests):
    """A website was read afresh as often as it may be in an hour; `by_hand` is the failed draft to fill in instead."""

    def __init__(self, detail: str, *, retry_after: int, by_hand: Draft | None) -> None:
        steps = [f"Or fill in draft {by_hand.pk} by hand with update_draft and submit_draft."] if by_hand else []
        super().__init__(detail, retry_after=retry_after, next_steps=steps)
        self.by_hand = by_hand


def create_draft(
    *,
    site: Site,
    url: str,
    refresh: bool = False,
    by: User,
    is_limited: bool = True,
    retries: Standing | None = None,
) -> tuple[Draft, bool]:
    """Start a draft of the website at `url`; returns it, and whether it is new.

    The same website gives the account's active draft of this site again; after one that failed it is read afresh, and
    what the owner filled in there stays. With `refresh` a website that the account lists on this site is read afresh
    too, to be compared with the listing. `is_limited` counts it among the drafts of the hour; `retries` is what
    `retries_of` said before the transaction.

    Raises InvalidAddress and PrivateAddress (422), WebsiteTaken, AlreadyListed and NotEditable (409), TooManyRequests
    (429).
    """
    address = check_address(url)
    key = website_key(address)
    with transaction.atomic():
        # One account's requests stand in line here, so that two at once cannot make two drafts.
        User.objects.select_for_update(no_key=True).get(pk=by.pk)
        listed = _own_listing(site, key, address, by)
        if listed is not None:
            _check_rereading(listed, refresh=refresh)
        existing = Draft.objects.active().filter(owner=by, site=site, website_key=key).first()
        if existing and existing.rereads_id == (listed and listed.pk):
            return existing, False
        if is_limited:
            _check_rate(site, by)
        last = _last_ended(site, key, by)
        failed = last if last is not None and last.status == Draft.Status.FAILED else None
        if listed is not None or failed is not None:
            if is_limited:
                _check_retries(retries, failed)
            domains = {domain_key(address), *({last.domain} if last else ())}
            _read_afresh(domains, counted_as=_retries_key(by, key) if is_limited else "")
        if existing:
            # Since it was started the website was listed, or is another listing's: it can lead to nothing.
            cancel_draft(draft=existing, by=Actor(user=by, via="system"))
        draft = Draft.objects.create(
            owner=by,
            site=site,
            url=address,
            website_key=key,
            domain=domain_key(address),
            **(_filled_in(failed) if failed and listed is None else {}),
            queued_at=timezone.now(),
            rereads=listed,
        )
        # The row is what counts: should the message be lost, the sweep finds the draft.
        delay_on_commit("apps.drafts.tasks.crawl_draft", draft.pk)
    return draft, True


def retries_of(url: str, *, by: User) -> Standing | None:
    """How often an account may still have a website read afresh in this hour, for `create_draft`.

    Asks Valkey, so it is called before the transaction.
    None where that cannot be said: without Valkey, or for what is no address.
    """
    try:
        return RETRIES_AN_HOUR.peek(_retries_key(by, website_key(check_address(url))))
    except (DomainError, RedisError):
        return None


def submit_draft(*, draft: Draft, fields: Mapping[str, Any], by: Actor) -> Listing:
    """Make the listing out of a draft that is ready, or has failed and is filled in by hand.

    `fields` stand in place of what it proposes.

    A draft that rereads a listing changes it instead, in nothing but `fields`: NothingChosen (422) without any, and
    what `take_over` raises. Doing it again returns the same listing, unless other `fields` are sent: AlreadySubmitted
    (409), or the listing is another account's by now: NotEditable (409). Raises DraftNotReady (409) in other statuses,
    DraftIncomplete (422) when a required text is empty, and what `create_listing` raises.
    """
    with transaction.atomic():
        draft = _locked(draft)
        if draft.listing is not None:
            check_own(draft.listing.company, by)
            _check_repeated(draft, draft.listing, fields)
            return draft.listing
        if not draft.is_editable:
            raise _not_ready(draft)
        check_categories(draft.site, fields.get("categories", ()))
        _write(draft, fields)
        draft.listing = _listed(draft, by) if draft.rereads is None else _taken_over(draft, draft.rereads, fields, by)
        _keep_evidence(draft, draft.listing)
        draft.move_to(Draft.Status.SUBMITTED)
        draft.submitted_at = timezone.now()
        draft.error_code = draft.error_message = ""
        draft.save(update_fields=["listing", "status", "submitted_at", "error_code", "error_message", *_WRITTEN])
    return draft.listing


def submit_chosen(*, draft: Draft, marks: Collection[str], by: Actor) -> Listing:
    """Let the listing that a draft rereads take over the differences of these `marks`, as they were shown.

    Raises ChangedMeanwhile (409) when one of them is not what it was, and what `submit_draft` raises.
    """
    with transaction.atomic():
        draft = _locked(draft)
        if draft.rereads is not None:
            # Until the listing is changed nobody else changes it.
            lock_company(draft.rereads.company_id)
            draft.rereads.refresh_from_db()
        chosen = [one for one in recrawl.differences(draft) if one.mark in marks]
        if len(chosen) < len(set(marks)) and draft.status == Draft.Status.READY:
            raise ChangedMeanwhile("The listing was changed since these differences were shown. Look at them again.")
        return submit_draft(draft=draft, fields={one.field: one.website for one in chosen}, by=by)


def update_draft(*, draft: Draft, fields: Mapping[str, Any], by: Actor) -> Draft:
    """Change what a draft proposes, or the listing it became; the evidence stays as it was read.

    Raises DraftNotReady (409) in other statuses, UnknownCategory (422), and what `update_my_listing` raises.
    """
    with transaction.atomic():
        draft = _locked(draft)
        if draft.listing is not None:
            check_not_listed(fields)
            update_my_listing(listing=draft.listing, fields=fields, by=by)
        elif draft.is_editable:
            check_categories(draft.site, fields.get("categories", ()))
        else:
            raise _not_ready(draft)
        _write(draft, fields)
        draft.save(update_fields=_WRITTEN)
    return draft


def cancel_draft(*, draft: Draft, by: Actor) -> Draft:
    """Stop a draft that is being read, or discard one that is ready; what was read stays as a record.

    Its worker finds it ended at its next write, and stops. Cancelling twice is a no-op. Raises DraftEnded (409) when it
    has ended otherwise, NotFound (404) for the draft of another account.
    """
    with transaction.atomic():
        draft = _locked(draft)
        if draft.owner_id != by.account.pk:
            raise NotFound("There is no such draft.")
        if draft.status not in {*Draft.ACTIVE, Draft.Status.CANCELLED}:
            raise DraftEnded(f"There is nothing to cancel: the draft is {draft.status}.")
        draft.move_to(Draft.Status.CANCELLED)
        draft.save(update_fields=["status", "finished_at", "leased_until"])
    return draft


def _listed(draft: Draft, by: Actor) -> Listing:
    """The new listing of what is proposed."""
    _check_complete(draft.proposal)
    values = {name: value for name, value in draft.proposal.items() if name not in NOT_LISTED}
    listing = create_listing(site=draft.site, website=draft.website or draft.url, fields=values, by=by)
    add_proposed(listing=listing, proposed=draft.proposal.get("milestones") or (), by=by)
    return listing


def _taken_over(draft: Draft, listing: Listing, fields: Mapping[str, Any], by: Actor) -> Listing:
    """The listing that was read again, changed in `fields` alone."""
    if not fields:
        raise NothingChosen(
            "Say in `fields` what of the website the listing shall take over; without that nothing is changed.",
            pointer="/fields",
            next_steps=["`differences` of get_draft has what differs, by name and value."],
        )
    recrawl.take_over(listing=listing, fields=fields, by=by)
    return listing


def _keep_evidence(draft: Draft, listing: Listing) -> None:
    """Leave with the listing where its facts were read, so that its page can tell."""
    # As it stands in the database now: an edit may have written to other rows than these in memory.
    stands = Listing.objects.select_related("company").get(pk=listing.pk)
    keep_evidence(listing=stands, website_key=website_key(draft.website or draft.url), facts=facts_of(draft))


def _locked(draft: Draft) -> Draft:
    # Without joins: a row that was waited for is read anew, what is joined to it is not.
    return Draft.objects.select_for_update().get(pk=draft.pk)


def _write(draft: Draft, fields: Mapping[str, Any]) -> None:
    """Put the owner's values into the proposal; what is no longer missing is not told as missing."""
    changed = {name: value for name, value in fields.items() if not _is_same(draft.proposal.get(name), value)}
    draft.proposal = {**draft.proposal, **changed}
    draft.edited = sorted({*draft.edited, *changed})
    draft.missing = [item for item in draft.missing if _is_same(draft.proposal.get(item["field"]), None)]


def _is_same(one: Any, other: Any) -> bool:
    """Whether two values say the same; a field that is not there is as good as an empty one."""
    return one == other or (one in EMPTY and other in EMPTY)


def _check_repeated(draft: Draft, listing: Listing, fields: Mapping[str, Any]) -> None:
    if draft.rereads_id:
        # What was proposed and not taken over does not stand in the listing.
        other = recrawl.other_than(listing, fields)
    else:
        other = [name for name, value in fields.items() if not _is_same(draft.proposal.get(name), value)]
    if other:
        raise AlreadySubmitted(
            f"The draft is listing {listing.pk} already, with something else in {', '.join(other)}.",
            next_steps=["Change the listing with update_draft or update_my_listing."],
            extra={"listing_id": listing.pk, "listing_url": listing.page_url},
        )


def _own_listing(site: Site, key: str, address: str, by: User) -> Listing | None:
    """The account's listing of this website on the site, if there is one; raises WebsiteTaken for another account's."""
    company = Company.objects.for_website(key)
    if company is None:
        return None
    if company.owner_id != by.pk:
        raise WebsiteTaken(site=site, website=address)
    listing: Listing | None = (
        Listing.objects.select_related("site", "company").filter(company=company, site=site).first()
    )
    return listing


def _check_rereading(listing: Listing, *, refresh: bool) -> None:
    """A listed website is read again only by request, and while something could be done with what is found."""
    extra = {"listing_id": listing.pk, "listing_url": listing.page_url}
    if not refresh:
        raise AlreadyListed(
            f"You already list {listing.company.website} on {listing.site}.",
            next_steps=[
                "Change that listing with update_my_listing.",
                "Or send refresh: true to have the website read again; get_draft then shows what differs.",
            ],
            extra=extra,
        )
    if reason := why_not_editable(listing):
        raise NotEditable(reason, extra=extra)


def _last_ended(site: Site, key: str, by: User) -> Draft | None:
    """The account's last draft of this website that came to something, or to nothing."""
    status = Draft.Status
    ended = Draft.objects.filter(status__in=[status.FAILED, status.READY, status.SUBMITTED])
    last: Draft | None = ended.filter(owner=by, site=site, website_key=key).order_by("-pk").first()
    return last


def _filled_in(failed: Draft) -> dict[str, Any]:
    """What the owner wrote into a draft that failed, for the one that follows it."""
    written = {name: failed.proposal[name] for name in failed.edited if name in failed.proposal}
    return {"proposal": written, "edited": sorted(written)}


def _retries_key(by: User, key: str) -> str:
    """Counted by account, so that nobody uses up what the website's owner needs."""
    return f"{by.pk}:{key}"


def _check_retries(retries: Standing | None, failed: Draft | None) -> None:
    """Raise ReadTooOften (429) once the account had the website read afresh 3 times in an hour."""
    if retries is None or retries.is_within:
        return
    raise ReadTooOften(
        f"This website was read again {RETRIES_AN_HOUR.count} times within an hour. "
        f"Try again in {wait_text(retries.seconds)}.",
        retry_after=retries.seconds,
        by_hand=failed if failed is not None and failed.is_editable else None,
    )


def _read_afresh(domains: Collection[str], *, counted_as: str) -> None:
    """After the commit, forget what these domains answered, if the limit still allows it; uncounted without a name."""

    def forget() -> None:
        try:
            # Counted here: of several requests at once that were all told of the last place, one gets it.
            if counted_as and not RETRIES_AN_HOUR.try_take(counted_as).is_within:
                return
            for domain in domains:
                response_cache.forget_domain(domain)
        except RedisError:
            logger.warning("a website cannot be forgotten", extra={"domains": sorted(domains)}, exc_info=True)

    transaction.on_commit(forget, robust=True)


def _check_rate(site: Site, by: User) -> None:
    """At most so many new drafts in an hour; the caller holds the account's lock."""
    since = timezone.now() - RATE_WINDOW
    recent = Draft.objects.filter(owner=by, created_at__gt=since).order_by("-created_at")
    # The newest ones that fill the limit: a place is free when the oldest of them leaves the window.
    filling = list(recent.values_list("created_at", flat=True)[: site.drafts_per_hour])
    if len(filling) < site.drafts_per_hour:
        return
    wait = max(int((filling[-1] - since).total_seconds()) + 1, 1)
    raise TooManyRequests(
        f"An account may start {site.drafts_per_hour} drafts in an hour. Try again in {wait_text(wait)}.",
        retry_after=wait,
        next_steps=["Drafts that are ready can be submitted meanwhile."],
    )


def _not_ready(draft: Draft) -> DraftNotReady | WebsiteTaken:
    extra: dict[str, Any] = {"draft_status": draft.status}
    match draft.status:
        case Draft.Status.FAILED:
            company = guidance.listed_company(draft)
            if company is not None and company.owner_id != draft.owner_id:
                return WebsiteTaken(site=draft.site, website=draft.website)
            extra["error"] = {"code": draft.error_code, "message": draft.error_message}
            steps = guidance.next_steps(draft)
            return DraftNotReady(f"The draft has failed: {draft.error_message}", next_steps=steps, extra=extra)
        case Draft.Status.EXPIRED | Draft.Status.CANCELLED:
            ended = "expired after 30 days" if draft.status == Draft.Status.EXPIRED else "was cancelled"
            steps = ["Start again with create_draft."]
            return DraftNotReady(f"The draft {ended}.", next_steps=steps, extra=extra)
    return DraftNotReady(
        f"The website is still being read: the draft is {draft.status}.",
        next_steps=["Poll get_draft until the status is ready, then try again."],
        retry_after=2,
        extra=extra,
    )


def _check_complete(values: Mapping[str, Any]) -> None:
    problems = [
        FieldProblem(
            "required",
            f"The website gave no {name}. Write one and send it as fields.{name}.",
            f"/fields/{name}",
        )
        for name in REQUIRED_FIELDS
        if not values.get(name)
    ]
    if problems:
        names = ", ".join(problem.pointer.removeprefix("/fields/") for problem in problems)
        raise DraftIncomplete(f"A listing needs {names}.", errors=problems)
