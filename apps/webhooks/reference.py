"""The public page about webhooks: every type with an example, headers, retries and verification."""

import json
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.events.api import EventSerializer
from apps.events.models import Event
from apps.events.types import TYPES, EventType
from apps.sites.models import Site
from apps.sites.reference import operations
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.structured_data import crumbs
from apps.webhooks import services
from apps.webhooks.delivery.courier import ANSWER_SECONDS
from apps.webhooks.delivery.retries import DELAYS

_SAMPLES = Path(__file__).with_name("samples")
_FILES = {
    "Python": "verify.py",
    "TypeScript": "verify.ts",
    "Python, v1a": "verify_v1a.py",
    "TypeScript, v1a": "verify_v1a.ts",
}
_ID = UUID("0192f0c15a7b7c3e9d4e5f60718293a4")
_AT = datetime(2026, 11, 23, 9, 30, tzinfo=UTC)


@require_safe
def webhook_reference(request: SiteHttpRequest) -> HttpResponse:
    """Describe webhooks for developers."""
    types: dict[str, list[tuple[EventType, str]]] = {}
    for result in TYPES.values():
        types.setdefault(result.group, []).append((result, example_of(result, site=request.site)))
    address = reverse("webhook_reference")
    context = {
        "groups": operations.groups(),
        "webhooks_url": address,
        "type_groups": types.items(),
        "samples": _samples(),
        "attempts": len(DELAYS) + 1,
        "answer_seconds": int(ANSWER_SECONDS),
        "most": services.MAX_ENDPOINTS,
        "canonical_url": request.site.url(address),
        "structured_data": [crumbs(request.site, ("API reference", reverse("api_reference")), ("Webhooks", address))],
    }
    return render(request, "webhooks/reference.html", context)


def example_of(type_: EventType, *, site: Site) -> str:
    """Return the body of a delivery of this type, as indented JSON."""
    event = Event(
        public_id=_ID,
        seq=42,
        type=type_.name,
        at=_AT,
        site=site,
        via="system",
        object_type=type_.kind,
        object_id=type_.object_id,
        data=type_.data,
    )
    return json.dumps(EventSerializer(event).data, indent=2, ensure_ascii=False)


@cache
def _samples() -> list[tuple[str, str]]:
    return [(name, (_SAMPLES / file).read_text(encoding="utf-8").rstrip()) for name, file in _FILES.items()]
