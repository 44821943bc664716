"""Agreement with a peer on real pages, measured by the corpus's own script."""

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from apps.drafts.extraction import Answer, ReadPage, decode, draft_listing, read_page, why_unusable

PARENTS = Path(__file__).resolve().parents[3:]
CORPUS = next((found for parent in PARENTS if (found := parent / "shared" / "corpus").is_dir()), Path("missing"))
PAGES = CORPUS / "pages"
LENGTHS = {"name": 80, "headline": 80, "summary": 600, "seo_title": 60, "seo_description": 160}

pytestmark = [
    pytest.mark.skipif(not PAGES.is_dir(), reason="the corpus of real pages is not beside this repository"),
    pytest.mark.slow,
    pytest.mark.xdist_group("corpus"),
]


def rows() -> list[dict[str, Any]]:
    result: list[dict[str, Any]] = json.loads((PAGES / "expected.json").read_text())
    return result


def body_of(row: dict[str, Any]) -> bytes:
    return gzip.decompress((PAGES / row["page"]).read_bytes())


def as_the_peer_says(values: dict[str, str | None]) -> dict[str, str | None]:
    """The peer gives one date, and of two the last change; we give the publication, and both."""
    return {**values, "date": values["modified"] or values["date"]}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the scoring script prints for our facts of all pages."""
    facts = {row["page"]: read_page(decode(body_of(row), content_type=""), url=row["url"]) for row in rows()}
    predictions = tmp_path_factory.mktemp("corpus") / "predictions.json"
    predictions.write_text(json.dumps({page: as_the_peer_says(fact.values()) for page, fact in facts.items()}))
    command = [sys.executable, str(CORPUS / "score_pages.py"), str(predictions)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_mean_of_the_eight_fields_stays_where_it_is(report: str) -> None:
    mean = re.search(r"mean of the eight without logo: (\S+)", report)
    assert mean is not None, report
    assert float(mean[1]) >= 0.97, report


@pytest.mark.parametrize(
    ("field", "floor", "invented"),
    [
        ("title", 0.99, 0),
        ("description", 0.99, 0),
        ("image", 0.93, 0),
        ("author", 0.90, 0),
        ("publisher", 0.95, 0),
        ("url", 0.99, 0),
        # Two pages state their date in JSON-LD and microdata, where the peer gives none.
        ("date", 0.99, 2),
        ("lang", 0.99, 0),
        # Icons that the pages declare and the peer, which asks for them, was not given.
        ("logo", 0.75, 5),
    ],
)
def test_no_field_falls_back(report: str, field: str, floor: float, invented: int) -> None:
    line = re.search(rf"^{field} +(\S+) of \d+ +given where none is expected: (\d+)$", report, re.MULTILINE)
    assert line is not None, report
    assert float(line[1]) >= floor, report
    assert int(line[2]) <= invented, report


def test_every_real_page_can_be_drafted_from() -> None:
    refused = {}
    for row in rows():
        answer = Answer(200, "text/html", decode(body_of(row), content_type=""))
        if reason := why_unusable(answer):
            refused[row["page"]] = reason
    assert refused == {}


def test_a_proposal_for_any_page_is_json_within_its_limits_and_evidenced() -> None:
    for row in rows():
        page = ReadPage.open(body_of(row), url=row["url"], content_type="")
        proposal = json.loads(json.dumps(draft_listing([page]).as_dict()))
        fields = proposal["fields"]
        evidenced = {item["field"].split(".")[0] for item in proposal["evidence"]}
        assert evidenced == set(fields), row["page"]
        assert not evidenced & {item["field"] for item in proposal["missing"]}, row["page"]
        assert all(len(fields.get(name, "")) <= limit for name, limit in LENGTHS.items()), row["page"]
        for item in proposal["evidence"]:
            assert item["page_url"] == row["url"]
            assert 0 < item["confidence"] <= 1, item
            assert 0 < len(item["snippet"]) <= 300, item
