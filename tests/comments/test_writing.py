"""Posting, editing and deleting comments: what is accepted, who reads it first, and what is counted."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
import time_machine
from django.utils import timezone

from apps.accounts.actors import Actor, Via
from apps.comments.models import MAX_LENGTH, Comment
from apps.comments.services.moderation import approve_comment, remove_comment
from apps.comments.services.writing import MAX_LINKS, MAX_WAITING, delete_comment, edit_comment, post_comment
from apps.core.errors import DomainError, Forbidden
from apps.events.models import Event
from apps.listings.models import Listing
from tests.actors import by_team, in_browser
from tests.comments.people import comment_on, trusted
from tests.factories import ListingFactory, UserFactory

pytestmark = pytest.mark.db

Status = Comment.Status


def code_of(call: Callable[[], object]) -> str:
    with pytest.raises(DomainError) as refused:
        call()
    error = refused.value
    return error.errors[0].code if error.errors else error.error_code


def counted(listing: Listing) -> int:
    """The listing's counter, which always equals its posted comments."""
    listing.refresh_from_db()
    assert listing.comment_count == Comment.objects.filter(listing=listing, status=Status.POSTED).count()
    return listing.comment_count


def test_a_trusted_account_posts_and_is_counted(listing: Listing) -> None:
    comment = comment_on(listing, " Well\r\nmade.  ")
    assert (comment.status, comment.text, comment.parent) == (Status.POSTED, "Well\nmade.", None)
    assert counted(listing) == 1


def test_a_first_comment_is_reviewed_and_the_next_is_not(listing: Listing) -> None:
    author, moderator = UserFactory.create(), UserFactory.create(is_staff=True)
    first = comment_on(listing, author=author)
    assert (first.status, first.review_reason, counted(listing)) == (Status.IN_REVIEW, "first", 0)
    approve_comment(comment=first, by=by_team(moderator))
    assert counted(listing) == 1
    assert comment_on(listing, author=author).status == Status.POSTED


@pytest.mark.parametrize(("days", "has_passkey"), [(1, True), (40, False)])
def test_age_and_verified_sign_in_are_both_needed(listing: Listing, days: int, has_passkey: bool) -> None:
    author = trusted() if has_passkey else UserFactory.create()
    author.joined_at = timezone.now() - timedelta(days=days)
    author.save()
    assert comment_on(listing, author=author).status == Status.IN_REVIEW


def test_owners_site_admins_and_makers_are_trusted(listing: Listing) -> None:
    maker = ListingFactory.create(live=True).company.owner
    for author in (listing.company.owner, UserFactory.create(is_staff=True), maker):
        assert comment_on(listing, author=author).status == Status.POSTED


def test_after_a_removal_comments_are_reviewed(listing: Listing) -> None:
    author, moderator = trusted(), UserFactory.create(is_staff=True)
    remove_comment(comment=comment_on(listing, author=author), reason="Rude.", by=by_team(moderator))
    assert comment_on(listing, author=author).review_reason == "removed"
    assert counted(listing) == 0


def test_deleting_a_removed_comment_does_not_end_the_probation(listing: Listing) -> None:
    author, moderator = trusted(), UserFactory.create(is_staff=True)
    comment = comment_on(listing, author=author)
    remove_comment(comment=comment, reason="Rude.", by=by_team(moderator))
    delete_comment(comment=comment, by=in_browser(author))
    assert comment_on(listing, author=author).review_reason == "removed"


def test_a_reply_to_a_reply_goes_below_the_first(listing: Listing) -> None:
    first = comment_on(listing)
    reply = comment_on(listing, reply_to=first)
    deeper = comment_on(listing, reply_to=reply)
    assert (reply.parent, deeper.parent, deeper.reply_to) == (first, first, reply)
    assert counted(listing) == 3


def test_replies_only_go_to_posted_comments_of_the_listing(listing: Listing) -> None:
    other = comment_on(ListingFactory.create(live=True))
    waiting = comment_on(listing, author=UserFactory.create())
    for target in (other, waiting):
        assert code_of(partial(comment_on, listing, reply_to=target)) == "not_replyable"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "blank"),
        ("\u200b\u2066 \u3164\u2800", "blank"),
        ("x" * (MAX_LENGTH + 1), "max_length"),
        (" ".join(f"https://farm{number}.example.com" for number in range(MAX_LINKS + 1)), "too_many_links"),
    ],
)
def test_unfit_texts_are_refused(listing: Listing, text: str, code: str) -> None:
    author = in_browser(trusted())
    assert code_of(lambda: post_comment(listing=listing, text=text, by=author)) == code
    assert not Comment.objects.exists()


def test_the_longest_text_is_kept_whole(listing: Listing) -> None:
    assert len(comment_on(listing, "é" * MAX_LENGTH).text) == MAX_LENGTH


@pytest.mark.parametrize("via", ["key", "assistant", "admin", "system"])
def test_only_people_in_the_browser_write(listing: Listing, via: Via) -> None:
    author = trusted()
    comment = comment_on(listing, author=author)
    by = Actor(user=author, via=via, credential="x")
    with pytest.raises(Forbidden):
        post_comment(listing=listing, text="By a program", by=by)
    with pytest.raises(Forbidden):
        edit_comment(comment=comment, text="By a program", by=by)
    with pytest.raises(Forbidden):
        delete_comment(comment=comment, by=by)
    assert Comment.objects.get().text == comment.text


@pytest.mark.parametrize("status", [status for status in Listing.Status if status != Listing.Status.LIVE])
def test_only_live_listings_take_comments(listing: Listing, status: str) -> None:
    Listing.objects.filter(pk=listing.pk).update(
        status=status, suspended_from="live" if status == Listing.Status.SUSPENDED else ""
    )
    assert code_of(lambda: comment_on(listing)) == "not_commentable"


def test_an_account_without_a_name_gives_one_first(listing: Listing) -> None:
    author = trusted(name="")
    assert code_of(lambda: comment_on(listing, author=author)) == "blank"
    assert code_of(lambda: comment_on(listing, author=author, name="x" * 81)) == "max_length"
    comment_on(listing, author=author, name=" Ada\u202e Example ")
    author.refresh_from_db()
    assert author.name == "Ada Example"


def test_edits_within_15_minutes_are_marked(listing: Listing) -> None:
    author = trusted()
    comment = comment_on(listing, author=author)
    edit_comment(comment=comment, text="Better", by=in_browser(author))
    comment.refresh_from_db()
    assert (comment.text, comment.edited_at is not None) == ("Better", True)
    other = in_browser(trusted())
    assert code_of(lambda: edit_comment(comment=comment, text="Mine", by=other)) == "comment_not_editable"
    with time_machine.travel(comment.created_at + timedelta(minutes=15), tick=False):
        late = in_browser(author)
        assert code_of(lambda: edit_comment(comment=comment, text="Late", by=late)) == "comment_not_editable"


def test_an_edit_that_adds_links_without_trust_is_reviewed_again(listing: Listing) -> None:
    author = UserFactory.create()
    comment = comment_on(listing, author=author)
    approve_comment(comment=comment, by=by_team(UserFactory.create(is_staff=True)))
    edit_comment(comment=comment, text="A fixed typo", by=in_browser(author))
    assert counted(listing) == 1
    edit_comment(comment=comment, text="Buy https://spam.example.com", by=in_browser(author))
    comment.refresh_from_db()
    assert (comment.status, counted(listing)) == (Status.IN_REVIEW, 0)


def test_a_deleted_comment_leaves_no_text_and_keeps_its_replies(listing: Listing) -> None:
    author = trusted()
    comment = comment_on(listing, "See https://one.example.com", author=author)
    reply = comment_on(listing, reply_to=comment)
    other = in_browser(trusted())
    with pytest.raises(Forbidden):
        delete_comment(comment=comment, by=other)
    for _ in range(2):
        delete_comment(comment=comment, by=in_browser(author))
    comment.refresh_from_db()
    assert (comment.status, comment.text, comment.hosts, comment.fingerprint) == (Status.DELETED, "", [], "")
    assert (reply.parent, counted(listing)) == (comment, 1)


def test_the_same_text_is_not_posted_twice(listing: Listing) -> None:
    author, other = trusted(), ListingFactory.create(live=True)
    comment_on(listing, "Congratulations!", author=author)
    assert code_of(lambda: comment_on(listing, "congratulations", author=author)) == "duplicate_comment"
    assert comment_on(other, "Congratulations!", author=author).status == Status.POSTED
    long = "I have used this for a month and it changed how my team works."
    comment_on(listing, long, author=author)
    assert code_of(lambda: comment_on(other, f"{long}!!", author=author)) == "duplicate_comment"


def test_few_comments_of_an_account_wait_for_review(listing: Listing) -> None:
    author = UserFactory.create()
    for _ in range(MAX_WAITING):
        comment_on(listing, author=author)
    assert code_of(lambda: comment_on(listing, author=author)) == "too_many_in_review"


def test_copies_by_many_accounts_are_reviewed(listing: Listing) -> None:
    text = "The best product of the year, vote for it"
    result = [comment_on(listing, text).review_reason for _ in range(4)]
    assert result == ["", "", "copies", "copies"]
    assert counted(listing) == 2


def test_a_link_farm_is_reviewed_and_the_product_itself_is_not(listing: Listing) -> None:
    listings = [listing, *ListingFactory.create_batch(5, live=True)]
    farm = [
        comment_on(one, f"Number {place}: https://www{place}.casino-farm.com/x").review_reason
        for place, one in enumerate(listings)
    ]
    assert farm == ["", "", "", "", "links", "links"]
    Listing.objects.filter(pk=listing.pk)
    company = listing.company
    company.website_key = "acme-product.com"
    company.save()
    own = [comment_on(listing, f"Number {n} https://acme-product.com/{n}").review_reason for n in range(6)]
    assert own == [""] * 6


def test_a_crowd_of_new_accounts_is_reviewed(listing: Listing) -> None:
    assert comment_on(listing, is_crowded=True).review_reason == "crowd"
    known = trusted()
    comment_on(listing, author=known)
    assert comment_on(listing, author=known, is_crowded=True).status == Status.POSTED


def test_events_reach_the_owner_and_the_author_replied_to(listing: Listing) -> None:
    owner, author = listing.company.owner, trusted()
    comment = comment_on(listing, author=author)
    reply = comment_on(listing, reply_to=comment)
    comment_on(listing, author=UserFactory.create())
    edit_comment(comment=comment, text="Better", by=in_browser(author))
    delete_comment(comment=comment, by=in_browser(author))
    result = list(Event.objects.filter(account=owner, object_type="comment").order_by("id"))
    assert [event.type for event in result] == ["comment.posted"] * 2 + ["comment.edited", "comment.deleted"]
    assert result[1].data == {"listing_id": listing.pk, "reply_to": comment.pk, "previous_status": "in_review"}
    told = Event.objects.get(account=author)
    assert (told.type, told.object_id) == ("reply.posted", str(reply.pk))
