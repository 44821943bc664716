"""`manage.py read_pages`: print the facts of saved pages, and the place of each on its page."""

import gzip
import json
import sys
import zlib
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from django.core.management.base import BaseCommand, CommandError

from apps.drafts.extraction import UnreadablePage, decode, read_page
from apps.drafts.extraction.page.facts import PageFacts

MAX_PAGE_BYTES = 20 * 2**20
_GZIP = b"\x1f\x8b"
_SOURCE = ("source", "selector", "snippet", "confidence")


class ListedPage(NamedTuple):
    """A page in a file, and the URL that it was saved from."""

    file: str
    url: str


class UnreadableListError(ValueError):
    """A line that is not a list entry. The message says which and why."""


def entries(lines: Iterable[str]) -> Iterator[ListedPage]:
    """Read a list of pages in JSON lines of `{"file", "url"}`. Skips blank lines. Raises UnreadableListError."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except ValueError as error:
            raise UnreadableListError(f"line {number} is not JSON: {error}") from None
        if not isinstance(entry, dict) or not all(isinstance(entry.get(key), str) for key in ListedPage._fields):
            raise UnreadableListError(f"line {number} needs the texts file and url")
        yield ListedPage(entry["file"], entry["url"])


def read_listed(page: ListedPage, *, folder: Path) -> dict[str, Any]:
    """Return the facts of a page for JSON: file, a value or null by field, `sources` by field, and `error`.

    File names are relative to `folder`. A source is `{source, selector, snippet, confidence}`, with the
    `kind` of a date. `error` says why a page can't be read, or is null.
    """
    facts, error = PageFacts(), None
    try:
        text = decode(_body(folder / page.file), content_type="")
        facts = read_page(text, url=page.url)
    except (OSError, ValueError, EOFError, zlib.error) as failure:
        error = f"Can't read the file: {failure}"
    except UnreadablePage as failure:
        error = f"Can't read the page: {failure}"
    result = {name: fact for name, fact in facts.as_dict().items() if fact}
    sources = {
        name: {key: fact[key] for key in ("source", "selector", "snippet", "confidence", "kind") if key in fact}
        for name, fact in result.items()
    }
    return {"file": page.file, **facts.values(), "sources": sources, "error": error}


def _body(path: Path) -> bytes:
    """Read a file, decompress gzip, and cut it to the size limit of a page."""
    with path.open("rb") as plain:
        if plain.read(len(_GZIP)) != _GZIP:
            plain.seek(0)
            return plain.read(MAX_PAGE_BYTES)
    with gzip.open(path) as packed:
        return packed.read(MAX_PAGE_BYTES)


class Command(BaseCommand):
    """Needs neither network nor database."""

    help = (
        "Reads saved pages, plain or gzipped, and prints a line of JSON for each: title, description, image, logo, "
        "author, publisher, url, date, lang, and the source of each."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "lists",
            nargs="+",
            metavar="FILE",
            help='a list in JSON lines of {"file", "url"}; file names are relative to its folder. - is standard input',
        )

    def handle(self, *_args: object, **options: Any) -> None:
        unread = 0
        for name in options["lists"]:
            folder = Path() if name == "-" else Path(name).parent
            try:
                for page in entries(_lines(name)):
                    result = read_listed(page, folder=folder)
                    unread += result["error"] is not None
                    self.stdout.write(json.dumps(result, ensure_ascii=False))
            except (OSError, UnicodeDecodeError, UnreadableListError) as error:
                raise CommandError(f"{name}: {error}") from None
        if unread:
            raise CommandError(f"Unreadable pages: {unread}. Their lines say why.")


def _lines(name: str) -> list[str]:
    if name == "-":
        return sys.stdin.read().splitlines()
    return Path(name).read_text(encoding="utf-8").splitlines()
