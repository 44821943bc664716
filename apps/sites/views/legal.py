"""A site's terms, privacy and imprint pages."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.core.app_modules import app_modules
from apps.core.web.markdown import render_markdown
from apps.sites.models import SitePage
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.structured_data import crumbs
from apps.sites.texts import PageNotWritten, Words, words_of

TEMPLATE = "sites/site_page.html"


@require_safe
def site_page(request: SiteHttpRequest, kind: str) -> HttpResponse:
    """Show an operator-written page or its placeholder."""
    try:
        words = words_of(request.site, kind)
    except PageNotWritten as error:
        raise Http404 from error
    context = {
        **shown(words, kind),
        "canonical_url": request.site.url(request.path),
        "structured_data": [crumbs(request.site, (words.title, request.path))],
    }
    if kind == SitePage.Kind.TERMS:
        for module in app_modules("legal"):
            context["sale_terms_url"] = module.further_terms(request.site)
    return render(request, TEMPLATE, context)


def shown(words: Words, kind: str) -> dict[str, Any]:
    """Return the context of a legal page, also for the admin's preview."""
    return {"words": words, "html": render_markdown(words.text), "kind": kind}
