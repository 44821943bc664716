"""The setup page: what an operator decides first. Each step is saved alone."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from apps.core.web.body_limits import with_too_large
from apps.sites.requests import SiteHttpRequest
from apps.sites.setup import Step, may_set_up, steps_of


@with_too_large
@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def setup(request: SiteHttpRequest) -> HttpResponse:
    """Show all steps, or save the one that was sent."""
    steps = _steps(request)
    if request.method != "POST":
        return _show(request, steps, too_large=bool(getattr(request, "is_too_large", False)))
    step = next((step for step in steps if step.key == request.POST.get("step")), None)
    if step is None:
        raise Http404
    form = step.form(request.POST, request.FILES, site=request.site, prefix=step.key)
    if not form.is_valid():
        return _show(request, steps, sent={step.key: form}, status=422)
    form.save()
    messages.success(request, f"{step.title} saved")
    return redirect(f"{reverse('setup')}#{step.key}")


@login_required
@require_POST
def finish_setup(request: SiteHttpRequest) -> HttpResponse:
    """Hide the reminder. The page stays in the admin's menu."""
    _steps(request)
    request.site.set_up_at = timezone.now()
    request.site.save(update_fields=["set_up_at"])
    messages.success(request, "Setup finished")
    return redirect("admin:index")


def _steps(request: SiteHttpRequest) -> list[Step]:
    if not may_set_up(request.user):
        raise PermissionDenied
    return steps_of(request.user)


def _show(
    request: SiteHttpRequest,
    steps: list[Step],
    *,
    sent: dict[str, Any] | None = None,
    too_large: bool = False,
    status: int = 200,
) -> HttpResponse:
    site = request.site
    states = [
        {
            "step": step,
            "form": (sent or {}).get(step.key) or step.form(site=site, prefix=step.key),
            "is_done": step.is_done(site),
            "note": step.note(site),
        }
        for step in steps
    ]
    done = sum(one["is_done"] for one in states)
    following = next((one["step"].key for one in states if not one["is_done"]), "")
    context = {"steps": states, "done": done, "following": following, "is_too_large": too_large}
    return render(request, "sites/setup.html", context, status=413 if too_large else status)
