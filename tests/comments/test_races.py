"""Changes of comments that meet: each happens completely, and the listing's number stays exact."""

from functools import partial

import pytest

from apps.comments.models import Comment
from apps.comments.services.moderation import approve_comment, remove_comment
from apps.comments.services.owning import hide_comment, pin_comment
from apps.comments.services.writing import delete_comment, edit_comment, post_comment
from apps.listings.models import Listing
from apps.moderation.models import Decision
from apps.sites.models import Site
from tests.actors import by_team, in_browser
from tests.comments.people import comment_on, trusted
from tests.comments.test_writing import counted
from tests.factories import ListingFactory, UserFactory
from tests.racing import count_outcomes, run_at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def listing(site: Site) -> Listing:
    made: Listing = ListingFactory.create(live=True)
    return made


def test_comments_at_the_same_moment_are_all_counted(listing: Listing) -> None:
    people = [in_browser(trusted()) for _ in range(6)]
    calls = [partial(post_comment, listing=listing, text=f"Number {n}", by=by) for n, by in enumerate(people)]
    assert count_outcomes(*calls) == {"done": 6}
    assert counted(listing) == 6


def test_the_same_comment_twice_is_posted_once(listing: Listing) -> None:
    by = in_browser(trusted())
    outcomes = count_outcomes(*[partial(post_comment, listing=listing, text="Twice", by=by)] * 2)
    assert outcomes == {"done": 1, "duplicate_comment": 1}
    assert counted(listing) == 1


def test_a_hidden_comment_is_not_shown_again_by_an_edit(listing: Listing) -> None:
    comment = comment_on(listing)
    edit = partial(edit_comment, comment=comment, text="Edited", by=in_browser(comment.author))
    hide = partial(hide_comment, comment=comment, by=in_browser(listing.company.owner))
    edited, _ = run_at_once(edit, hide)
    result = Comment.objects.get()
    assert result.status == Comment.Status.HIDDEN
    assert (result.text == "Edited") == (edited != "comment_not_editable")
    assert counted(listing) == 0


def test_hide_remove_and_delete_count_once(listing: Listing) -> None:
    comment, moderator = comment_on(listing), UserFactory.create(is_staff=True)
    count_outcomes(
        partial(hide_comment, comment=comment, by=in_browser(listing.company.owner)),
        partial(remove_comment, comment=comment, reason="Rude.", by=by_team(moderator)),
        partial(delete_comment, comment=comment, by=in_browser(comment.author)),
    )
    assert Comment.objects.get().status == Comment.Status.DELETED
    assert counted(listing) == 0


def test_two_moderators_approve_once(listing: Listing) -> None:
    comment = comment_on(listing, author=UserFactory.create())
    people = [by_team(UserFactory.create(is_staff=True)) for _ in range(2)]
    count_outcomes(*[partial(approve_comment, comment=comment, by=by) for by in people])
    assert Decision.objects.filter(case__object_id=comment.pk, action="approved").count() == 1
    assert counted(listing) == 1


def test_one_pin_survives(listing: Listing) -> None:
    owner = in_browser(listing.company.owner)
    comments = [comment_on(listing) for _ in range(3)]
    assert count_outcomes(*[partial(pin_comment, comment=one, by=owner) for one in comments]) == {"done": 3}
    assert Comment.objects.filter(is_pinned=True).count() == 1
