"""`manage.py read_pages`: facts of saved pages with their sources."""

import gzip
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

PAGE = """<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>Tides – Harbour</title>
<meta property="og:title" content="Tide tables für Übende"><meta name="description" content="When to leave.">
<link rel="canonical" href="/tides"></head><body><h1>Tides</h1></body></html>"""
FIELDS = {"title", "description", "image", "logo", "author", "publisher", "url", "date", "modified", "lang"}


def run(*lists: Path) -> list[dict[str, Any]]:
    output = StringIO()
    call_command("read_pages", *(str(path) for path in lists), stdout=output)
    return [json.loads(line) for line in output.getvalue().splitlines()]


def listed(folder: Path, **pages: bytes) -> Path:
    """A list with a page for each name, beside its files."""
    for name, body in pages.items():
        (folder / name).write_bytes(body)
    lines = [json.dumps({"file": name, "url": "https://harbour.example/tides?utm=1"}) for name in pages]
    path = folder / "list.jsonl"
    path.write_text("\n".join(lines) + "\n\n")
    return path


def test_a_line_has_the_facts_with_the_source_of_each(tmp_path: Path) -> None:
    (result,) = run(listed(tmp_path, page=PAGE.encode()))
    assert set(result) == {"file", "sources", "error"} | FIELDS
    assert (result["file"], result["error"]) == ("page", None)
    assert result["title"] == "Tide tables für Übende"
    assert (result["url"], result["lang"]) == ("https://harbour.example/tides", "en")
    assert (result["author"], result["image"], result["date"]) == (None, None, None)
    assert set(result["sources"]) == {name for name in FIELDS if result[name] is not None}
    assert result["sources"]["title"]["source"] == "og"
    assert result["sources"]["title"]["selector"] == 'meta[property="og:title"]'
    assert "Tide tables für Übende" in result["sources"]["title"]["snippet"]


def test_gzip_and_other_character_sets_are_read(tmp_path: Path) -> None:
    latin = PAGE.replace("utf-8", "iso-8859-1").replace("–", "-").encode("latin-1")
    packed, plain = run(listed(tmp_path, packed=gzip.compress(PAGE.encode()), plain=latin))
    assert packed["title"] == plain["title"] == "Tide tables für Übende"


def test_lists_are_read_one_after_the_other(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    lists = [listed(folder, **{folder.name: PAGE.encode()}) for folder in folders]
    assert [one["file"] for one in run(*lists)] == ["one", "two"]


@pytest.mark.parametrize(
    "body",
    [b"\x1f\x8bnot really gzip", gzip.compress(PAGE.encode())[:-30], b"<!-- -->"],
    ids=["no gzip", "broken off", "no element"],
)
def test_a_page_that_cannot_be_read_says_why_and_stops_no_other(tmp_path: Path, body: bytes) -> None:
    output = StringIO()
    with pytest.raises(CommandError, match=r"Unreadable pages: 1\."):
        call_command("read_pages", str(listed(tmp_path, bad=body, good=PAGE.encode())), stdout=output)
    bad, good = (json.loads(line) for line in output.getvalue().splitlines())
    assert bad["error"]
    assert (bad["title"], bad["sources"]) == (None, {})
    assert good["title"]


def test_of_a_page_that_is_too_long_the_beginning_is_read(tmp_path: Path) -> None:
    (result,) = run(listed(tmp_path, page=PAGE.encode() + b"<p>" + b"word " * 500_000))
    assert (result["title"], result["error"]) == ("Tide tables für Übende", None)


def test_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    path = listed(tmp_path, gone=b"")
    (tmp_path / "gone").unlink()
    output = StringIO()
    with pytest.raises(CommandError):
        call_command("read_pages", str(path), stdout=output)
    assert "No such file" in json.loads(output.getvalue())["error"]


@pytest.mark.parametrize("line", ["{", "[]", '{"file": "a"}', '{"file": 1, "url": "https://a.example"}'])
def test_a_list_that_is_none_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    path = listed(tmp_path, page=PAGE.encode())
    path.write_text(path.read_text().strip() + "\n" + line)
    with pytest.raises(CommandError, match="line 2"):
        run(path)
