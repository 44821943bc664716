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
    "name": {0.6: (78, 78), 0.7: (4, 4), 0.8: (6, 6), 0.9: (34, 34)},
    "headline": {0.5: (4, 4), 0.6: (7, 7), 0.8: (109, 111)},
    "summary": {0.8: (28, 28), 0.9: (1, 3)},
    "categories": {0.0: (1, 2), 0.5: (11, 12), 0.6: (17, 17), 0.7: (42, 42), 0.8: (30, 30), 0.9: (13, 13)},
    "github": {0.7: (2, 2), 0.8: (4, 4), 0.9: (16, 16)},
    "profiles": {0.7: (3, 3), 0.8: (6, 6), 0.9: (58, 59)},
    "price_from_cents": {0.5: (1, 1), 0.6: (10, 10), 0.7: (3, 3), 0.8: (23, 23), 0.9: (66, 66)},
    "price_currency": {0.5: (1, 1), 0.6: (10, 10), 0.7: (3, 3), 0.8: (23, 23), 0.9: (34, 34)},
    "price_period": {0.5: (1, 1), 0.6: (7, 7), 0.7: (2, 2), 0.8: (22, 22), 0.9: (34, 34)},
    "pricing_model": {0.6: (8, 8), 0.7: (12, 12), 0.8: (79, 80), 0.9: (12, 12)},
    "screenshots": {0.5: (2, 2), 0.6: (105, 105), 0.7: (18, 18), 0.9: (1, 1)},
    "llms_url": {0.9: (7, 7)},
    "logo_url": {0.0: (1, 1), 0.5: (1, 1), 0.6: (1, 1), 0.7: (3, 3)},
    "city": {0.6: (36, 36), 0.7: (18, 18), 0.8: (5, 5), 0.9: (1, 1)},
    "country": {0.6: (32, 32), 0.7: (20, 20), 0.8: (5, 5), 0.9: (1, 1)},
    "platforms": {0.7: (34, 34), 0.8: (35, 35), 0.9: (3, 3)},
    "docs_url": {0.7: (4, 4), 0.8: (9, 9), 0.9: (7, 7)},
    "faqs": {0.6: (6, 6), 0.7: (94, 94), 0.8: (26, 26), 0.9: (5, 5)},
    "contact_email": {0.6: (14, 14), 0.7: (3, 4), 0.8: (10, 10)},
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
