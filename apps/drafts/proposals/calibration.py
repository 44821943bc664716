"""Turn the confidence that orders readings into the share of such values that were right on labeled websites.

`python -m tests.drafts.score --counts FOLDER...` prints the counts below, before calibration.
"""

from typing import Any

from apps.listings.fields.socials import PLATFORMS

# Owners and assistants are asked about values below this.
ASKED_BELOW = 0.7

BANDS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9)
# How many labeled values a reading's own confidence weighs as much as. Our own websites are easier than real ones.
_OWN_WEIGHT = 10
# By field: how many values of each band were right, and how many were given, on the websites to develop on.
_MEASURED: dict[str, dict[float, tuple[int, int]]] = {
    "name": {0.6: (85, 85), 0.7: (5, 5), 0.8: (7, 7), 0.9: (43, 43)},
    "headline": {0.0: (0, 1), 0.5: (4, 4), 0.6: (7, 7), 0.8: (126, 128)},
    "summary": {0.8: (46, 46), 0.9: (1, 3)},
    "categories": {0.0: (2, 3), 0.5: (12, 13), 0.6: (24, 24), 0.7: (46, 46), 0.8: (32, 32), 0.9: (16, 16)},
    "github": {0.7: (2, 2), 0.8: (4, 4), 0.9: (19, 19)},
    "profiles": {0.7: (6, 6), 0.8: (9, 9), 0.9: (80, 81)},
    "price_from_cents": {0.5: (1, 1), 0.6: (11, 11), 0.7: (4, 4), 0.8: (23, 23), 0.9: (78, 78)},
    "price_currency": {0.5: (1, 1), 0.6: (11, 11), 0.7: (4, 4), 0.8: (23, 23), 0.9: (46, 46)},
    "price_period": {0.5: (1, 1), 0.6: (10, 10), 0.7: (3, 3), 0.8: (22, 22), 0.9: (46, 46)},
    "pricing_model": {0.6: (11, 11), 0.7: (15, 15), 0.8: (89, 89), 0.9: (15, 15)},
    "screenshots": {0.5: (2, 2), 0.6: (134, 134), 0.7: (21, 21), 0.9: (1, 1)},
    "llms_url": {0.9: (8, 8)},
    "logo_url": {0.0: (1, 1), 0.5: (2, 2), 0.6: (2, 2), 0.7: (7, 7), 0.8: (1, 1)},
    "city": {0.6: (44, 44), 0.7: (23, 23), 0.8: (9, 9), 0.9: (1, 1)},
    "country": {0.6: (40, 40), 0.7: (24, 24), 0.8: (9, 9), 0.9: (1, 1)},
    "platforms": {0.7: (53, 54), 0.8: (38, 38), 0.9: (7, 7)},
    "docs_url": {0.6: (4, 4), 0.7: (5, 5), 0.8: (13, 13), 0.9: (8, 8)},
    "faqs": {0.6: (12, 12), 0.7: (123, 123), 0.8: (38, 38), 0.9: (8, 8)},
    "contact_email": {0.6: (15, 15), 0.7: (6, 6), 0.8: (22, 22), 0.9: (2, 2)},
    "founded_year": {0.7: (3, 3), 0.8: (9, 9), 0.9: (2, 2)},
    "team_size": {0.7: (4, 4)},
    "openapi_url": {0.9: (4, 4)},
}


def calibrate(evidence: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the evidence with the confidence of each value and runner-up, which may replace it, as a share."""
    return [
        {
            **_calibrated(item, str(item["field"])),
            "runners_up": [_calibrated(one, str(item["field"])) for one in item["runners_up"]],
        }
        for item in evidence
    ]


def _calibrated(reading: dict[str, Any], field: str) -> dict[str, Any]:
    return {**reading, "confidence": share_right(field, float(reading["confidence"]))}


def share_right(field: str, confidence: float) -> float:
    """Return how often values of a field that were read with this confidence are right. Never falls as it rises.

    Fields without labeled values keep the confidence.
    """
    measured = _MEASURED.get(_measured_as(field), {})
    band = max(low for low in BANDS if low <= confidence)
    lower = [_mixed(measured, low, high) for low, high in zip(BANDS, BANDS[1:], strict=False) if high <= band]
    share: float = max([_mixed(measured, band, confidence), *(lower if measured else ())])
    return round(share, 2)


def _mixed(measured: dict[float, tuple[int, int]], band: float, confidence: float) -> float:
    right, given = measured.get(band, (0, 0))
    return (right + _OWN_WEIGHT * confidence) / (given + _OWN_WEIGHT)


def _measured_as(field: str) -> str:
    name, _, part = field.partition(".")
    if name == "socials" and part in PLATFORMS:
        return "github" if part == "github" else "profiles"
    return name
