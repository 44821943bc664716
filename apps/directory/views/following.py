"""What an account follows: listings, people and collections."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.accounts.actors import account_of
from apps.contributions.names import public_name
from apps.core.web.page_numbers import page_object, page_rows
from apps.curation.models import CollectionFollow
from apps.curation.services.following import followed_collections
from apps.listings.services import followers
from apps.listings.views.updates import followed_rows
from apps.sites.models import Site
from apps.sites.requests import SiteHttpRequest

PER_PAGE = 20


@login_required
@require_safe
def following(request: SiteHttpRequest) -> HttpResponse:
    """List what the account follows, on all sites. The collections, which are limited, are on the first page."""
    account = account_of(request)
    result = followers.followed_by(account)
    page = page_object(request, total=result.count(), per_page=PER_PAGE)
    context = {
        "follows": followed_rows(page_rows(result, page), site=request.site),
        "collections": [_collection(follow, request.site) for follow in followed_collections(account)]
        if page.page == 1
        else [],
        "page_obj": page,
    }
    return render(request, "directory/following.html", context)


def _collection(follow: CollectionFollow, site: Site) -> dict[str, Any]:
    """Return a followed collection. Of one that isn't public any more, nothing is shown but the date."""
    collection = follow.collection
    is_here = collection.site_id == site.pk
    return {
        "name": collection.name if collection.is_public else "A collection",
        "author_name": public_name(collection.author) if collection.is_public else "",
        "page_url": (collection.path if is_here else collection.page_url) if collection.is_public else "",
        "unfollow_url": reverse("follow_collection", kwargs=collection.arguments),
        "site_name": "" if is_here else collection.site.name,
        "since": follow.created_at,
    }
