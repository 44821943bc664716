"""Facts of pages as publishing systems, frameworks and newsrooms write them.

The pages in `published` are made up, each with the head that its system writes and with traps of its kind: authors of
comments and testimonials, dates of other articles, unfilled templates. `list.jsonl` beside them is a list for
`read_pages` with what each page must give.
"""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from apps.drafts.management.commands.read_pages import entries, read_listed

PUBLISHED = Path(__file__).parent / "published"
LIST = PUBLISHED / "list.jsonl"
FIELDS = ("title", "description", "image", "logo", "author", "publisher", "url", "date", "modified", "lang")
LISTED = [json.loads(line) for line in LIST.read_text(encoding="utf-8").splitlines()]


def test_every_page_is_listed_once_and_tells_all_fields() -> None:
    assert sorted(row["file"] for row in LISTED) == sorted(path.name for path in PUBLISHED.glob("*.html"))
    assert len(LISTED) >= 40
    assert all(set(row["expected"]) == set(FIELDS) for row in LISTED)


@pytest.mark.parametrize("row", LISTED, ids=[row["file"].removesuffix(".html") for row in LISTED])
def test_a_page_gives_what_its_system_says(row: dict[str, Any]) -> None:
    (page,) = entries([json.dumps(row)])
    result = read_listed(page, folder=PUBLISHED)

    assert result["error"] is None
    assert {field: result[field] for field in FIELDS} == row["expected"]
    assert set(result["sources"]) == {field for field in FIELDS if row["expected"][field] is not None}


def test_the_command_reads_the_whole_list() -> None:
    output = StringIO()
    call_command("read_pages", str(LIST), stdout=output)
    result = [json.loads(line) for line in output.getvalue().splitlines()]

    assert [row["file"] for row in result] == [row["file"] for row in LISTED]
