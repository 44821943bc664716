"""Posting, editing, answering and deleting reviews: what is accepted, who reads it first, and what is counted."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from apps.accounts.actors import Actor, Via
from apps.events.models import Event
from apps.listings.models import Listing, Rating
from apps.reviews.models import MAX_ANSWER_LENGTH, MAX_LENGTH, MIN_LENGTH, Review
from apps.reviews.services.moderation import approve_review, remove_review
from apps.reviews.services.writing import answer_review, delete_review, edit_review, post_review
from tests.actors import by_team, in_browser
from tests.comments.test_writing import code_of
from tests.factories import ListingFactory, SiteFactory, UserFactory
from tests.listings.statuses import in_status
from tests.reviews.people import customer, long_text, newcomer, review_of, verified

pytestmark = pytest.mark.django_db

Status = Review.Status


def counted(listing: Listing) -> tuple[int, list[int]]:
    """The listing's numbers, which always equal its posted reviews."""
    listing.refresh_from_db()
    posted = Review.objects.filter(listing=listing, status=Status.POSTED)
    stars = [posted.filter(is_verified=True, rating=rating).count() for rating in (1, 2, 3, 4, 5)]
    assert (listing.review_count, listing.star_counts) == (posted.count(), stars)
    return listing.review_count, listing.star_counts


def test_a_trusted_account_posts_and_is_counted_as_unverified(listing: Listing) -> None:
    review = review_of(listing, " Well\r\nmade ", rating="4")
    assert (review.status, review.rating, review.is_verified) == (Status.POSTED, 4, False)
    assert review.text.startswith("Well\nmade")
    assert counted(listing) == (1, [0, 0, 0, 0, 0])


def test_verified_reviews_count_by_stars(listing: Listing) -> None:
    verified(listing, 2)
    verified(listing, 1, rating=2)
    assert counted(listing) == (3, [0, 1, 0, 0, 2])
    averages = [listing.rating]
    verified(listing, 2, rating=4)
    counted(listing)
    assert [*averages, listing.rating] == [None, Rating(4.0, 5)]


def test_a_first_review_is_moderated_and_the_next_is_not(listing: Listing) -> None:
    author, other = newcomer(), ListingFactory.create(live=True)
    first = review_of(listing, author=author)
    assert (first.status, first.review_reason, counted(listing)[0]) == (Status.IN_REVIEW, "first", 0)
    approve_review(review=first, by=by_team(UserFactory.create(is_staff=True)))
    assert counted(listing)[0] == 1
    assert review_of(other, author=author).status == Status.POSTED


@pytest.mark.parametrize("rating", [0, 6, 4.5, "five", "", None, -1, "5.0", True, "٥", "1; DROP TABLE", [5], "05"])
def test_only_1_to_5_stars(listing: Listing, rating: object) -> None:
    assert code_of(partial(review_of, listing, rating=rating)) == "invalid_choice"
    assert not Review.objects.exists()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "blank"),
        ("\u200b\u2066 \u3164\u2800" * 20, "blank"),
        ("x" * (MIN_LENGTH - 1), "min_length"),
        ("x" + "\u200b" * MIN_LENGTH, "min_length"),
        ("x" * (MAX_LENGTH + 1), "max_length"),
        ("Offers: " + " ".join(f"https://farm{number}.example.com" for number in range(4)), "too_many_links"),
    ],
)
def test_unfit_texts_are_refused(listing: Listing, text: str, code: str) -> None:
    author = in_browser(customer())
    assert code_of(lambda: post_review(listing=listing, rating=5, text=text, by=author)) == code
    assert not Review.objects.exists()


@pytest.mark.parametrize("length", [MIN_LENGTH, MAX_LENGTH])
def test_lengths_at_the_limits(listing: Listing, length: int) -> None:
    review = post_review(listing=listing, rating=5, text="x" * length, by=in_browser(customer()))
    assert len(review.text) == length


def test_one_review_per_person_and_listing(listing: Listing) -> None:
    author = customer()
    review = review_of(listing, author=author)
    assert code_of(partial(review_of, listing, author=author)) == "already_reviewed"
    with pytest.raises(IntegrityError), transaction.atomic():
        Review.objects.create(listing=listing, author=author, rating=1, text="Twice")
    delete_review(review=review, by=in_browser(author))
    assert review_of(listing, author=author).status == Status.POSTED
    assert counted(listing)[0] == 1


def test_owners_and_their_people_review_none_of_their_listings(listing: Listing) -> None:
    company = listing.company
    elsewhere = ListingFactory.create(live=True, company=company, site=SiteFactory.create())
    company.website_key = "acme.example"
    company.save()
    colleague = customer(email="ada@mail.acme.example")
    for of in (listing, elsewhere):
        for author in (company.owner, colleague):
            assert code_of(partial(review_of, of, author=author)) == "forbidden"
    assert not Review.objects.exists()


@pytest.mark.parametrize("status", [status for status in Listing.Status if status != Listing.Status.LIVE])
def test_only_live_listings_take_reviews(status: str) -> None:
    assert code_of(partial(review_of, in_status(status))) == "not_reviewable"


@pytest.mark.parametrize("via", ["key", "assistant", "system", "admin"])
def test_nobody_reviews_but_by_browser(listing: Listing, via: Via) -> None:
    author, review = customer(), review_of(listing)
    calls: list[Callable[..., Any]] = [
        partial(post_review, listing=listing, rating=5, text=long_text(), by=Actor(user=author, via=via)),
        partial(edit_review, review=review, rating=1, text=long_text(), by=Actor(user=review.author, via=via)),
        partial(delete_review, review=review, by=Actor(user=review.author, via=via)),
        partial(answer_review, review=review, text="Thanks", by=Actor(user=listing.company.owner, via=via)),
    ]
    assert [code_of(call) for call in calls] == ["forbidden"] * 4


def test_the_author_edits_and_the_history_keeps_every_version(listing: Listing) -> None:
    review = review_of(listing, "First words", rating=5)
    author = in_browser(review.author)
    before = review.text
    edited = edit_review(review=review, rating=2, text=long_text("Second words"), by=author)
    assert (edited.rating, edited.status) == (2, Status.POSTED)
    assert edited.edited_at is not None
    edit_review(review=review, rating=2, text=edited.text, by=author)
    newest, first = review.versions.all()
    assert first.snapshot == {"rating": 5, "text": before}
    assert [change["field"] for change in newest.changes] == ["rating", "text"]
    assert Event.objects.filter(type="review.edited", account=listing.company.owner).count() == 1
    assert code_of(lambda: edit_review(review=review, rating=1, text=before, by=in_browser(customer()))) == (
        "review_not_editable"
    )


def test_an_edit_to_a_text_with_links_is_moderated_again(listing: Listing) -> None:
    author = newcomer()
    review = review_of(listing, author=author)
    approve_review(review=review, by=by_team(UserFactory.create(is_staff=True)))
    remove = review_of(ListingFactory.create(live=True), author=author)
    remove_review(review=remove, reason="Rude.", by=by_team(UserFactory.create(is_staff=True)))
    edited = edit_review(review=review, rating=5, text=long_text("See https://spam.example.net"), by=in_browser(author))
    assert (edited.status, edited.review_reason) == (Status.IN_REVIEW, "removed")
    assert counted(listing)[0] == 0


def test_deleting_a_removed_review_does_not_end_the_probation(listing: Listing) -> None:
    author = customer()
    review = review_of(listing, author=author)
    remove_review(review=review, reason="Rude.", by=by_team(UserFactory.create(is_staff=True)))
    delete_review(review=review, by=in_browser(author))
    assert review_of(listing, author=author).review_reason == "removed"


def test_the_same_text_of_many_is_moderated(listing: Listing) -> None:
    text = "Great app, it changed how our team works together"
    reviews = [review_of(listing, text) for _ in range(3)]
    assert [one.review_reason for one in reviews] == ["", "", "copies"]
    again = partial(review_of, ListingFactory.create(live=True), text, author=reviews[0].author)
    assert code_of(again) == "duplicate_review"


def test_three_wait_at_most(listing: Listing) -> None:
    author = newcomer()
    for _ in range(3):
        review_of(ListingFactory.create(live=True), author=author)
    assert code_of(partial(review_of, listing, author=author)) == "too_many_in_review"


def test_the_owner_answers_once_and_edits_the_answer(listing: Listing) -> None:
    review, owner = review_of(listing), in_browser(listing.company.owner)
    answered = answer_review(review=review, text=" Thank\u202e you ", by=owner)
    assert (answered.answer, answered.answer_edited_at) == ("Thank you", None)
    assert answered.answered_at is not None
    edited = answer_review(review=review, text="Thanks", by=owner)
    assert (edited.answer, edited.answered_at) == ("Thanks", answered.answered_at)
    assert edited.answer_edited_at is not None
    assert Event.objects.filter(type="own_review.answered", account=review.author).count() == 1
    codes = [
        code_of(lambda: answer_review(review=review, text="x" * (MAX_ANSWER_LENGTH + 1), by=owner)),
        code_of(lambda: answer_review(review=review, text=" ", by=owner)),
        code_of(lambda: answer_review(review=review, text="Me too", by=in_browser(review.author))),
        code_of(lambda: answer_review(review=review_of(listing, author=newcomer()), text="Hi", by=owner)),
    ]
    assert codes == ["max_length", "blank", "forbidden", "review_not_answerable"]


def test_a_deleted_review_leaves_nothing(listing: Listing) -> None:
    review = verified(listing)[0]
    answer_review(review=review, text="Thank you", by=in_browser(listing.company.owner))
    assert code_of(lambda: delete_review(review=review, by=in_browser(listing.company.owner))) == "forbidden"
    delete_review(review=review, by=in_browser(review.author))
    delete_review(review=review, by=in_browser(review.author))
    review.refresh_from_db()
    assert (review.status, review.rating, review.text, review.answer, review.is_verified, review.link) == (
        Status.DELETED, None, "", "", False, None,
    )  # fmt: skip
    assert not review.versions.exists()
    assert counted(listing) == (0, [0, 0, 0, 0, 0])
