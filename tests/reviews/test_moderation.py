"""Moderators decide about reviews, with reasons, and people get the notifications that they want."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from lxml import html

from apps.accounts.models import NotificationKind, User
from apps.core.admin.metrics import needs_of
from apps.core.models import OutgoingEmail
from apps.events.models import Event
from apps.listings.models import Listing
from apps.listings.services.merging import merge_companies
from apps.moderation.models import Decision
from apps.notifications.inbox import list_notifications
from apps.notifications.texts import TEXTS
from apps.reviews.models import Review
from apps.reviews.services.moderation import approve_review, remove_review, restore_review
from apps.reviews.services.writing import answer_review, edit_review
from tests.actors import by_team, in_browser
from tests.browsing import signed_in, staff
from tests.comments.test_writing import code_of
from tests.factories import CompanyFactory, ListingFactory, UserFactory
from tests.reviews.people import customer, link_for, long_text, newcomer, review_of, verified
from tests.reviews.test_writing import counted

pytestmark = pytest.mark.django_db

LIST = "/admin/reviews/review/"


@pytest.fixture
def moderator(db: None) -> User:
    return staff("view_review", "change_review")


@pytest.fixture
def admin(moderator: User) -> Client:
    return signed_in(moderator)


def statuses(*reviews: Review) -> list[str]:
    return [Review.objects.get(pk=one.pk).status for one in reviews]


def test_the_queue_shows_text_proof_and_versions(listing: Listing, admin: Client) -> None:
    waits, posted = review_of(listing, author=newcomer()), verified(listing)[0]
    edit_review(review=posted, rating=1, text=long_text("Changed my mind"), by=in_browser(posted.author))
    assert list(needs_of(Review)[0].rows(Review.objects.all())) == [waits]
    page = admin.get(f"{LIST}{posted.pk}/change/").content.decode()
    assert "Changed my mind" in page
    assert Review.Proof.LINK.label in page


def test_decisions_need_the_right_status(listing: Listing, moderator: User) -> None:
    review, by = review_of(listing), by_team(moderator)
    approve_review(review=review, by=by)
    assert not Decision.objects.exists()
    assert code_of(lambda: remove_review(review=review, reason=" ", by=by)) == "blank"
    assert code_of(lambda: restore_review(review=review, by=by)) == "not_removed"
    remove_review(review=review, reason="Rude.", by=by)
    assert code_of(lambda: approve_review(review=review, by=by)) == "not_in_review"
    restore_review(review=review, by=by)
    assert statuses(review) == ["posted"]


def test_people_are_notified_as_they_prefer(listing: Listing, moderator: User) -> None:
    owner, quiet = listing.company.owner, customer(email_notifications=[], in_app_notifications=[])
    review = review_of(listing)
    author = review.author
    for one in (review, review_of(listing, author=quiet)):
        answer_review(review=one, text="Thank you", by=in_browser(owner))
    remove_review(review=review, reason="Rude.", by=by_team(moderator))
    # The database numbers events at the commit.
    connection.check_constraints()
    assert [item.kind for item in list_notifications(owner).items].count(NotificationKind.COMMENTS) == 2
    told = list_notifications(author).items
    texts = [TEXTS[name].sentence.format(name="Acme") for name in ("own_review.removed", "own_review.answered")]
    assert [item.text for item in told] == texts
    assert {item.url for item in told} == {listing.site.url(f"{listing.path}/reviews/{review.pk}")}
    assert list_notifications(quiet).items == []
    keys = set(OutgoingEmail.objects.values_list("to", "kind"))
    assert keys == {(owner.email, "comments"), (author.email, "comments"), (author.email, "")}
    # One email an hour, however many reviews there are.
    assert OutgoingEmail.objects.filter(to=owner.email).count() == 1


def test_approval_announces_once(listing: Listing, moderator: User) -> None:
    review = review_of(listing, author=newcomer())
    assert not OutgoingEmail.objects.filter(to=listing.company.owner.email).exists()
    approve_review(review=review, by=by_team(moderator))
    assert OutgoingEmail.objects.filter(to=listing.company.owner.email).count() == 1
    assert Event.objects.filter(type="own_review.approved", account=review.author).count() == 1
    assert Event.objects.filter(type="review.posted").count() == 1


def test_merged_listings_share_their_reviews(listing: Listing) -> None:
    keep = listing.company
    drop = CompanyFactory.create(owner=keep.owner)
    other = ListingFactory.create(live=True, company=drop, site=listing.site)
    both = customer()
    mine, theirs = review_of(listing, author=both, rating=1), review_of(other, author=both, rating=5)
    moved = verified(other)[0]
    token = link_for(other)
    merge_companies(keep=keep, drop=drop, by=by_team(UserFactory.create(is_staff=True)))
    assert counted(listing) == (2, [0, 0, 0, 0, 1])
    assert set(listing.reviews.all()) == {mine, moved}
    assert counted(other)[0] == 1
    assert list(other.reviews.all()) == [theirs]
    token.refresh_from_db()
    assert token.listing == listing
    for path in ("reviews", f"reviews/{moved.pk}"):
        answer = Client().get(f"{other.path}/{path}")
        assert (answer.status_code, answer.headers["Location"]) == (301, f"{listing.path}/{path}")


def test_the_review_of_a_later_owner_counts_no_more(listing: Listing) -> None:
    mine, other = verified(listing, 2)
    admin = Client()
    admin.force_login(UserFactory.create(is_staff=True, is_superuser=True))
    path = f"/admin/listings/company/{listing.company_id}/change/"
    form = admin.get(path).context["adminform"].form
    values = {name: form[name].value() or "" for name in form.fields}
    answer = admin.post(path, {**values, "owner": mine.author_id})
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    listing = Listing.objects.get(pk=listing.pk)
    assert (listing.company.owner_id, listing.review_count, listing.star_counts) == (mine.author_id, 1, [0, 0, 0, 0, 1])
    body = Client().get(f"/api/v1/listings/{listing.slug}/reviews").json()
    assert [item["id"] for item in body["items"]] == [other.pk]


def test_an_answer_is_removed_with_a_reason(listing: Listing, admin: Client) -> None:
    review, owner = review_of(listing), in_browser(listing.company.owner)
    assert "Remove answer" not in admin.get(f"{LIST}{review.pk}/change/").content.decode()
    answer_review(review=review, text="You are lying", by=owner)
    page: Any = html.document_fromstring(admin.get(f"{LIST}{review.pk}/change/").content.decode())
    path = next(href for href in page.xpath("//a/@href") if "remove_answer" in href or "remove-answer" in href)
    admin.post(path, {"confirmed": "yes"})
    assert Review.objects.get().answer
    admin.post(path, {"confirmed": "yes", "reason": "An insult."})
    review.refresh_from_db()
    assert (review.answer, review.answered_at, review.status) == ("", None, "posted")
    assert Decision.objects.get().case.kind == "review_answer"
    assert OutgoingEmail.objects.get(to=owner.account.email, kind="").text.count("An insult.") == 1
    assert answer_review(review=review, text="Sorry", by=owner).answer == "Sorry"
