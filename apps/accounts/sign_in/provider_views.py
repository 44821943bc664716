"""Pages for signing in with a provider, and the list of connected providers."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.utils import get_next_redirect_url
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.models import SocialAccount, SocialApp
from allauth.socialaccount.providers.base import AuthProcess
from allauth.socialaccount.providers.github.views import oauth2_callback as github_callback
from allauth.socialaccount.providers.google.views import oauth2_callback as google_callback
from allauth.socialaccount.providers.openid_connect.views import callback as openid_callback
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.accounts.actors import account_of
from apps.accounts.sign_in.providers import has_other_way_in, name_of, providers, remove_provider
from apps.core.errors import Conflict
from apps.core.web.pages import let_forms_lead_to

View = Callable[..., HttpResponse]


def offers_providers(view: View) -> View:
    """Add the providers to a page's context, and allow its forms to redirect to them."""

    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        offered = providers()
        if isinstance(response, TemplateResponse) and response.context_data is not None:
            response.context_data["providers"] = offered
        return let_forms_lead_to(response, (provider.page_origin for provider in offered))

    return shown


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Redirect to the provider after a POST. The provider redirects to the callback."""
    try:
        provider = get_adapter().get_provider(request, provider_id)
    except SocialApp.DoesNotExist as error:
        raise Http404 from error
    if request.method != "POST":
        # A link on another website must not sign anybody in.
        return redirect("account_login")
    process = AuthProcess.CONNECT if request.POST.get("process") == "connect" else AuthProcess.LOGIN
    try:
        answer: HttpResponse = provider.redirect(request, process=process, next_url=get_next_redirect_url(request))
    except (OSError, ValueError, LookupError) as error:
        # An OpenID Connect server is asked where its pages are.
        answer = render_authentication_error(request, provider, exception=error)
    return answer


@never_cache
@require_safe
def callback(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Sign in, sign up or connect with the provider's response."""
    if provider_id not in {provider.id for provider in providers()}:
        raise Http404
    answer: HttpResponse
    try:
        if provider_id == "github":
            answer = github_callback(request)
        elif provider_id == "google":
            answer = google_callback(request)
        else:
            answer = openid_callback(request, provider_id)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        # allauth takes for granted that a provider's response is complete and well formed.
        answer = render_authentication_error(request, provider_id, exception=error)
    return answer


@require_safe
def canceled(request: HttpRequest) -> HttpResponse:
    """Return to the sign-in page after the person declined at the provider."""
    messages.info(request, "Sign-in canceled")
    return redirect("account_login")


@never_cache
@login_required
@require_safe
def connections(request: HttpRequest) -> TemplateResponse:
    """List the providers connected to the account."""
    account = account_of(request)
    result = list(SocialAccount.objects.filter(user=account).order_by("date_joined"))
    connected = [
        {
            "pk": each.pk,
            "name": name_of(each.provider),
            "label": each.extra_data.get("label", ""),
            "connected_at": each.date_joined,
            "last_used_at": each.last_login,
            "is_needed": not has_other_way_in(account, each),
        }
        for each in result
    ]
    known = {each.provider for each in result}
    others = [provider for provider in providers() if provider.id not in known]
    return TemplateResponse(request, "accounts/connected_sign_ins.html", {"connected": connected, "others": others})


@login_required
@require_POST
@reauthentication_required  # type: ignore[untyped-decorator]  # allauth is untyped
def disconnect(request: HttpRequest, pk: int) -> HttpResponse:
    """Disconnect a provider."""
    account = get_object_or_404(SocialAccount, pk=pk, user=account_of(request))
    name = name_of(account.provider)
    try:
        remove_provider(user=account_of(request), account=account, request=request)
    except Conflict as error:
        messages.error(request, error.detail)
    else:
        messages.success(request, f"{name} removed")
    return redirect("socialaccount_connections")
