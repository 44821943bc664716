"""Find out whether passkeys work at an address."""

from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.request import validate_host

from apps.core.web.urls import is_ip_address


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why passkeys can't work at this page's address. `url` is one where they can, or empty."""

    code: str
    text: str
    url: str = ""


def passkey_obstacle(request: HttpRequest) -> Obstacle | None:
    """Return why this request can't use passkeys, or None.

    Browsers bind a passkey to a host name and offer it only on https and localhost (Web Authentication, section 5).
    """
    here = urlsplit(request.build_absolute_uri())
    host = here.hostname or ""
    if is_ip_address(host):
        is_local = ip_address(host).is_loopback and validate_host("localhost", settings.ALLOWED_HOSTS)
        other = here._replace(netloc=f"localhost:{here.port}" if here.port else "localhost")
        text = "Passkeys need a host name instead of an IP address."
        return Obstacle("ip_address", text, other.geturl() if is_local else "")
    if here.scheme != "https" and host != "localhost" and not host.endswith(".localhost"):
        return Obstacle("no_https", "Passkeys need an https URL.")
    return None
