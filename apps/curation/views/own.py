"""An author's pages: their collections, creating, editing and ordering, deleting, and saving a listing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import HttpResponse
from django.http.request import QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from apps.accounts.actors import account_of, actor_of
from apps.contributions.pace import take
from apps.core.errors import DomainError
from apps.core.stores.valkey.counters import Limit
from apps.core.web.urls import next_path
from apps.curation.forms import CollectionForm, NewCollectionForm
from apps.curation.models import MAX_ITEMS, MAX_NOTE, Collection, CollectionItem, CollectionQuerySet
from apps.curation.services import collections as services
from apps.curation.services.items import save_listing, saved_in
from apps.listings.models import Listing
from apps.sites.requests import SiteHttpRequest

CHANGES_AN_HOUR = Limit("collections", 300, 3600, events="changes")
IN_REVIEW = "A moderator reads your collection before it is public."
_form_methods = require_http_methods(["GET", "HEAD", "POST"])


@login_required
@require_safe
def own_collections(request: SiteHttpRequest) -> HttpResponse:
    """List the account's collections on the site."""
    return render(request, "curation/own.html", {"collections": _own(request).annotate(count=Count("items"))})


@login_required(login_url="account_signup")
@_form_methods
def new_collection(request: SiteHttpRequest) -> HttpResponse:
    """Show the form for a collection, and create it."""
    form = CollectionForm(request.POST if request.method == "POST" else None)
    if request.method != "POST":
        return render(request, "curation/new.html", {"form": form})
    try:
        take(CHANGES_AN_HOUR, str(account_of(request).pk))
        made = services.create_collection(site=request.site, **_texts(request.POST), by=actor_of(request))
    except DomainError as refusal:
        form.errors.clear()
        form.refuse(refusal)
        return render(request, "curation/new.html", {"form": form}, status=refusal.status)
    _say(request, made, "Collection created")
    return redirect(made.edit_path)


@dataclass
class Arrangement:
    """The items in the order of the page, with the notes typed there and those to remove."""

    items: Sequence[CollectionItem]
    notes: Mapping[int, str]
    removed: frozenset[int]
    problems: Mapping[int, str]

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [
            {
                "item": item,
                "note": self.notes.get(item.pk, item.note),
                "problem": self.problems.get(item.pk, ""),
                "is_removed": item.pk in self.removed,
            }
            for item in self.items
        ]


@login_required
@_form_methods
def edit_collection(request: SiteHttpRequest, pk: int, slug: str) -> HttpResponse:
    """Show a collection's texts and items, and save them together. The arrows save, too."""
    row = get_object_or_404(_own(request), pk=pk, slug=slug)
    if request.method != "POST":
        initial = {"name": row.name, "description": row.description, "is_public": row.status != "private"}
        return _edit_page(request, row, CollectionForm(initial=initial), Arrangement(_items(row), {}, frozenset(), {}))
    order = _moved(_ids(request.POST, "item"), request.POST.get("move", ""))
    typed = zip(request.POST.getlist("item"), request.POST.getlist("note"), strict=False)
    notes = {item_id: note for text, note in typed for item_id in _numbers([text])}
    removed = frozenset(_ids(request.POST, "remove"))
    try:
        take(CHANGES_AN_HOUR, str(account_of(request).pk))
        saved = services.edit_collection(
            collection=row, **_texts(request.POST), order=order, notes=notes, removed=removed, by=actor_of(request)
        )
    except DomainError as refusal:
        form = CollectionForm(request.POST)
        form.errors.clear()
        form.refuse(refusal)
        problems = {
            int(problem.pointer.removeprefix("/notes/")): problem.detail
            for problem in refusal.errors
            if problem.pointer.startswith("/notes/")
        }
        places = {item_id: place for place, item_id in enumerate(order)}
        items = sorted(_items(row), key=lambda item: places.get(item.pk, len(places)))
        return _edit_page(request, row, form, Arrangement(items, notes, removed, problems), status=refusal.status)
    _say(request, saved, "Collection saved")
    return redirect(saved.edit_path)


@login_required
@_form_methods
def delete_collection(request: SiteHttpRequest, pk: int, slug: str) -> HttpResponse:
    """Ask for confirmation, and delete a collection."""
    row = get_object_or_404(_own(request), pk=pk, slug=slug)
    if request.method != "POST":
        return render(request, "curation/delete.html", {"collection": row})
    services.delete_collection(collection=row, by=actor_of(request))
    messages.success(request, "Collection deleted")
    return redirect("own_collections")


@login_required(login_url="account_signup")
@_form_methods
def save_to_collections(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Show the account's collections with those that have a listing, and save the choice, also into a new one."""
    live = Listing.objects.public().filter(site=request.site, merged_into=None).select_related("company", "site")
    listing = get_object_or_404(live, slug=slug)
    back = next_path(request, listing.path)
    if request.method != "POST":
        chosen = saved_in(listing, account_of(request))
        return _save_page(request, listing, NewCollectionForm(), chosen, back=back)
    chosen = set(_ids(request.POST, "collection"))
    try:
        take(CHANGES_AN_HOUR, str(account_of(request).pk))
        count = save_listing(
            listing=listing,
            chosen=chosen,
            offered=set(_ids(request.POST, "shown")),
            new_name=request.POST.get("name", ""),
            is_public="is_public" in request.POST,
            by=actor_of(request),
        )
    except DomainError as refusal:
        form = NewCollectionForm(request.POST)
        form.errors.clear()
        form.refuse(refusal)
        return _save_page(request, listing, form, chosen, back=back, status=refusal.status)
    name = listing.company.name
    messages.success(request, f"{name} is in {count or 'none'} of your collections.")
    return redirect(back)


def _own(request: SiteHttpRequest) -> CollectionQuerySet:
    own: CollectionQuerySet = Collection.objects.filter(author=account_of(request), site=request.site)
    return own.select_related("site", "author__founder_profile")


def _items(collection: Collection) -> list[CollectionItem]:
    return list(collection.items.select_related("listing__company", "listing__site"))


def _texts(data: QueryDict) -> dict[str, Any]:
    return {
        "name": data.get("name", ""),
        "description": data.get("description", ""),
        "is_public": "is_public" in data,
    }


def _ids(data: QueryDict, name: str) -> list[int]:
    """Return the ids that were sent. Anything else is ignored."""
    return _numbers(data.getlist(name))


def _numbers(texts: Iterable[str]) -> list[int]:
    return [int(text) for text in texts if text.isascii() and text.isdigit() and len(text) <= 18]


def _moved(order: list[int], wish: str) -> list[int]:
    """Return the order with one item moved by a place. Does nothing at the ends."""
    direction, _, text = wish.partition(" ")
    result = list(dict.fromkeys(order))
    for item in set(_numbers([text])) & set(result):
        place = result.index(item)
        result.remove(item)
        result.insert(max(place + (-1 if direction == "earlier" else 1), 0), item)
    return result


def _edit_page(
    request: SiteHttpRequest, row: Collection, form: CollectionForm, arrangement: Arrangement, *, status: int = 200
) -> HttpResponse:
    context = {
        "collection": row,
        "form": form,
        "rows": arrangement.rows,
        "max_items": MAX_ITEMS,
        "max_note": MAX_NOTE,
    }
    return render(request, "curation/edit.html", context, status=status)


def _save_page(
    request: SiteHttpRequest,
    listing: Listing,
    form: NewCollectionForm,
    chosen: set[int],
    *,
    back: str,
    status: int = 200,
) -> HttpResponse:
    context = {
        "listing": {
            "name": listing.company.name,
            "slug": listing.slug,
            "logo_key": listing.company.logo_key,
            "headline": listing.headline,
            "path": listing.path,
        },
        "collections": [
            {"collection": one, "is_chosen": one.pk in chosen} for one in _own(request).order_by("-changed_at", "-pk")
        ],
        "form": form,
        "next_url": back,
        "own_url": reverse("own_collections"),
    }
    return render(request, "curation/save.html", context, status=status)


def _say(request: SiteHttpRequest, collection: Collection, done: str) -> None:
    if collection.status == Collection.Status.IN_REVIEW:
        messages.info(request, f"{done}. {IN_REVIEW}")
    else:
        messages.success(request, done)
