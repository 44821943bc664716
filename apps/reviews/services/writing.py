"""Post, edit, answer and delete reviews. Only people in the browser do."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.accounts.actors import Actor, only_person
from apps.accounts.crowds import domain_of
from apps.accounts.email_domains import LARGE_PROVIDERS
from apps.accounts.models import User
from apps.blocklists.matching import check_texts
from apps.contributions import trust
from apps.contributions.names import ensure_name
from apps.contributions.texts import fingerprint_of, hosts_in
from apps.contributions.writing import checked_text, lock
from apps.core.errors import Conflict, Forbidden, Unprocessable
from apps.core.versions.differences import Change
from apps.core.web.urls import registrable_domain
from apps.events.recording import record
from apps.listings.models import Listing
from apps.moderation.services.decisions import close_without_decision
from apps.reviews import announcing
from apps.reviews.models import MAX_ANSWER_LENGTH, MAX_LENGTH, MIN_LENGTH, STARS, Review, ReviewVersion
from apps.reviews.services.counting import lock_live, move
from apps.reviews.services.proof import Customer, take_proof

Status = Review.Status

MAX_LINKS = 3
MAX_WAITING = 3
_RATINGS = {str(stars): stars for stars in STARS}


class AlreadyReviewed(Conflict):
    code = "already_reviewed"
    title = "Already reviewed"


class DuplicateReview(Conflict):
    code = "duplicate_review"
    title = "Already posted"


class TooManyInReview(Conflict):
    code = "too_many_in_review"
    title = "Reviews waiting for moderation"


class NotEditable(Conflict):
    code = "review_not_editable"
    title = "Review not editable"


class NotAnswerable(Conflict):
    code = "review_not_answerable"
    title = "No answer possible"


@transaction.atomic
def post_review(
    *,
    listing: Listing,
    rating: object,
    text: str,
    by: Actor,
    name: str = "",
    token: str = "",
    network: str = "",
    is_crowded: bool = False,
) -> Review:
    """Post a review of a live listing, or put it in moderation.

    `name` is for accounts that have none yet, `token` and `network` as in `Customer`. Raises Forbidden (403) for keys,
    clients and the company's own people, Unprocessable (422) for rating and text, and NotReviewable, AlreadyReviewed,
    DuplicateReview and TooManyInReview (409).
    """
    author = only_person(by).account
    stars, text = _rating(rating), _checked(text)
    if problem := why_not_reviewing(listing, author):
        raise Forbidden(problem)
    ensure_name(author, name)
    listing = lock_live(listing.pk)
    fingerprint = fingerprint_of(text)
    _check_pace(author.pk, listing, fingerprint)
    values = _examined(by, listing, text, is_crowded=is_crowded)
    review = Review(listing=listing, author=author, rating=stars, **values)
    for field, value in take_proof(listing, Customer(author, token, network)).items():
        setattr(review, field, value)
    move(review, Status.IN_REVIEW if review.review_reason else Status.POSTED)
    ReviewVersion.keep(by=by, snapshot=_snapshot(review), review=review)
    if review.is_posted:
        announcing.announce(review, by=by)
    return review


@transaction.atomic
def edit_review(*, review: Review, rating: object, text: str, by: Actor, token: str = "", network: str = "") -> Review:
    """Change an own review. It may go to moderation, or become verified. Raises as `post_review`, and NotEditable."""
    author = only_person(by).account
    stars, text = _rating(rating), _checked(text)
    locked = lock(review)
    if problem := why_not_editable(locked, author):
        raise NotEditable(problem)
    before = _snapshot(locked)
    locked.rating = stars
    values: dict[str, Any] = {"rating": stars}
    if not locked.is_verified:
        values |= take_proof(locked.listing, Customer(author, token, network))
    goes = Status(locked.status)
    if text != locked.text:
        values |= _examined(by, locked.listing, text, ignore=locked.pk)
        # What a moderator approved stays posted, unless the new text calls for another look.
        reason = values["review_reason"]
        if reason and (values["hosts"] or reason != Review.Wait.FIRST):
            goes = Status.IN_REVIEW
        else:
            values["review_reason"] = locked.review_reason
        locked.text = text
    changes = [
        Change(field=field, before=before[field], after=after)
        for field, after in _snapshot(locked).items()
        if before[field] != after
    ]
    if changes:
        values["edited_at"] = timezone.now()
        ReviewVersion.keep(by=by, snapshot=_snapshot(locked), changes=changes, review=locked)
    move(locked, goes, **values)
    if changes:
        record("review.edited", locked.event_subject(), by=by)
    return locked


@transaction.atomic
def answer_review(*, review: Review, text: str, by: Actor) -> Review:
    """Answer a posted review as the listing's owner, or change the answer.

    Raises Forbidden (403), Unprocessable (422) and NotAnswerable (409).
    """
    owner = only_person(by).account
    text = checked_text(text, most=MAX_ANSWER_LENGTH, links=MAX_LINKS, blank="Write an answer.")
    locked = lock(review)
    if locked.listing.company.owner_id != owner.pk:
        raise Forbidden("Only the owner of the listing can answer a review.")
    if not locked.is_posted:
        raise NotAnswerable("The review no longer exists.")
    if text == locked.answer:
        return locked
    check_texts({"text": text}, site=locked.listing.site, address=by.address)
    is_first = not locked.answer
    locked.answer = text
    if is_first:
        locked.answered_at = timezone.now()
    else:
        locked.answer_edited_at = timezone.now()
    locked.save(update_fields=["answer", "answered_at", "answer_edited_at"])
    record("review.answered", locked.event_subject(), by=by)
    if is_first:
        announcing.tell_author(locked, "answered", by=by)
    return locked


@transaction.atomic
def delete_review(*, review: Review, by: Actor) -> None:
    """Delete an own review for good, with its answer and history. Twice is no error. Raises Forbidden (403)."""
    author = only_person(by).account
    locked = lock(review)
    if locked.author_id != author.pk:
        raise Forbidden("Only the author can delete a review.")
    erase(locked)


@transaction.atomic
def delete_account_reviews(*, account: User) -> None:
    """Delete all reviews of an account that is about to be erased. May run again."""
    for review in Review.objects.filter(author=account).exclude(status=Status.DELETED).order_by("listing_id", "pk"):
        erase(lock(review))


def erase(review: Review) -> None:
    """Empty a locked review."""
    close_without_decision("review", review.pk)
    close_without_decision("review_answer", review.pk)
    review.versions.all().delete()
    texts = dict.fromkeys(("text", "fingerprint", "removed_reason", "review_reason", "answer", "proof"), "")
    moments = dict.fromkeys(("rating", "link", "answered_at", "answer_edited_at"))
    move(review, Status.DELETED, hosts=[], is_verified=False, **texts, **moments)


def why_not_reviewing(listing: Listing, account: User) -> str:
    """Return why an account can't review a listing, as a sentence, or an empty string."""
    company = listing.company
    if company.owner_id == account.pk:
        return "You can’t review your own listing."
    domain = domain_of(account.email)
    host = company.website_key.partition("/")[0]
    if domain not in LARGE_PROVIDERS and domain == (registrable_domain(host) or host):
        return f"People of {company.name} can’t review it."
    return ""


def why_not_editable(review: Review, account: User) -> str:
    """Return why an account can't edit a review, as a sentence, or an empty string."""
    if review.author_id != account.pk:
        return "Only the author can edit a review."
    if review.status not in {Status.POSTED, Status.IN_REVIEW}:
        return f"The review is {review.get_status_display().lower()} and can't be edited."
    return why_not_reviewing(review.listing, account)


def _rating(rating: object) -> int:
    stars = _RATINGS.get(str(rating).strip())
    if stars is None:
        raise Unprocessable("Choose 1 to 5 stars.", code="invalid_choice", pointer="/rating")
    return stars


def _checked(text: str) -> str:
    return checked_text(text, most=MAX_LENGTH, least=MIN_LENGTH, links=MAX_LINKS, blank="Write a review.")


def _examined(
    by: Actor, listing: Listing, text: str, *, is_crowded: bool = False, ignore: int | None = None
) -> dict[str, Any]:
    """Return the text with its signs of floods, and why a moderator reads it first."""
    signs: dict[str, Any] = {"hosts": hosts_in(text), "fingerprint": fingerprint_of(text)}
    reason = trust.review_reason(Review, by, listing, text=text, **signs, is_crowded=is_crowded, ignore=ignore)
    return {"text": text, **signs, "review_reason": reason}


def _check_pace(author_id: int, listing: Listing, fingerprint: str) -> None:
    """Reject a second review, the same text again, and more of an account whose others wait for a moderator."""
    own = Review.objects.filter(author=author_id).exclude(status=Status.DELETED)
    if own.filter(listing=listing).exists():
        raise AlreadyReviewed("You already reviewed this listing. Edit your review instead.")
    if own.filter(fingerprint=fingerprint).exists():
        raise DuplicateReview("You already posted this text about another listing.")
    if own.filter(status=Status.IN_REVIEW).count() >= MAX_WAITING:
        raise TooManyInReview(f"Wait for a moderator to read your last {MAX_WAITING} reviews.")


def _snapshot(review: Review) -> dict[str, Any]:
    return {"rating": review.rating, "text": review.text}
