"""Public pages of collections: the list, a collection, following it, and its preview image."""

from enum import StrEnum
from itertools import count

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from apps.accounts.actors import account_of, actor_of
from apps.comments.services.writing import MAX_LINKS
from apps.core.editing.rendering import render_text
from apps.core.errors import Conflict
from apps.core.stores.valkey.generations import COLLECTIONS, collection_name
from apps.core.web.page_numbers import counted_page, page_path
from apps.core.web.public_cache import belongs_to
from apps.curation.models import Collection
from apps.curation.reading import MIN_LISTED, author_of, items_of, listed_collections, live_items, tiles
from apps.curation.services import following
from apps.launches.leaderboards.cards import listing_cards
from apps.listings.views.updates import followed
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.preview_images import Picture, preview_answer
from apps.sites.seo.site_preview import image_parts, picture_on
from apps.sites.seo.structured_data import list_page

PER_PAGE = 24
ROWS = 50


class Order(StrEnum):
    NEWEST = "newest"
    FOLLOWED = "followed"


_ORDERS = {Order.NEWEST: ("-published_at", "-pk"), Order.FOLLOWED: ("-follower_count", "-pk")}
_LABELS = {Order.NEWEST: "Newest", Order.FOLLOWED: "Most followed"}


@require_safe
def collections(request: SiteHttpRequest) -> HttpResponse:
    """List the site's public collections, newest or most followed first."""
    order = Order.FOLLOWED if request.GET.get("sort") == Order.FOLLOWED else Order.NEWEST
    belongs_to(request, COLLECTIONS)
    result = listed_collections(request.site).order_by(*_ORDERS[order])
    page, rows = counted_page(request, result, per_page=PER_PAGE, counted=result)
    cards = tiles(rows)
    here = reverse("collections")
    path = page_path(here, page)
    entries = [
        (place, tile.collection.name, tile.collection.path)
        for place, tile in enumerate(cards, start=page.first_row + 1)
    ]
    context = {
        "tiles": cards,
        "page_obj": page,
        "tabs": [
            {"label": text, "url": here if one == Order.NEWEST else f"{here}?sort={one}", "current": one == order}
            for one, text in _LABELS.items()
        ],
        "canonical_url": request.site.url(path),
        # It has the same collections in another order.
        "noindex": order != Order.NEWEST,
        "structured_data": list_page(request.site, name="Collections", path=path, entries=entries),
    }
    return render(request, "curation/list.html", context)


@require_safe
def collection(request: SiteHttpRequest, pk: int, slug: str) -> HttpResponse:
    """Show a collection: to everyone while it is public, to its author always."""
    row = _collection(request, pk)
    if row.slug != slug:
        return redirect(row.path, permanent=True)
    belongs_to(request, collection_name(row.pk))
    page, items = counted_page(request, items_of(row), per_page=ROWS)
    cards = listing_cards([item.listing_id for item in items], user=request.user, ranks=count(page.first_row + 1))
    notes = {item.listing_id: item.note for item in items}
    author = author_of(row)
    context = {
        "collection": row,
        "author": author,
        "description": render_text(row.description, max_links=MAX_LINKS),
        "rows": [(card, notes[card.id]) for card in cards],
        "page_obj": page,
        "is_own": row.author_id == request.user.pk,
        "follow": following.collection_button(row, request.user),
    }
    if row.is_public:
        path = page_path(row.path, page)
        image = reverse("collection_image", kwargs=row.arguments)
        picture = _picture(row, count=page.total)
        context |= {
            "canonical_url": request.site.url(path),
            "noindex": page.total < MIN_LISTED,
            "social": {
                "title": row.name,
                "description": row.description,
                **image_parts(request.site, path=image, picture=picture, alt=f"{row.name} on {request.site.name}"),
            },
            "structured_data": list_page(
                request.site,
                name=row.name,
                path=path,
                entries=[(card.rank, card.name, card.page_url) for card in cards],
                above=[("Collections", reverse("collections"))],
            ),
        }
    return render(request, "curation/detail.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def follow_collection(request: SiteHttpRequest, pk: int, slug: str) -> HttpResponse:
    """Follow a collection, or with `unfollow` stop. The form says which, so that pressing twice does it once.

    A visitor without the form, such as after signing in, is redirected to the collection's page.
    """
    row = get_object_or_404(following.followable_by(request.user, request.site), pk=pk, slug=slug)
    if request.method != "POST":
        return redirect(row.path)
    if not request.user.is_authenticated:
        return redirect_to_login(row.path)
    if "unfollow" in request.POST:
        following.unfollow_collection(collection=row, by=actor_of(request))
    else:
        try:
            following.follow_collection(collection=row, by=actor_of(request))
        except Conflict as error:
            messages.error(request, error.detail)
    return followed(request, following.collection_button(row, account_of(request)), back=row.path)


@require_safe
def collection_image(request: SiteHttpRequest, pk: int, slug: str) -> HttpResponseBase:
    """Serve the preview image of a public collection."""
    public = Collection.objects.public().filter(site=request.site, slug=slug)
    row = get_object_or_404(public.select_related("author__founder_profile", "site"), pk=pk)
    belongs_to(request, collection_name(row.pk))
    return preview_answer(request, _picture(row, count=live_items().filter(collection=row).count()))


def _collection(request: SiteHttpRequest, pk: int) -> Collection:
    visible = Collection.objects.visible_to(request.user).filter(site=request.site)
    return get_object_or_404(visible.select_related("author__founder_profile", "site"), pk=pk)


def _picture(row: Collection, *, count: int) -> Picture:
    return picture_on(
        row.site,
        path=row.path,
        label="Collection",
        title=row.name,
        instead="A collection",
        text=f"{count} product{'' if count == 1 else 's'}",
        name=author_of(row).name,
    )
