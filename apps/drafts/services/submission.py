"""Commands that turn a draft into a listing, or apply it to the listing that it rereads."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.core.errors import Conflict, FieldProblem, Unprocessable
from apps.drafts.models import Draft
from apps.drafts.proposals.milestones import add_proposed
from apps.drafts.proposals.propose import NOT_LISTED
from apps.drafts.services import guidance, recrawl
from apps.drafts.services.drafts import WRITTEN_FIELDS, is_same_value, lock_draft, not_ready, write_fields
from apps.drafts.services.pictures import hand_over_pictures
from apps.listings.fields.names import REQUIRED_FIELDS
from apps.listings.models import Listing
from apps.listings.services.categories import check_categories
from apps.listings.services.creation import create_listing
from apps.listings.services.evidence import SHOWN_FIELDS, Fact, keep_evidence
from apps.listings.services.locks import check_own, lock_company
from apps.listings.websites.identity import website_key


class AlreadySubmitted(Conflict):
    code = "already_submitted"
    title = "Draft already submitted with other values"


class ChangedMeanwhile(Conflict):
    code = "changed_meanwhile"
    title = "Differences out of date"


class NoDifference(Unprocessable):
    code = "no_difference"
    title = "No such difference"


class NothingChosen(Unprocessable):
    code = "nothing_chosen"
    title = "No values chosen"


class DraftIncomplete(Unprocessable):
    code = "draft_incomplete"
    title = "Required fields missing"


def submit_draft(*, draft: Draft, fields: Mapping[str, Any], by: Actor, accept: Collection[str] = ()) -> Listing:
    """Create the listing of a draft that is ready, or that failed and was filled in by hand.

    `fields` replace what the draft proposes.

    If the draft rereads a listing, only `fields` change on it, and those that `accept` names among its differences, to
    the website's values: raises NoDifference (422) for other names, NothingChosen (422) without either, and what
    `take_over` raises. Submitting again returns the same listing. It raises AlreadySubmitted (409) if other values
    are sent, or NotEditable (409) if the listing belongs to another account by now. Raises DraftNotReady (409) in other
    statuses, DraftIncomplete (422) when a required text is empty, and what `create_listing` raises.
    """
    with transaction.atomic():
        draft = lock_draft(draft)
        if draft.listing is not None:
            check_own(draft.listing.company, by)
            _check_repeated(draft, draft.listing, fields, accept)
            return draft.listing
        if not draft.is_editable:
            raise not_ready(draft)
        fields = {**_accepted(draft, accept), **fields}
        check_categories(draft.site, fields.get("categories", ()))
        write_fields(draft, fields)
        draft.listing = _listed(draft, by) if draft.rereads is None else _taken_over(draft, draft.rereads, fields, by)
        _keep_evidence(draft, draft.listing)
        hand_over_pictures(draft, draft.listing)
        emptied = {"error_code": "", "error_message": ""}
        draft.move_to(Draft.Status.SUBMITTED, "listing", *WRITTEN_FIELDS, submitted_at=timezone.now(), **emptied)
    return draft.listing


def submit_differences(*, draft: Draft, marks: Collection[str], by: Actor) -> Listing:
    """Apply the differences with these `marks`, as they were shown, to the listing that a draft rereads.

    Raises ChangedMeanwhile (409) if one of them has changed, and what `submit_draft` raises.
    """
    with transaction.atomic():
        draft = lock_draft(draft)
        if draft.rereads is not None:
            # The lock keeps the listing unchanged until the changes are saved.
            lock_company(draft.rereads.company_id)
            draft.rereads.refresh_from_db()
        chosen = [one for one in recrawl.differences(draft) if one.mark in marks]
        if len(chosen) < len(set(marks)) and draft.status == Draft.Status.READY:
            raise ChangedMeanwhile("The listing changed since these differences were shown. Review them again.")
        return submit_draft(draft=draft, fields={}, accept=[one.field for one in chosen], by=by)


def _listed(draft: Draft, by: Actor) -> Listing:
    """Create the listing from the proposal."""
    _check_complete(draft.proposal)
    values = {name: value for name, value in draft.proposal.items() if name not in NOT_LISTED}
    listing = create_listing(site=draft.site, website=draft.website or draft.url, fields=values, by=by)
    add_proposed(listing=listing, proposed=draft.proposal.get("milestones") or (), by=by)
    return listing


def _accepted(draft: Draft, accept: Collection[str]) -> dict[str, Any]:
    """Return the website's values of the differences with these names."""
    if not accept:
        return {}
    website = {one.field: one.website for one in recrawl.differences(draft)}
    if unknown := [name for name in accept if name not in website]:
        known = f"It has {', '.join(website)}." if website else "It is empty. Send values in `fields`."
        raise NoDifference(f"`differences` of this draft doesn't have {', '.join(unknown)}. {known}", pointer="/accept")
    return {name: website[name] for name in accept}


def _taken_over(draft: Draft, listing: Listing, fields: Mapping[str, Any], by: Actor) -> Listing:
    """Change the reread listing in `fields` alone."""
    if not fields:
        raise NothingChosen(
            "Name the differences to take over in `accept`, or send other values in `fields`.",
            pointer="/accept",
            next_steps=["See `differences` in get_draft."],
        )
    recrawl.take_over(listing=listing, fields=fields, by=by)
    return listing


def _keep_evidence(draft: Draft, listing: Listing) -> None:
    """Save the sources of the listing's facts with it, so that its page can show them."""
    # The current database state, because an edit may have changed rows that are stale in memory.
    stands = Listing.objects.select_related("company").get(pk=listing.pk)
    keep_evidence(listing=stands, website_key=website_key(draft.website or draft.url), facts=facts_of(draft))


def _check_repeated(draft: Draft, listing: Listing, fields: Mapping[str, Any], accept: Collection[str]) -> None:
    if draft.rereads_id:
        # Proposed values that were not accepted are not in the listing.
        differing = {one.field for one in recrawl.differences_from(listing, draft)}
        other = [*recrawl.other_than(listing, fields), *(name for name in accept if name in differing)]
    else:
        other = [name for name, value in fields.items() if not is_same_value(draft.proposal.get(name), value)]
    if other:
        raise AlreadySubmitted(
            f"The draft is already listing {listing.pk}, with other values in {', '.join(other)}.",
            next_steps=["Edit the listing with update_my_listing."],
            extra={"listing_id": listing.pk, "listing_url": listing.page_url},
        )


def _check_complete(values: Mapping[str, Any]) -> None:
    problems = [
        FieldProblem(
            "required",
            f"We found no {name} on the website. Write one and send it as fields.{name}.",
            f"/fields/{name}",
        )
        for name in REQUIRED_FIELDS
        if not values.get(name)
    ]
    if problems:
        names = ", ".join(problem.pointer.removeprefix("/fields/") for problem in problems)
        raise DraftIncomplete(f"Add the required fields: {names}.", errors=problems)


def facts_of(draft: Draft) -> Iterator[Fact]:
    """Yield every reading of a field that visitors see: runners-up first, and the proposed value last.

    The listing decides which of them it uses. If the owner replaced questions or milestones, yields nothing for them.
    """
    for item in draft.evidence:
        name = str(item["field"]).partition(".")[0]
        if name not in SHOWN_FIELDS:
            continue
        if name in guidance.ENTRIES:
            if (entry := guidance.entry_of(draft, str(item["field"]))) is not None:
                yield _fact(draft, name, entry, item)
            continue
        field = str(item["field"]) if name == "socials" else name
        for reading in (*item.get("runners_up", ()), item):
            yield _fact(draft, field, reading["value"], reading)


def _fact(draft: Draft, field: str, value: Any, reading: Mapping[str, Any]) -> Fact:
    return Fact(
        field=field,
        value=value,
        page_url=str(reading["page_url"]),
        snippet=str(reading["snippet"]),
        read_at=draft.finished_at or timezone.now(),
        is_worded=bool(reading.get("is_worded")),
    )
