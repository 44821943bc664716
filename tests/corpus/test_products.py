"""Precision and recall of drafts on product websites of our own, in the part to develop on and the one set aside.

`products/*.yaml` describe simple sites in many styles, `pages` has whole ones, with the traps of real websites.
"""

from pathlib import Path

import pytest

from tests.corpus.sites import write_sites
from tests.drafts.score import Score, score_folder

PAGES = Path(__file__).parent / "pages"

CATEGORIES = {"first category": (0.95, 0.95), "categories": (0.95, 0.95)}
SURE = {"name": (0.95, 0.95), "github": (0.95, 0.95)}
FLOORS = CATEGORIES | SURE | {"price_from_cents": (0.98, 0.98), "pricing_model": (0.98, 0.98)}
PRICES = {"price_from_cents": (0.98, 0.98), "price_currency": (0.98, 0.98), "price_period": (0.98, 0.98)}
LINKS = {"llms_url": (0.95, 0.95), "docs_url": (0.95, 0.95), "other profiles": (0.95, 0.95), "github": (0.95, 0.95)}
TEXTS = {"name": (0.98, 0.98), "headline": (0.95, 0.95), "faqs": (0.95, 0.95), "contact_email": (0.95, 0.95)}
COMPANY = {"city": (0.95, 0.95), "country": (0.95, 0.95), "founded_year": (0.95, 0.75), "team_size": (0.95, 0.60)}
WHOLE_SITES = (
    PRICES
    | LINKS
    | TEXTS
    | COMPANY
    | {"first category": (0.95, 0.95), "categories": (0.95, 0.90)}
    | {"pricing_model": (0.98, 0.98), "platforms": (0.95, 0.95), "screenshots": (0.98, 0.98)}
)


@pytest.mark.slow
@pytest.mark.parametrize("part", ["develop", "aside"])
def test_drafts_of_products_stay_right(part: str, tmp_path: Path) -> None:
    write_sites(part, tmp_path)
    assert below(score_folder(tmp_path), FLOORS) == {}


@pytest.mark.slow
@pytest.mark.parametrize("part", ["develop", "aside"])
def test_drafts_of_whole_sites_stay_right(part: str) -> None:
    assert below(score_folder(PAGES / part), WHOLE_SITES) == {}


def below(scores: dict[str, Score], floors: dict[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
    """Return precision and recall of the fields that miss their floor."""
    reached = {name: (scores[name].precision, scores[name].recall) for name in floors}
    return {
        name: values
        for name, values in reached.items()
        if any(value < floor for value, floor in zip(values, floors[name], strict=True))
    }


def test_a_wrong_value_costs_precision_and_recall() -> None:
    score = Score()
    score.add(given=True, expected=True, is_right=False, confidence=0.9)
    score.add(given=False, expected=True, is_right=False, confidence=0.0)
    score.add(given=True, expected=True, is_right=True, confidence=0.65)
    assert (score.precision, round(score.recall, 2)) == (0.5, 0.33)
    assert score.bands == {(0.9, False): 1, (0.6, True): 1}
