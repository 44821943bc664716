"""Check the OpenID Connect server for `manage.py doctor`."""

from collections.abc import Iterator

import httpx2
from django.conf import settings
from django.contrib.auth.models import Group
from django.core import checks

from apps.core.fetch.tls import service_tls
from apps.core.operations.doctor.examinations import examines

_SECONDS = 5


@examines("single sign-on")
def _single_sign_on() -> Iterator[checks.CheckMessage]:
    for app in settings.SOCIALACCOUNT_PROVIDERS.get("openid_connect", {}).get("APPS", ()):
        yield from _server(app["settings"]["server_url"])
    known = Group.objects.filter(name__in=settings.OIDC_GROUPS.values()).values_list("name", flat=True)
    if missing := set(settings.OIDC_GROUPS.values()) - set(known):
        names = ", ".join(sorted(missing))
        yield checks.Error(f"OIDC_GROUPS contains groups that don't exist: {names}.", hint="Create them in the admin.")


def _server(issuer: str) -> Iterator[checks.CheckMessage]:
    try:
        answer = httpx2.get(f"{issuer}/.well-known/openid-configuration", verify=service_tls(), timeout=_SECONDS)
        body = answer.raise_for_status().json()
        issued_by = body["issuer"]
    except (httpx2.HTTPError, ValueError, LookupError, TypeError):
        hint = "Check OIDC_ISSUER, and that this machine can connect to it."
        yield checks.Error(f"{issuer} doesn't say how to sign in.", hint=hint)
        return
    if issued_by.rstrip("/") != issuer:
        yield checks.Error(f"{issuer} calls itself {issued_by}.", hint=f"Set OIDC_ISSUER to {issued_by}.")
