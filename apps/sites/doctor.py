"""Checks of all site addresses for `manage.py doctor`."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta

from django.conf import settings
from django.core import checks
from django.utils import timezone

from apps.core.operations.doctor.examinations import examines
from apps.sites.models import Site

LEAST_DAYS = 14
_SECONDS = 5
_PORT = 443


@examines("addresses")
def _addresses() -> Iterator[checks.CheckMessage]:
    if settings.LOCAL or not settings.PUBLIC_BASE_URL.startswith("https:"):
        return
    for host in Site.objects.values_list("host", flat=True):
        try:
            days = _days_left(host)
        except socket.gaierror:
            yield checks.Error(f"{host} has no address in DNS.", hint="Add an A or AAAA record for it.")
        except (OSError, ssl.SSLError) as error:
            hint = "Check the proxy, the firewall and the certificate."
            yield checks.Error(f"https://{host} can't be reached: {error}.", hint=hint)
        else:
            if days < LEAST_DAYS:
                yield checks.Warning(f"The certificate of {host} ends in {days} days.", hint="Renew it.")


def _days_left(host: str) -> int:
    context = ssl.create_default_context()
    with (
        closing(socket.create_connection((host, _PORT), timeout=_SECONDS)) as plain,
        context.wrap_socket(plain, server_hostname=host) as secure,
    ):
        certificate = secure.getpeercert() or {}
    ends = ssl.cert_time_to_seconds(str(certificate["notAfter"]))
    return timedelta(seconds=ends - timezone.now().timestamp()).days
