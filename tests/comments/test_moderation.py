"""Moderators decide in the admin, and everybody who should know learns of it."""

from typing import Any

import pytest
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.models import Permission
from django.test import Client

from apps.accounts.models import NotificationKind, User
from apps.accounts.own_data.deletion import erase_account
from apps.comments.models import Comment
from apps.comments.services.moderation import approve_comment, remove_comment, restore_comment
from apps.comments.services.owning import hide_comment
from apps.core.admin.metrics import needs_of
from apps.core.models import OutgoingEmail
from apps.events.models import Event
from apps.listings.models import Listing
from apps.listings.services.merging import merge_companies
from apps.moderation.models import Decision
from apps.notifications.inbox import list_notifications
from tests.actors import by_team, in_browser
from tests.comments.people import comment_on, trusted
from tests.comments.test_writing import code_of, counted
from tests.factories import CompanyFactory, ListingFactory, UserFactory

pytestmark = pytest.mark.db

LIST = "/admin/comments/comment/"


@pytest.fixture
def moderator(db: None) -> User:
    made: User = UserFactory.create(is_staff=True)
    names = ["view_comment", "change_comment"]
    made.user_permissions.set(Permission.objects.filter(content_type__app_label="comments", codename__in=names))
    return made


@pytest.fixture
def admin(moderator: User) -> Client:
    client = Client()
    client.force_login(moderator)
    return client


def act(admin: Client, name: str, comments: list[Comment], **values: str) -> Any:
    chosen = [str(one.pk) for one in comments]
    return admin.post(LIST, {"action": name, ACTION_CHECKBOX_NAME: chosen, **values})


def statuses(*comments: Comment) -> list[str]:
    return [Comment.objects.get(pk=one.pk).status for one in comments]


def test_the_queue_has_comments_in_review(listing: Listing, admin: Client) -> None:
    waits, _ = comment_on(listing, author=UserFactory.create()), comment_on(listing)
    assert set(needs_of(Comment)[0].rows(Comment.objects.all())) == {waits}
    answer = admin.get(LIST, {"waits": "waiting"})
    assert {row.pk for row in answer.context["cl"].result_list} == {waits.pk}


def test_bulk_decisions_are_confirmed_first(listing: Listing, admin: Client) -> None:
    waiting = [comment_on(listing, author=UserFactory.create()) for _ in range(3)]
    assert act(admin, "approve", waiting).status_code == 200
    assert statuses(*waiting) == ["in_review"] * 3
    act(admin, "approve", waiting, confirmed="yes", note="Read all three")
    assert statuses(*waiting) == ["posted"] * 3
    assert counted(listing) == 3
    assert act(admin, "remove", waiting, confirmed="yes").status_code == 200
    assert statuses(*waiting) == ["posted"] * 3
    act(admin, "remove", waiting, confirmed="yes", reason="Off topic.", note="Third time")
    assert statuses(*waiting) == ["removed"] * 3
    assert counted(listing) == 0
    emails = OutgoingEmail.objects.filter(to__in=[one.author.email for one in waiting])
    assert emails.filter(text__contains="Off topic.").count() == 3
    assert not emails.filter(text__contains="Third time").exists()
    history = Decision.objects.filter(case__object_id=waiting[0].pk).order_by("pk")
    assert [(one.action, one.reason, one.note) for one in history] == [
        ("approved", "", "Read all three"),
        ("removed", "Off topic.", "Third time"),
    ]
    act(admin, "restore", waiting, confirmed="yes")
    assert statuses(*waiting) == ["posted"] * 3


def test_others_decide_nothing(listing: Listing) -> None:
    comment = comment_on(listing)
    viewer = UserFactory.create(is_staff=True)
    viewer.user_permissions.set(Permission.objects.filter(codename="view_comment"))
    client = Client()
    client.force_login(viewer)
    assert client.get(f"{LIST}{comment.pk}/change/").status_code == 200
    act(client, "remove", [comment], confirmed="yes", reason="No.")
    client.post(f"{LIST}{comment.pk}/delete/", {"post": "yes"})
    assert statuses(comment) == ["posted"]


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


def test_an_erased_account_leaves_no_text(listing: Listing) -> None:
    from django.utils import timezone

    author = trusted(name="Ada Example")
    comment = comment_on(listing, "My private thoughts", author=author)
    reply = comment_on(listing, "A reply", reply_to=comment)
    User.objects.filter(pk=author.pk).update(deletion_due_at=timezone.now())
    assert erase_account(author.pk)
    comment.refresh_from_db()
    assert (comment.status, comment.text) == ("deleted", "")
    assert (counted(listing), statuses(reply)) == (1, ["posted"])
    page = Client().get(listing.path).content.decode()
    assert "Ada Example" not in page
    assert "My private thoughts" not in page


def test_merged_listings_share_their_comments(listing: Listing) -> None:
    keep = listing.company
    drop = CompanyFactory.create(owner=keep.owner)
    other = ListingFactory.create(live=True, company=drop, site=listing.site)
    comment_on(listing)
    comment_on(other)
    merge_companies(keep=keep, drop=drop, by=by_team(UserFactory.create(is_staff=True)))
    assert counted(listing) == 2
    assert counted(other) == 0
    moved = Client().get(f"{other.path}/comments.atom")
    assert (moved.status_code, moved.headers["Location"]) == (301, f"{listing.path}/comments.atom")
