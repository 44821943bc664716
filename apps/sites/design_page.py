"""All parts of the pages in all their states, for whoever works on them."""

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from apps.sites import design_samples as samples
from apps.sites.requests import SiteHttpRequest


@require_safe
def design(request: SiteHttpRequest) -> HttpResponse:
    """Tokens and parts in the look of this site; nothing on it comes from the database, and its forms lead nowhere."""
    context = {
        "colours": samples.COLOURS,
        "states": samples.STATES,
        "forms": samples.sample_forms(),
        "listings": samples.listings(),
        "cards": samples.cards(),
        "charts": samples.charts(),
        "figures": samples.figures(),
        "order": samples.order(),
        "now": timezone.now(),
        # The parts ask who is there: shown as to a person who is signed in, and as to anybody.
        "signed_in": {"user": {"is_authenticated": True}, "get_full_path": request.path},
        "signed_out": {"user": {"is_authenticated": False}, "get_full_path": request.path},
        "pages": {"page": 2, "next_url": "?page=3", "previous_url": "?page=1"},
        "tabs": [
            {"label": "Weekly", "url": request.path, "current": True},
            {"label": "Monthly", "url": request.path, "brief": "Month"},
        ],
        "has_mails": settings.LOCAL,
        "noindex": True,
    }
    return render(request, "sites/design.html", context)
