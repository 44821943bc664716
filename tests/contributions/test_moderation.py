"""Moderators decide about each kind of contribution in the admin, and only they do."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.own_data.deletion import erase_account
from apps.core.admin.metrics import needs_of
from apps.core.models import OutgoingEmail
from apps.curation.models import Collection
from apps.listings.models import Listing
from apps.moderation.models import Decision
from apps.sites.models import Site
from tests.comments.people import comment_on, trusted
from tests.comments.test_writing import counted as comments_counted
from tests.curation.making import make_collection
from tests.factories import ListingFactory, UserFactory
from tests.reviews.people import newcomer, review_of
from tests.reviews.test_writing import counted as reviews_counted

pytestmark = pytest.mark.django_db


def collection_of(listing: Listing, text: str = "", *, author: User | None = None) -> Collection:
    return make_collection(author or trusted(), description=text, number=1)


@dataclass(frozen=True)
class Kind:
    """How tests make rows of a kind, in review for a `newcomer`. `counted` returns the listing's number of them."""

    app: str
    make: Callable[..., Any]
    newcomer: Callable[[], User]
    counted: Callable[[Listing], int]
    posted: str = "posted"

    @property
    def name(self) -> str:
        return {"comments": "comment", "reviews": "review"}.get(self.app, "collection")

    @property
    def path(self) -> str:
        return f"/admin/{self.app}/{self.name}/"

    def admin(self, *verbs: str) -> Client:
        """A moderator with some permissions."""
        user, client = UserFactory.create(is_staff=True), Client()
        names = [f"{verb}_{self.name}" for verb in verbs]
        user.user_permissions.set(Permission.objects.filter(content_type__app_label=self.app, codename__in=names))
        client.force_login(user)
        return client

    def act(self, admin: Client, name: str, rows: list[Any], **values: str) -> Any:
        chosen = [str(row.pk) for row in rows]
        return admin.post(self.path, {"action": name, ACTION_CHECKBOX_NAME: chosen, **values})


KINDS = [
    Kind("comments", comment_on, UserFactory.create, comments_counted),
    Kind("reviews", review_of, newcomer, lambda listing: reviews_counted(listing)[0]),
    Kind(
        "curation",
        collection_of,
        UserFactory.create,
        lambda listing: Collection.objects.public().count(),
        posted="public",
    ),
]
every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


@pytest.fixture
def listing(site: Site) -> Listing:
    made: Listing = ListingFactory.create(live=True, company__name="Acme", company__owner__email="maker@acme.example")
    return made


def statuses(*rows: Any) -> list[str]:
    for row in rows:
        row.refresh_from_db()
    return [row.status for row in rows]


@every_kind
def test_bulk_decisions_are_confirmed_first(kind: Kind, listing: Listing) -> None:
    admin = kind.admin("view", "change")
    waiting = [kind.make(listing, author=kind.newcomer()) for _ in range(3)]
    assert set(needs_of(type(waiting[0]))[0].rows(type(waiting[0]).objects.all())) == set(waiting)
    assert kind.act(admin, "approve", waiting).status_code == 200
    assert statuses(*waiting) == ["in_review"] * 3
    kind.act(admin, "approve", waiting, confirmed="yes", note="Read all three")
    assert statuses(*waiting) == [kind.posted] * 3
    assert kind.counted(listing) == 3
    assert kind.act(admin, "remove", waiting, confirmed="yes").status_code == 200
    assert statuses(*waiting) == [kind.posted] * 3
    kind.act(admin, "remove", waiting, confirmed="yes", reason="Off topic.", note="Third time")
    assert statuses(*waiting) == ["removed"] * 3
    assert kind.counted(listing) == 0
    emails = OutgoingEmail.objects.filter(to__in=[one.author.email for one in waiting])
    assert emails.filter(text__contains="Off topic.").count() == 3
    assert not emails.filter(text__contains="Third time").exists()
    history = Decision.objects.filter(case__kind=kind.name, case__object_id=waiting[0].pk).order_by("pk")
    assert [(one.action, one.reason, one.note) for one in history] == [
        ("approved", "", "Read all three"),
        ("removed", "Off topic.", "Third time"),
    ]
    kind.act(admin, "restore", waiting, confirmed="yes")
    assert statuses(*waiting) == [kind.posted] * 3
    assert kind.counted(listing) == 3


@every_kind
def test_others_decide_nothing(kind: Kind, listing: Listing) -> None:
    row, viewer = kind.make(listing), kind.admin("view")
    assert viewer.get(f"{kind.path}{row.pk}/change/").status_code == 200
    kind.act(viewer, "remove", [row], confirmed="yes", reason="No.")
    viewer.post(f"{kind.path}{row.pk}/delete/", {"post": "yes"})
    assert statuses(row) == [kind.posted]


@every_kind
def test_pages_have_the_buttons_that_fit_the_status(kind: Kind, listing: Listing) -> None:
    row, admin = kind.make(listing, author=kind.newcomer()), kind.admin("view", "change")

    def buttons() -> list[str]:
        page = admin.get(f"{kind.path}{row.pk}/change/").content.decode()
        return [name for name in ("approve", "remove", "restore") if f"/{name}-one" in page or f"/{name}_one" in page]

    assert buttons() == ["approve", "remove"]
    kind.act(admin, "approve", [row], confirmed="yes")
    assert buttons() == ["remove"]
    kind.act(admin, "remove", [row], confirmed="yes", reason="Off topic.")
    assert buttons() == ["restore"]


@pytest.mark.parametrize("kind", KINDS[:2], ids=lambda kind: kind.name)
def test_an_erased_account_leaves_no_text(kind: Kind, listing: Listing) -> None:
    author = trusted(name="Ada Example", email="ada@client.example")
    row, other = kind.make(listing, "My private thoughts", author=author), kind.make(listing)
    User.objects.filter(pk=author.pk).update(deletion_due_at=timezone.now())
    assert erase_account(author.pk)
    assert statuses(row, other) == ["deleted", "posted"]
    assert (row.text, getattr(row, "rating", None), kind.counted(listing)) == ("", None, 1)
    page = Client().get(listing.path).content.decode()
    assert "Ada Example" not in page
    assert "My private thoughts" not in page
