"""Score drafts of saved websites: precision, recall and, per band of confidence, how often a value is right.

A folder has one folder for each website, with its files and `labels.json`: `{pages: {file: url}, labels: {field:
value}}`, the home page first. A value accepts each text of a list, and null expects that the draft leaves the field
empty. `categories`, `screenshots`, `faqs` and `platforms` are compared entry by entry: `categories_accepted` are
neither required nor wrong, and a screenshot is named by a part of its URL.

usage: python -m tests.drafts.score [--wrong | --counts] FOLDER...
"""

import argparse
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from apps.listings.fields.socials import PLATFORMS

BANDS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01)


@dataclass
class Score:
    """Counts of one field: values given, of which right, and values expected."""

    right: int = 0
    given: int = 0
    expected: int = 0
    bands: "Counter[tuple[float, bool]]" = field(default_factory=Counter)
    said: defaultdict[float, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, *, given: bool, expected: bool, is_right: bool, confidence: float) -> None:
        """Count one value that was given, expected, or both."""
        self.given += given
        self.expected += expected
        self.right += is_right
        if given:
            band = max(band for band in BANDS if band <= confidence)
            self.bands[band, is_right] += 1
            self.said[band] += confidence

    def join(self, other: "Score") -> None:
        """Add the counts of other websites."""
        self.right += other.right
        self.given += other.given
        self.expected += other.expected
        self.bands += other.bands
        for band, confidence in other.said.items():
            self.said[band] += confidence

    @property
    def table(self) -> str:
        """The values right of those given in each band, with their mean confidence."""
        shown = []
        for low, high in zip(BANDS, BANDS[1:], strict=False):
            right, wrong = self.bands[low, True], self.bands[low, False]
            if given := right + wrong:
                shown.append(f"{low:.1f} to {min(high, 1.0):.1f}: {right} of {given} ({self.said[low] / given:.2f})")
        return "   ".join(shown)

    @property
    def precision(self) -> float:
        """The share of the values given that are right; 1 if none is given."""
        return self.right / self.given if self.given else 1.0

    @property
    def recall(self) -> float:
        """The share of the values expected that were given; 1 if none is expected."""
        return self.right / self.expected if self.expected else 1.0


class Compared(NamedTuple):
    """A value of a draft beside its label. `source` names the evidence of the value."""

    field: str
    given: Any
    expected: Any
    is_right: bool
    source: str = ""


def score_folder(folder: Path, *, wrong: list[tuple[str, Compared]] | None = None) -> dict[str, Score]:
    """Return the scores of all labeled fields over the websites in a folder. Collects what is not right in `wrong`."""
    scores: defaultdict[str, Score] = defaultdict(Score)
    for path in sorted(folder.glob("*/labels.json")):
        told = json.loads(path.read_text())
        result = _draft(path.parent, told["pages"])
        confidence = {item["field"]: float(item["confidence"]) for item in result["evidence"]}
        for one in _compared(result["fields"], told["labels"]):
            scores[one.field].add(
                given=one.given is not None,
                expected=one.expected is not None,
                is_right=one.is_right,
                confidence=confidence.get(one.source, 0.0),
            )
            if wrong is not None and not one.is_right and (one.given, one.expected) != (None, None):
                wrong.append((path.parent.name, one))
    return dict(scores)


def _draft(folder: Path, pages: dict[str, str]) -> dict[str, Any]:
    from apps.drafts.extraction import ReadPage, SiteFile
    from apps.drafts.extraction.site.site_files import MANIFEST
    from apps.drafts.proposals.propose import propose
    from apps.listings.models import Category
    from apps.listings.services.categories import CATEGORIES

    read = [
        ReadPage.open((folder / name).read_bytes(), url=url, content_type="text/html")
        for name, url in pages.items()
        if name.endswith(".html")
    ]
    categories = [Category(slug=slug, name=name, synonyms=list(words)) for slug, name, words in CATEGORIES]
    files = [
        SiteFile(
            MANIFEST if name.endswith(".webmanifest") else f"/{name}",
            url,
            sha256((folder / name).read_bytes()).hexdigest(),
            (folder / name).read_text(),
        )
        for name, url in pages.items()
        if not name.endswith(".html")
    ]
    return propose(read, categories, files=files)


def _compared(fields: dict[str, Any], labels: dict[str, Any]) -> Iterator[Compared]:
    for name, wanted in labels.items():
        match name:
            case "categories":
                yield from _categories(fields.get(name, []), wanted, set(labels.get("categories_accepted", ())))
            case "categories_accepted":
                continue
            case "screenshots":
                yield from _entries(name, fields.get(name, []), wanted, lambda part, url: part in url)
            case "faqs":
                asked = [faq["question"] for faq in fields.get(name, [])]
                yield from _entries(name, asked, wanted, lambda label, question: label == question)
            case "platforms":
                yield from _entries(name, fields.get(name, []), wanted, lambda label, platform: label == platform)
            case _:
                is_profile = name in PLATFORMS
                got = fields.get("socials", {}).get(name) if is_profile else fields.get(name)
                accepted = [_plain(one) for one in (wanted if isinstance(wanted, list) else [wanted])]
                is_right = got is not None and _plain(got) in accepted
                yield Compared(
                    name if name in {"github", "gitlab"} or not is_profile else "other profiles",
                    got,
                    wanted,
                    is_right,
                    f"socials.{name}" if is_profile else name,
                )


def _plain(value: Any) -> Any:
    return value.rstrip("./") if isinstance(value, str) else value


def _categories(given: list[str], wanted: list[str], accepted: set[str]) -> Iterator[Compared]:
    first = given[0] if given and (wanted or given[0] not in accepted) else None
    is_right = first in {*wanted, *accepted} and bool(wanted)
    yield Compared("first category", first, wanted[0] if wanted else None, is_right, f"categories.{first}")
    for slug in sorted({*given, *wanted} - (accepted - {*wanted})):
        got, expected = slug if slug in given else None, slug if slug in wanted else None
        yield Compared("categories", got, expected, bool(got and expected), f"categories.{slug}")


def _entries(name: str, given: list[str], wanted: list[str], is_same: Callable[[str, str], bool]) -> Iterator[Compared]:
    """Compare a list entry by entry. Of entries that are the same as one label, only the first is right."""
    left = list(wanted)
    for number, entry in enumerate(given):
        label = next((one for one in left if is_same(one, entry)), None)
        if label is not None:
            left.remove(label)
        yield Compared(name, entry, label, label is not None, f"{name}.{number}")
    for label in left:
        yield Compared(name, None, label, is_right=False)


@contextmanager
def uncalibrated() -> Iterator[None]:
    """Let drafts keep the confidence that orders readings."""
    with mock.patch("apps.drafts.proposals.propose.calibrate", lambda evidence: evidence):
        yield


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--wrong", action="store_true", help="list what is wrong or missing instead of the scores")
    shown.add_argument("--counts", action="store_true", help="print the counts that calibration.py measures by")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    wrong: list[tuple[str, Compared]] = []
    scores: defaultdict[str, Score] = defaultdict(Score)
    with uncalibrated() if options.counts else nullcontext():
        for folder in options.folders:
            for name, score in score_folder(folder, wrong=wrong).items():
                scores[name].join(score)
    if options.counts:
        for name, score in scores.items():
            counts = {low: (score.bands[low, True], score.bands[low, True] + score.bands[low, False]) for low in BANDS}
            sys.stdout.write(f'    "{name}": { ({low: count for low, count in counts.items() if count[1]}) },\n')
        return
    if options.wrong:
        for site, one in sorted(wrong, key=lambda pair: pair[1].field):
            sys.stdout.write(f"{one.field:18} {site:14} given {one.given!r}, expected {one.expected!r}\n")
        return
    for name, score in scores.items():
        sys.stdout.write(
            f"{name:18} precision {score.precision:.2f} of {score.given:3}   recall {score.recall:.2f} "
            f"of {score.expected:3}\n"
        )
    sys.stdout.write("\nright of given, by confidence (mean confidence)\n")
    for name, score in scores.items():
        sys.stdout.write(f"{name:18} {score.table}\n")


if __name__ == "__main__":
    main()
