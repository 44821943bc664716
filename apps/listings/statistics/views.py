"""The address that browsers tell of a click on the link to a listing's website."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from apps.listings.models import Listing
from apps.listings.statistics.counting import count_click
from apps.sites.requests import SiteHttpRequest


# A browser sends the message by itself, without a form's token; it changes nothing but a number.
@csrf_exempt
@require_POST
def visit(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Count a click; the answer is empty, and the same whether it counts or not. Past the limit it is 429."""
    live = Listing.objects.public().filter(site=request.site).select_related("company")
    standing = count_click(request, get_object_or_404(live, slug=slug))
    if standing is not None and not standing.is_within:
        return HttpResponse(status=429, headers={"Retry-After": str(standing.seconds)})
    return HttpResponse(status=204)
