"""Patterns of which strangers' pages decide how long they take."""

import re
from pathlib import Path

import pytest

APPS = Path(__file__).resolve().parents[2] / "apps"
POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{[\d,{}]+\})\+")
MODULES = [path for path in sorted(APPS.rglob("*.py")) if POSSESSIVE_GROUP.search(path.read_text())]


def test_modules_with_such_patterns_are_found() -> None:
    assert {"tree.py", "heads.py", "json_ld.py"} <= {path.name for path in MODULES}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_possessive_groups_are_matched_by_regex(path: Path) -> None:
    """Python before 3.11.5, such as Debian 12's, doesn't match them right (gh-106052)."""
    assert not re.search(r"^import re$", path.read_text(), re.M)
