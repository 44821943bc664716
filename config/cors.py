"""What programs in browsers may send to the API and to the OAuth addresses, and read of the answers."""

ALLOW_HEADERS = [
    "accept",
    "accept-language",
    "authorization",
    "content-type",
    "idempotency-key",
    "last-event-id",
    "mcp-method",
    "mcp-name",
    "mcp-protocol-version",
    "mcp-session-id",
    "traceparent",
    "x-request-id",
]
EXPOSE_HEADERS = [
    "Idempotency-Replayed",
    "Mcp-Session-Id",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "WWW-Authenticate",
    "X-Request-ID",
]
