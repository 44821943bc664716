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
# By field: how many values of each band were right, and how many were given, when 163 websites were first read: before
# any rule was made from them, with the rules of that day.
_MEASURED: dict[str, dict[float, tuple[int, int]]] = {
    "name": {0.0: (1, 1), 0.5: (0, 2), 0.6: (76, 76), 0.7: (8, 9), 0.8: (17, 17), 0.9: (57, 58)},
    "headline": {0.0: (0, 1), 0.5: (1, 1), 0.6: (7, 8), 0.8: (148, 153)},
    "summary": {0.8: (104, 104), 0.9: (43, 47)},
    "categories": {0.5: (14, 18), 0.6: (25, 27), 0.7: (23, 24), 0.8: (21, 21), 0.9: (14, 14)},
    "github": {0.8: (6, 6), 0.9: (26, 26)},
    "profiles": {0.7: (8, 8), 0.8: (29, 39), 0.9: (202, 204)},
    "price_from_cents": {0.5: (4, 4), 0.6: (5, 13), 0.7: (9, 12), 0.8: (17, 18), 0.9: (70, 78)},
    "price_currency": {0.5: (4, 4), 0.6: (10, 13), 0.7: (11, 12), 0.8: (17, 18), 0.9: (77, 78)},
    "price_period": {0.5: (3, 3), 0.6: (9, 13), 0.7: (6, 7), 0.8: (17, 17), 0.9: (76, 78)},
    "pricing_model": {0.5: (6, 7), 0.6: (7, 12), 0.7: (15, 16), 0.8: (65, 69), 0.9: (31, 33)},
    "screenshots": {0.5: (2, 10), 0.6: (236, 278), 0.7: (36, 36)},
    "llms_url": {0.9: (14, 14)},
    "logo_url": {0.0: (1, 1), 0.5: (2, 3), 0.6: (2, 2), 0.7: (12, 12), 0.8: (2, 2)},
    "city": {0.6: (51, 55), 0.7: (48, 50), 0.8: (9, 10), 0.9: (4, 4)},
    "country": {0.6: (52, 54), 0.7: (53, 53), 0.8: (10, 10), 0.9: (4, 4)},
    "platforms": {0.7: (64, 66), 0.8: (65, 66), 0.9: (12, 12)},
    "docs_url": {0.6: (24, 25), 0.7: (11, 11), 0.8: (26, 26), 0.9: (16, 16)},
    "faqs": {0.6: (12, 12), 0.7: (352, 356), 0.8: (64, 64), 0.9: (21, 21)},
    "contact_email": {0.5: (2, 2), 0.6: (62, 63), 0.7: (11, 12), 0.8: (56, 56), 0.9: (4, 4)},
    "founded_year": {0.7: (5, 5), 0.8: (20, 20), 0.9: (5, 5)},
    "team_size": {0.7: (18, 18), 0.9: (2, 2)},
    "openapi_url": {0.9: (9, 9)},
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
