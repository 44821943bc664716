"""Turn the confidence that orders readings into the share of such values that were right on labeled websites.

`python -m tests.drafts.score --counts FOLDER...` prints counts as below. Only those of websites that no rule was made
from yet are added to them: what rules were mended for is right more often than on a website that comes next.
"""

from typing import Any

from apps.listings.fields.socials import PLATFORMS

# Owners and assistants are asked about values below this.
ASKED_BELOW = 0.7

BANDS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9)
# How many labeled values a reading's own confidence weighs as much as. Our own websites are easier than real ones.
_OWN_WEIGHT = 10
# By field: how many values of each band were right, and how many were given, when 137 websites were first read: before
# any rule was made from them, with the rules of that day.
_MEASURED: dict[str, dict[float, tuple[int, int]]] = {
    "name": {0.0: (1, 1), 0.5: (0, 2), 0.6: (63, 63), 0.7: (7, 8), 0.8: (15, 15), 0.9: (47, 48)},
    "headline": {0.0: (0, 1), 0.5: (1, 1), 0.6: (5, 6), 0.8: (125, 129)},
    "summary": {0.8: (91, 91), 0.9: (30, 34)},
    "categories": {0.5: (13, 15), 0.6: (23, 25), 0.7: (18, 19), 0.8: (21, 21), 0.9: (13, 13)},
    "github": {0.8: (5, 5), 0.9: (23, 23)},
    "profiles": {0.7: (8, 8), 0.8: (23, 31), 0.9: (152, 154)},
    "price_from_cents": {0.5: (3, 3), 0.6: (4, 11), 0.7: (6, 8), 0.8: (14, 15), 0.9: (63, 69)},
    "price_currency": {0.5: (3, 3), 0.6: (8, 11), 0.7: (7, 8), 0.8: (14, 15), 0.9: (68, 69)},
    "price_period": {0.5: (2, 2), 0.6: (8, 12), 0.7: (3, 4), 0.8: (14, 14), 0.9: (67, 69)},
    "pricing_model": {0.5: (4, 5), 0.6: (6, 10), 0.7: (13, 14), 0.8: (58, 60), 0.9: (25, 27)},
    "screenshots": {0.5: (2, 6), 0.6: (214, 256), 0.7: (34, 34)},
    "llms_url": {0.9: (12, 12)},
    "logo_url": {0.0: (1, 1), 0.5: (2, 3), 0.6: (2, 2), 0.7: (12, 12), 0.8: (2, 2)},
    "city": {0.6: (43, 46), 0.7: (39, 41), 0.8: (8, 9), 0.9: (3, 3)},
    "country": {0.6: (44, 45), 0.7: (44, 44), 0.8: (9, 9), 0.9: (3, 3)},
    "platforms": {0.7: (61, 63), 0.8: (60, 61), 0.9: (11, 11)},
    "docs_url": {0.6: (17, 18), 0.7: (10, 10), 0.8: (21, 21), 0.9: (13, 13)},
    "faqs": {0.6: (9, 9), 0.7: (296, 300), 0.8: (61, 61), 0.9: (18, 18)},
    "contact_email": {0.5: (1, 1), 0.6: (50, 51), 0.7: (9, 10), 0.8: (46, 46), 0.9: (4, 4)},
    "founded_year": {0.7: (4, 4), 0.8: (16, 16), 0.9: (4, 4)},
    "team_size": {0.7: (13, 13), 0.9: (1, 1)},
    "openapi_url": {0.9: (7, 7)},
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
