"""Moderators decide in the admin, and everybody who should know learns of it."""

import pytest
from django.test import Client

from apps.accounts.models import NotificationKind, User
from apps.comments.models import Comment
from apps.comments.services.moderation import approve_comment, remove_comment, restore_comment
from apps.comments.services.owning import hide_comment
from apps.core.models import OutgoingEmail
from apps.events.models import Event
from apps.listings.models import Listing
from apps.listings.services.merging import merge_companies
from apps.notifications.inbox import list_notifications
from tests.actors import by_team, in_browser
from tests.browsing import signed_in, staff
from tests.comments.people import comment_on, trusted
from tests.comments.test_writing import code_of, counted
from tests.factories import CompanyFactory, ListingFactory, UserFactory

pytestmark = pytest.mark.db

LIST = "/admin/comments/comment/"


@pytest.fixture
def moderator(db: None) -> User:
    return staff("view_comment", "change_comment")


@pytest.fixture
def admin(moderator: User) -> Client:
    return signed_in(moderator)


def statuses(*comments: Comment) -> list[str]:
    return [Comment.objects.get(pk=one.pk).status for one in comments]


def test_what_was_removed_is_not_shown_by_its_owner_or_author(listing: Listing, moderator: User) -> None:
    from apps.comments.services.owning import show_comment

    comment = comment_on(listing)
    remove_comment(comment=comment, reason="Rude.", by=by_team(moderator))
    owner = in_browser(listing.company.owner)
    assert code_of(lambda: show_comment(comment=comment, by=owner)) == "forbidden"
    assert code_of(lambda: hide_comment(comment=comment, by=owner)) == "illegal_transition"
    assert code_of(lambda: remove_comment(comment=comment, reason=" ", by=by_team(moderator))) == "blank"
    restore_comment(comment=comment, by=by_team(moderator))
    assert statuses(comment) == ["posted"]


def test_people_are_notified_as_they_prefer(listing: Listing, moderator: User) -> None:
    owner, author, quiet = listing.company.owner, trusted(), trusted(email_notifications=[], in_app_notifications=[])
    comment = comment_on(listing, "A question", author=author)
    comment_on(listing, "Another question", author=quiet)
    browser = Client()
    browser.force_login(owner)
    browser.post(f"{listing.path}/comments/{comment.pk}/reply", {"text": "An answer"})
    remove_comment(comment=comment, reason="Rude.", by=by_team(moderator))
    # The database numbers events at the commit.
    from django.db import connection

    connection.check_constraints()
    assert [item.kind for item in list_notifications(owner).items].count(NotificationKind.COMMENTS) == 2
    told = list_notifications(author).items
    assert len(told) == 2
    assert all("Acme" in item.text for item in told)
    assert {item.url for item in told} <= {
        one.listing.site.url(f"{one.listing.path}/comments/{one.pk}") for one in Comment.objects.all()
    }
    assert list_notifications(quiet).items == []
    keys = set(OutgoingEmail.objects.values_list("to", "kind"))
    assert keys == {(owner.email, "comments"), (author.email, "comments"), (author.email, "")}
    # One email an hour, however many comments there are.
    assert OutgoingEmail.objects.filter(to=owner.email).count() == 1


def test_approval_announces_once(listing: Listing, moderator: User) -> None:
    author = UserFactory.create()
    first = comment_on(listing, author=trusted())
    reply = comment_on(listing, author=author, reply_to=first)
    assert not Event.objects.filter(type="reply.posted").exists()
    approve_comment(comment=reply, by=by_team(moderator))
    assert Event.objects.filter(type="reply.posted", account=first.author).count() == 1
    assert Event.objects.filter(type="own_comment.approved", account=author).count() == 1


def test_merged_listings_share_their_comments(listing: Listing) -> None:
    keep = listing.company
    drop = CompanyFactory.create(owner=keep.owner)
    other = ListingFactory.create(live=True, company=drop, site=listing.site)
    comment_on(listing)
    moved = comment_on(other)
    merge_companies(keep=keep, drop=drop, by=by_team(UserFactory.create(is_staff=True)))
    assert counted(listing) == 2
    assert counted(other) == 0
    for path in ("comments", "comments.atom", f"comments/{moved.pk}"):
        answer = Client().get(f"{other.path}/{path}")
        assert (answer.status_code, answer.headers["Location"]) == (301, f"{listing.path}/{path}")
