"""How long allauth's limits refuse another code."""

import time

from allauth.account import app_settings
from allauth.core.internal.ratelimit import get_cache_key, parse_rates
from django.core.cache import cache
from django.http import HttpRequest

from apps.core.text.durations import wait_text


def why_no_code(request: HttpRequest, *, action: str, email: str) -> str:
    """Say when another code can be sent, because allauth's own refusal is a page without the form. Empty if now."""
    now, waits = time.time(), [0.0]
    for rate in parse_rates(app_settings.RATE_LIMITS[action]):
        sent = cache.get(get_cache_key(request, app="allauth.account", action=action, rate=rate, key=email.lower()), [])
        recent = [at for at in sent if at > now - rate.duration]
        if len(recent) >= rate.amount:
            waits.append(recent[rate.amount - 1] + rate.duration - now)
    return f"Too many codes. Send a new one in {wait_text(max(waits))}." if max(waits) > 0 else ""
