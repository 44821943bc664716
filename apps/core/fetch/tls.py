"""Trust in the services that the operator names, such as payment providers."""

import ssl
from functools import cache

import httpx2


@cache
def service_tls() -> ssl.SSLContext:
    """Verify certificates as the environment says. Cached, because loading takes a while."""
    return httpx2.create_ssl_context()
