"""httpx2's transport with the guarded backend inside and no other way out."""

import ssl
from functools import cache

import httpcore2
import httpx2

from apps.core.fetch.backend import GuardedBackend
from apps.core.fetch.configuration import extra_authorities

_MAX_CONNECTIONS = 10
_KEEPALIVE_SECONDS = 5.0


@cache
def shared_tls() -> ssl.SSLContext:
    """Verifies certificates with the system's authorities; loaded once, because loading takes a while."""
    context = httpx2.create_ssl_context(trust_env=False)
    if path := extra_authorities():
        context.load_verify_locations(cafile=path)
    return context


class GuardedTransport(httpx2.AsyncHTTPTransport):
    """Speaks HTTP/1.1 through `backend`, with neither proxies nor anything else from the environment.

    httpx2 has no public way to name a network backend, so its pool, the private `_pool`, is replaced
    whole. Both packages are pinned, and a test fails when the attribute moves.
    """

    def __init__(self, *, backend: GuardedBackend, tls: ssl.SSLContext) -> None:
        super().__init__(verify=tls, trust_env=False)
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=tls,
            max_connections=_MAX_CONNECTIONS,
            max_keepalive_connections=_MAX_CONNECTIONS,
            keepalive_expiry=_KEEPALIVE_SECONDS,
            http1=True,
            http2=False,
            retries=0,
            network_backend=backend,
        )
