"""Create, edit, order and delete collections. Only people in the browser do."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from apps.accounts.actors import Actor, only_person
from apps.accounts.models import User
from apps.comments.services.writing import MAX_LINKS
from apps.contributions.texts import fingerprint_of, hosts_in
from apps.core.editing.plain_text import count_links
from apps.core.editing.written import clean_writing
from apps.core.errors import Conflict, FieldProblem, Unprocessable
from apps.core.stores.valkey import generations
from apps.curation import trust
from apps.curation.models import (
    MAX_COLLECTIONS,
    MAX_DESCRIPTION,
    MAX_NAME,
    MAX_NOTE,
    MIN_NAME,
    Collection,
    CollectionFollow,
    CollectionItem,
)
from apps.curation.services.following import unfollow_collection
from apps.curation.services.states import lock_own, move
from apps.moderation.services.decisions import close_without_decision
from apps.sites.models import Site

Status = Collection.Status

MAX_WAITING = 3
# Many people give their collections the same short name.
_LONG = 40


class TooManyCollections(Conflict):
    code = "too_many_collections"
    title = "Too many collections"


class TooManyInReview(Conflict):
    code = "too_many_in_review"
    title = "Collections waiting for review"


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of a collection, cleaned. `notes` are by the id of the item."""

    name: str
    description: str
    notes: Mapping[int, str]

    @property
    def hosts(self) -> list[str]:
        return hosts_in(self.joined)

    @property
    def fingerprint(self) -> str:
        return fingerprint_of(self.joined) if len(self.joined) >= _LONG else ""

    @property
    def joined(self) -> str:
        return "\n".join(text for text in (self.name, self.description, *self.notes.values()) if text)


@transaction.atomic
def create_collection(
    *, site: Site, name: str, description: str = "", is_public: bool = False, by: Actor
) -> Collection:
    """Create an empty collection, which is private, public, or in review.

    Raises Forbidden (403) for keys and clients, Unprocessable (422) for the texts, TooManyCollections and
    TooManyInReview (409).
    """
    author = only_person(by).account
    texts = _checked(name, description, {})
    # One after another, so that the number and the slugs are right.
    User.objects.select_for_update(no_key=True).only("pk").get(pk=author.pk)
    own = Collection.objects.filter(author=author)
    if own.count() >= MAX_COLLECTIONS:
        raise TooManyCollections(f"You have {MAX_COLLECTIONS} collections. Delete one first.")
    collection = Collection(site=site, author=author, slug=_free_slug(author, texts.name))
    _save(collection, texts, is_public=is_public, is_changed=True, by=by)
    return collection


@transaction.atomic
def edit_collection(
    *,
    collection: Collection,
    name: str,
    description: str,
    is_public: bool,
    order: Sequence[int] = (),
    notes: Mapping[int, str] | None = None,
    removed: Set[int] = frozenset(),
    by: Actor,
) -> Collection:
    """Save the texts, who sees a collection, and its items in the `order` of their ids, without those `removed`.

    Items that `order` leaves out, such as those that were added in another tab, follow in their former order. Unknown
    ids are ignored. A public collection may go to review. One that a moderator removed stays removed. Raises Forbidden
    (403), Unprocessable (422), CollectionGone and TooManyInReview (409).
    """
    locked = lock_own(collection, by)
    items = [item for item in locked.items.all() if item.pk not in removed]
    before = {item.pk: item.note for item in items}
    texts = _checked(name, description, {pk: (notes or {}).get(pk, note) for pk, note in before.items()})
    is_changed = (texts.name, texts.description, texts.notes) != (locked.name, locked.description, before)
    _arrange(locked, items, order, texts.notes)
    _save(locked, texts, is_public=is_public, is_changed=is_changed, by=by)
    return locked


@transaction.atomic
def delete_collection(*, collection: Collection, by: Actor) -> None:
    """Delete an own collection for good. Raises Forbidden (403) and CollectionGone (409)."""
    locked = lock_own(collection, by)
    close_without_decision("collection", locked.pk)
    locked.delete()


@transaction.atomic
def delete_account_collections(*, account: User) -> None:
    """Delete the collections of an account that is about to be erased, and what it follows. May run again."""
    for collection in Collection.objects.select_for_update().filter(author=account).order_by("pk"):
        close_without_decision("collection", collection.pk)
        collection.delete()
    for follow in CollectionFollow.objects.filter(user=account).select_related("collection").order_by("collection"):
        unfollow_collection(collection=follow.collection, by=Actor(user=account, via="system"))


def _save(collection: Collection, texts: Texts, *, is_public: bool, is_changed: bool, by: Actor) -> None:
    hosts, fingerprint = texts.hosts, texts.fingerprint
    reason = trust.review_reason(
        by, collection.site, text=texts.joined, hosts=hosts, fingerprint=fingerprint, ignore=collection.pk or 0
    )
    status = _status(
        collection, reason if is_changed or not collection.is_public else "", is_public, has_links=bool(hosts)
    )
    if status == Status.IN_REVIEW and collection.status != status:
        _check_waiting(collection.author)
        collection.review_reason = reason
    elif status != Status.IN_REVIEW:
        collection.review_reason = ""
    collection.name, collection.description = texts.name, texts.description
    collection.hosts, collection.fingerprint = hosts, fingerprint
    collection.changed_at = timezone.now()
    move(collection, status, "name", "description", "hosts", "fingerprint", "review_reason", "changed_at")


def _status(collection: Collection, reason: str, is_public: bool, *, has_links: bool) -> Collection.Status:
    """Return the status that follows. What a moderator approved stays public, unless it calls for another look."""
    if collection.status == Status.REMOVED:
        return Status.REMOVED
    if not is_public:
        return Status.PRIVATE
    if collection.status == Status.IN_REVIEW:
        return Status.IN_REVIEW
    is_approved = collection.is_public and reason == Collection.Review.FIRST and not has_links
    return Status.IN_REVIEW if reason and not is_approved else Status.PUBLIC


def _check_waiting(author: User) -> None:
    if Collection.objects.waiting().filter(author=author).count() >= MAX_WAITING:
        raise TooManyInReview(f"{MAX_WAITING} of your collections are in review. Wait for a moderator to read them.")


def _arrange(
    collection: Collection, items: Sequence[CollectionItem], order: Sequence[int], notes: Mapping[int, str]
) -> None:
    """Save the items in this order with their notes, and delete the collection's others."""
    places = {pk: place for place, pk in enumerate(dict.fromkeys(order))}
    # What also changes pages of removed listings.
    names = tuple(collection.generations())
    changed = []
    for position, item in enumerate(sorted(items, key=lambda item: places.get(item.pk, len(places)))):
        if (item.position, item.note) != (position, notes[item.pk]):
            item.position, item.note = position, notes[item.pk]
            changed.append(item)
    with generations.only(lambda: names):
        collection.items.exclude(pk__in=[item.pk for item in items]).delete()
        CollectionItem.objects.bulk_update(changed, ["position", "note"])


def _checked(name: str, description: str, notes: Mapping[int, str]) -> Texts:
    texts = Texts(_line(name), clean_writing(description), {pk: _line(note) for pk, note in notes.items()})
    problems = []
    if not MIN_NAME <= len(texts.name) <= MAX_NAME:
        problems.append(FieldProblem("length", f"Use {MIN_NAME} to {MAX_NAME} characters.", "/name"))
    if len(texts.description) > MAX_DESCRIPTION:
        problems.append(FieldProblem("max_length", f"Use up to {MAX_DESCRIPTION} characters.", "/description"))
    if count_links(texts.description) > MAX_LINKS:
        problems.append(FieldProblem("too_many_links", f"Use up to {MAX_LINKS} links.", "/description"))
    problems += [
        FieldProblem("max_length", f"Use up to {MAX_NOTE} characters.", f"/notes/{pk}")
        for pk, note in texts.notes.items()
        if len(note) > MAX_NOTE
    ]
    if problems:
        raise Unprocessable("Some fields are invalid. Nothing was saved.", errors=problems)
    return texts


def _line(text: str) -> str:
    return " ".join(clean_writing(text).split())


def _free_slug(author: User, name: str) -> str:
    stem = slugify(name)[:MAX_NAME].strip("-") or "collection"
    taken = set(Collection.objects.filter(author=author, slug__startswith=stem).values_list("slug", flat=True))
    slug, number = stem, 1
    while slug in taken:
        number += 1
        slug = f"{stem}-{number}"
    return slug
