"""Changes of reviews that meet: each happens completely, and the listing's numbers stay exact."""

from functools import partial

import pytest

from apps.listings.models import Listing
from apps.moderation.models import Decision
from apps.reviews.models import Review, ReviewLink
from apps.reviews.services.moderation import approve_review, remove_review
from apps.reviews.services.proof import token_of
from apps.reviews.services.writing import answer_review, delete_review, edit_review, post_review
from tests.actors import by_team, in_browser
from tests.factories import UserFactory
from tests.racing import count_outcomes
from tests.reviews.people import customer, link_for, long_text, newcomer, review_of, verified
from tests.reviews.test_writing import counted

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_double_send_posts_one_review(listing: Listing) -> None:
    by = in_browser(customer())
    calls = [partial(post_review, listing=listing, rating=5, text=long_text(), by=by) for _ in range(2)]
    assert count_outcomes(*calls) == {"done": 1, "already_reviewed": 1}
    assert counted(listing)[0] == 1


def test_the_last_use_of_a_link_goes_to_one(listing: Listing) -> None:
    token = token_of(link_for(listing, max_uses="1"))
    calls = [
        partial(post_review, listing=listing, rating=5, text=long_text(), by=in_browser(customer()), token=token)
        for _ in range(4)
    ]
    assert count_outcomes(*calls) == {"done": 4}
    assert Review.objects.filter(is_verified=True).count() == 1
    assert ReviewLink.objects.get().uses == 1
    assert counted(listing) == (4, [0, 0, 0, 0, 1])


def test_edit_remove_and_delete_count_once(listing: Listing) -> None:
    review, moderator = verified(listing)[0], UserFactory.create(is_staff=True)
    author = in_browser(review.author)
    count_outcomes(
        partial(edit_review, review=review, rating=1, text=long_text(), by=author),
        partial(remove_review, review=review, reason="Rude.", by=by_team(moderator)),
        partial(delete_review, review=review, by=author),
        partial(answer_review, review=review, text="Thanks", by=in_browser(listing.company.owner)),
    )
    review.refresh_from_db()
    assert (review.status, review.answer) == (Review.Status.DELETED, "")
    assert counted(listing) == (0, [0, 0, 0, 0, 0])


def test_two_moderators_approve_once(listing: Listing) -> None:
    review = review_of(listing, author=newcomer())
    people = [by_team(UserFactory.create(is_staff=True)) for _ in range(2)]
    count_outcomes(*[partial(approve_review, review=review, by=by) for by in people])
    assert Decision.objects.filter(case__object_id=review.pk, action="approved").count() == 1
    assert counted(listing)[0] == 1
