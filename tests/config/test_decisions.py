"""The pages of docs/decisions and their table say the same."""

import re

import pytest

from tests.config.support import PROJECT

DECISIONS = PROJECT / "docs" / "decisions"
_ROW = re.compile(r"^\| \[(\d+)\]\(([^)]+)\) \| .+ \| (.+) \| \d{4}-\d\d-\d\d \|$", re.MULTILINE)
_REPLACED = re.compile(r"replaced by \[(\d+)\]\(([^)]+)\)")
TABLE = (DECISIONS / "README.md").read_text()
ROWS = {name: (number, status) for number, name, status in _ROW.findall(TABLE)}
PAGES = {path.name: path.read_text() for path in DECISIONS.glob("0*.md")}


def test_every_page_has_its_row() -> None:
    assert ROWS.keys() == PAGES.keys()


@pytest.mark.parametrize("name", PAGES)
def test_a_row_has_the_number_of_its_page(name: str) -> None:
    number, _ = ROWS[name]
    assert int(name[:4]) == int(number)
    assert PAGES[name].startswith(f"# {number}. ")


@pytest.mark.parametrize("name", PAGES)
def test_a_replaced_page_and_the_newer_one_name_each_other(name: str) -> None:
    _, status = ROWS[name]
    if replaced := _REPLACED.fullmatch(status):
        number, newer = replaced.groups()
        assert newer.startswith(f"{int(number):04}-")
        assert f"Replaced by [decision {number}]({newer})" in PAGES[name]
        assert f"({name})" in PAGES[newer]
    else:
        assert status == "accepted"
        assert "Replaced by" not in PAGES[name]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_leads_to_pages_there_are(name: str) -> None:
    assert {link for link in re.findall(r"\]\((\d{4}-[^)#]+)", PAGES[name]) if link not in PAGES} == set()
