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
# By field: how many values of each band were right, and how many were given, when 111 websites were first read: before
# any rule was made from them, with the rules of that day.
_MEASURED: dict[str, dict[float, tuple[int, int]]] = {
    "name": {0.5: (0, 2), 0.6: (51, 51), 0.7: (5, 6), 0.8: (13, 13), 0.9: (38, 39)},
    "headline": {0.0: (0, 1), 0.5: (1, 1), 0.6: (3, 4), 0.8: (102, 105)},
    "summary": {0.8: (84, 84), 0.9: (13, 15)},
    "categories": {0.5: (10, 12), 0.6: (16, 18), 0.7: (14, 15), 0.8: (20, 20), 0.9: (12, 12)},
    "github": {0.8: (4, 4), 0.9: (21, 21)},
    "profiles": {0.7: (8, 8), 0.8: (15, 15), 0.9: (110, 111)},
    "price_from_cents": {0.5: (3, 3), 0.6: (4, 11), 0.7: (5, 7), 0.8: (10, 11), 0.9: (51, 56)},
    "price_currency": {0.5: (3, 3), 0.6: (8, 11), 0.7: (6, 7), 0.8: (11, 11), 0.9: (55, 56)},
    "price_period": {0.5: (2, 2), 0.6: (7, 11), 0.7: (3, 4), 0.8: (10, 10), 0.9: (55, 56)},
    "pricing_model": {0.5: (3, 4), 0.6: (6, 10), 0.7: (11, 12), 0.8: (47, 48), 0.9: (20, 22)},
    "screenshots": {0.5: (0, 3), 0.6: (180, 219), 0.7: (29, 29)},
    "llms_url": {0.9: (10, 10)},
    "logo_url": {0.0: (1, 1), 0.5: (2, 3), 0.6: (2, 2), 0.7: (12, 12), 0.8: (2, 2)},
    "city": {0.6: (39, 41), 0.7: (27, 28), 0.8: (7, 8), 0.9: (3, 3)},
    "country": {0.6: (39, 40), 0.7: (31, 31), 0.8: (8, 8), 0.9: (3, 3)},
    "platforms": {0.7: (52, 53), 0.8: (45, 46), 0.9: (8, 8)},
    "docs_url": {0.6: (11, 12), 0.7: (8, 8), 0.8: (20, 20), 0.9: (9, 9)},
    "faqs": {0.6: (9, 9), 0.7: (221, 225), 0.8: (52, 52), 0.9: (18, 18)},
    "contact_email": {0.5: (1, 1), 0.6: (38, 39), 0.7: (8, 9), 0.8: (36, 36), 0.9: (4, 4)},
    "founded_year": {0.7: (3, 3), 0.8: (10, 10), 0.9: (3, 3)},
    "team_size": {0.7: (6, 6), 0.9: (1, 1)},
    "openapi_url": {0.9: (5, 5)},
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
