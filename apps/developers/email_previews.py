"""Preview every email with sample data, for developers in local mode."""

from csp.constants import SELF, UNSAFE_INLINE
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.core.email.rendering import render_html
from apps.core.web.pages import POLICY_ADDED
from apps.developers.emails import Sample, all_samples
from apps.sites.requests import SiteHttpRequest


@require_safe
def email_previews(request: SiteHttpRequest) -> HttpResponse:
    """List all emails."""
    emails = [(sample, sample.words(request.site).subject) for sample in all_samples(request.site)]
    return render(request, "developers/email_previews.html", {"emails": emails})


@require_safe
def email_html(request: SiteHttpRequest, key: str) -> HttpResponse:
    """Show an email as HTML."""
    response = HttpResponse(render_html(_sample(request, key).words(request.site), site=request.site))
    # Email programs ignore stylesheets, so emails have inline styles.
    setattr(response, POLICY_ADDED, {"style-src": [SELF, UNSAFE_INLINE]})
    return response


@require_safe
def email_text(request: SiteHttpRequest, key: str) -> HttpResponse:
    """Show an email as text."""
    words = _sample(request, key).words(request.site)
    text = "\n\n".join([f"Subject: {words.subject}", *words.paragraphs])
    return HttpResponse(f"{text}\n", content_type="text/plain; charset=utf-8")


def _sample(request: SiteHttpRequest, key: str) -> Sample:
    result = next((sample for sample in all_samples(request.site) if sample.key == key), None)
    if result is None:
        raise Http404
    return result
