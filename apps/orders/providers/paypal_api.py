"""PayPal API calls with a cached access token."""

from hashlib import sha256
from typing import Any

from django.conf import settings
from django.core.cache import cache

from apps.orders.providers import http

NAME = "PayPal"
TOKEN = "/v1/oauth2/token"  # noqa: S105 - a path, no secret
# A token is not used this close to its end, because it must be valid when the request arrives.
_SPARE_SECONDS = 120
_LONGEST_SECONDS = 8 * 3600


def call(
    method: str, path: str, *, payload: Any = None, content: bytes | None = None, request_id: str = ""
) -> http.Answer:
    """Call PayPal, replacing a rejected token once. Refusals (4xx) are returned, too.

    `content` is a JSON body as raw bytes, in place of `payload`. `request_id` makes a repeated call harmless. Raises
    GatewayError (503).
    """
    headers = {"Content-Type": "application/json", "Prefer": "return=representation"}
    if request_id:
        headers["PayPal-Request-Id"] = request_id
    answer = _send(method, path, payload, content, {**headers, "Authorization": f"Bearer {_token()}"})
    if answer.status == 401:
        cache.delete(_cache_key())
        answer = _send(method, path, payload, content, {**headers, "Authorization": f"Bearer {_token()}"})
    return answer


def _send(method: str, path: str, payload: Any, content: bytes | None, headers: dict[str, str]) -> http.Answer:
    url = settings.PAYPAL_API_URL + path
    return http.ask(NAME, http.Call(method=method, url=url, headers=headers, content=content, json=payload))


def _token() -> str:
    """Return the access token, from the cache or a new one. Raises GatewayError (503)."""
    stored: str | None = cache.get(_cache_key())
    if stored:
        return stored
    answer = http.ask(
        NAME,
        http.Call(
            method="POST",
            url=settings.PAYPAL_API_URL + TOKEN,
            headers={},
            form={"grant_type": "client_credentials"},
            auth=(settings.PAYPAL_CLIENT_ID, settings.PAYPAL_CLIENT_SECRET),
        ),
    )
    if not answer.is_good:
        raise http.refuse(NAME, answer)
    given = answer.data()
    token, lives = str(given.get("access_token") or ""), given.get("expires_in")
    if not token:
        raise http.refuse(NAME, answer)
    seconds = min(lives if isinstance(lives, int) else 0, _LONGEST_SECONDS) - _SPARE_SECONDS
    if seconds > 0:
        cache.set(_cache_key(), token, seconds)
    return token


def _cache_key() -> str:
    """Another account or another API URL has another token."""
    whose = f"{settings.PAYPAL_API_URL} {settings.PAYPAL_CLIENT_ID} {settings.PAYPAL_CLIENT_SECRET}"
    return f"paypal:token:{sha256(whose.encode()).hexdigest()}"
