"""Merge two companies that turned out to be the same."""

import logging
import uuid
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.core.email.text import render_words
from apps.core.errors import Conflict
from apps.listings import emails, history, search
from apps.listings.models import Company, Follow, Listing, ListingVersion, Milestone, Update
from apps.listings.services.locks import lock_company
from apps.listings.services.merge_plan import PAID_SECTIONS, ListingLine, ListingOutcome, MergePlan, plan_merge
from apps.listings.services.pictures.rows import move_pictures
from apps.listings.services.ratings import count_reviews

logger = logging.getLogger(__name__)

Status = Listing.Status


class CannotMerge(Conflict):
    code = "cannot_merge"
    title = "Companies can't be merged"


class OwnerNotChosen(Conflict):
    code = "owner_not_chosen"
    title = "Two accounts own these companies"


@dataclass(slots=True)
class Merged:
    """The company that stays, the facts it took over, and what happened to the other one's listings."""

    company: Company
    filled: list[str] = field(default_factory=list)
    moved: list[Listing] = field(default_factory=list)
    closed: list[Listing] = field(default_factory=list)


@transaction.atomic
def merge_companies(*, keep: Company, drop: Company, by: Actor, owner: User | None = None) -> Merged:
    """Merge `drop` into `keep`, as `plan_merge` says. `drop` stays as a row that points to `keep`.

    Its listings move over where `keep` has none. Elsewhere they close, and `keep`'s listing gets their milestones,
    updates, comments, reviews, follows and places in collections, and their founder story if it has none. Votes,
    standings and ledgers stay with the listing that got them. `owner` is one of the two owners, and required if they
    differ. Raises CannotMerge (409) with the reason, and OwnerNotChosen (409).
    """
    plan = plan_merge(**_locked(keep, drop))
    if plan.problems:
        raise CannotMerge(" ".join(plan.problems), next_steps=plan.problems)
    keep, drop = plan.keep, plan.drop
    chosen = _chosen_owner(plan, owner)
    owners = {person.pk: person for person in plan.owners}
    edit_id = uuid.uuid4()
    merged = Merged(company=keep, filled=[fact.name for fact in plan.facts if fact.is_filled])
    # Emailed in the name of the listings before the merge, because some of them change hands below.
    _notify(plan, chosen)
    before = _facts_before(plan)
    for fact in plan.facts:
        setattr(keep, fact.name, fact.result)
    keep.owner, keep.verified_at = chosen, keep.verified_at if chosen == keep.owner else None
    keep.save()
    move_pictures(of=drop, to=keep)
    for line in plan.lines:
        _carry_out(line, keep, by, edit_id, merged)
    for listing in keep.listings.all():
        count_reviews(listing.pk)
    _lead_to(keep, drop)
    after = {name: getattr(keep, name) for name in merged.filled} | {"owner": chosen.email, "merged": drop.website}
    history.record_states(company=keep, listing=None, before=before, after=after, by=by, edit_id=edit_id)
    left = {"before": {"merged_into": ""}, "after": {"merged_into": keep.website}}
    history.record_states(company=drop, listing=None, **left, by=by, edit_id=edit_id)
    search.index(company_id=keep.pk)
    extra = {"keep": keep.pk, "drop": drop.pk, "account": by.user.pk if by.user else None, "owners": sorted(owners)}
    logger.info("companies merged", extra=extra)
    return merged


def _locked(keep: Company, drop: Company) -> dict[str, Company]:
    """Lock both companies with all of their listings, in the order of the companies' ids."""
    companies = {pk: lock_company(pk).company for pk in sorted({keep.pk, drop.pk})}
    return {"keep": companies[keep.pk], "drop": companies[drop.pk]}


def _chosen_owner(plan: MergePlan, owner: User | None) -> User:
    owners = {person.pk: person for person in plan.owners}
    if owner is None and len(owners) == 1:
        return plan.keep.owner
    if owner is None or owner.pk not in owners:
        names = " and ".join(person.email for person in owners.values())
        raise OwnerNotChosen(f"Choose which account owns the merged company: {names}.", pointer="/owner")
    return owners[owner.pk]


def _facts_before(plan: MergePlan) -> dict[str, Any]:
    facts = {fact.name: fact.keep for fact in plan.facts if fact.is_filled}
    return facts | {"owner": plan.keep.owner.email, "merged": ""}


def _carry_out(line: ListingLine, keep: Company, by: Actor, edit_id: uuid.UUID, merged: Merged) -> None:
    listing = line.listing
    if line.outcome == ListingOutcome.MOVES:
        before = {"company": listing.company.name}
        listing.company = keep
        listing.save(update_fields=["company", "updated_at"])
        ListingVersion.objects.filter(listing=listing).update(company=keep)
        history.record_states(
            company=keep, listing=listing, before=before, after={"company": keep.name}, by=by, edit_id=edit_id
        )
        merged.moved.append(listing)
    else:
        _close(line, by, edit_id)
        merged.closed.append(listing)


def _close(line: ListingLine, by: Actor, edit_id: uuid.UUID) -> None:
    """End a listing in favor of the other company's on the same site, which gets its content and followers."""
    listing, kept = line.listing, line.kept
    if kept is None:
        raise ValueError("a listing closes in favor of another one")
    before = {"status": listing.status, "merged_into": ""}
    if listing.launched_at is None:
        # The spot in its week is free again.
        listing.launch_week = ""
    status = Status.REJECTED if listing.status == Status.REJECTED else Status.ARCHIVED
    listing.move_to(status, "launch_week", suspended_from="", merged_into=kept)
    Listing.objects.filter(merged_into=listing).update(merged_into=kept)
    after = {"status": listing.status, "merged_into": kept.path}
    history.record_states(company=listing.company, listing=listing, before=before, after=after, by=by, edit_id=edit_id)
    Milestone.objects.filter(pk__in=[one.pk for one in line.milestones]).update(listing=kept)
    Update.objects.filter(pk__in=[one.pk for one in line.updates]).update(listing=kept)
    Follow.objects.filter(pk__in=[one.pk for one in line.follows]).update(listing=kept)
    Follow.objects.filter(listing=listing).delete()
    # A collection has each listing once.
    listing.collection_items.exclude(collection__in=kept.collection_items.values("collection")).update(listing=kept)
    listing.collection_items.all().delete()
    # Each listing has one pinned comment at most.
    listing.comments.update(listing=kept, is_pinned=False)
    _move_reviews(listing, kept)
    kept.comment_count += listing.comment_count
    listing.comment_count = 0
    listing.save(update_fields=["comment_count"])
    if line.takes_story:
        listing.founder_story.listing = kept
        listing.founder_story.save(update_fields=["listing"])
    paid = PAID_SECTIONS if listing.plan == Listing.Plan.PAID and listing.launched_at else ()
    kept.unlocked_sections = sorted({*kept.unlocked_sections, *listing.unlocked_sections, *paid})
    kept.save(update_fields=["unlocked_sections", "comment_count", "updated_at"])


def _move_reviews(listing: Listing, kept: Listing) -> None:
    """Move reviews with what proves them. Of a person who reviewed both, the review of the kept listing stays."""
    # Nobody reviews their own listing.
    doubled = [*kept.reviews.exclude(status="deleted").values_list("author", flat=True), kept.company.owner_id]
    listing.reviews.exclude(author__in=doubled).update(listing=kept)
    listing.review_links.update(listing=kept)
    listing.customer_domains.exclude(domain__in=kept.customer_domains.values("domain")).update(listing=kept)
    count_reviews(listing.pk)


def _lead_to(keep: Company, drop: Company) -> None:
    """Point everything that led to `drop` directly to `keep`, so that no chain has more than one step."""
    drop.merged_into = keep
    drop.save(update_fields=["merged_into", "updated_at"])
    Company.objects.filter(merged_into=drop).update(merged_into=keep)


def _notify(plan: MergePlan, owner: User) -> None:
    """Email each owner once, in the name of a site that lists the company."""
    listings = [
        *Listing.objects.filter(company=plan.keep).select_related("company__owner", "site").order_by("pk")[:1],
        *(line.listing for line in plan.lines[:1]),
    ]
    notified = set()
    for listing in listings:
        person = listing.company.owner
        if person.pk in notified:
            continue
        notified.add(person.pk)
        context = {
            "listing": listing,
            "site": listing.site,
            "plan": plan,
            "has_it": person.pk == owner.pk,
            "dashboard_url": listing.site.url("/account"),
        }
        emails.notify_owner(
            listing=listing,
            key=f"merge-{plan.drop.pk}-into-{plan.keep.pk}",
            words=render_words("listings/emails/merge", context),
        )
