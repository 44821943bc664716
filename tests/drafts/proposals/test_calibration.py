"""The confidence of a value is the share of such values that were right."""

import pytest

from apps.drafts.proposals.calibration import ASKED_BELOW, calibrate, share_right

FIELDS = ["name", "headline", "categories.ai", "socials.github", "socials.x", "faqs.3", "city", "team_size"]


@pytest.mark.parametrize("field", FIELDS)
def test_more_confidence_never_means_a_smaller_share(field: str) -> None:
    shares = [share_right(field, step / 100) for step in range(1, 101)]
    assert shares == sorted(shares)
    assert 0 < shares[0] <= shares[-1] <= 1


def test_a_field_that_was_right_on_labeled_websites_is_not_asked_about() -> None:
    assert share_right("name", 0.65) >= 0.9
    assert share_right("pricing_model", 0.55) < ASKED_BELOW


def test_a_field_without_labels_keeps_its_confidence() -> None:
    assert share_right("team_size", 0.62) == 0.62


def test_a_name_of_the_last_resort_is_asked_about() -> None:
    assert share_right("name", 0.2) < ASKED_BELOW


def test_a_runner_up_is_as_sure_as_the_value_it_may_replace() -> None:
    reading = {"value": "Cork", "confidence": 0.6}
    (result,) = calibrate([{"field": "city", **reading, "runners_up": [{**reading, "value": "Bray"}]}])
    assert result["confidence"] > 0.8
    assert [one["confidence"] for one in result["runners_up"]] == [result["confidence"]]
