"""The stylesheet has no rule that nothing uses, and no token that is not there."""

import re
from itertools import chain

from django.conf import settings

_ROOT = settings.BASE_DIR
_CSS = re.sub(r"/\*.*?\*/", "", (_ROOT / "static" / "site.css").read_text("utf-8"), flags=re.DOTALL)
_SELECTORS = re.findall(r"([^{};]+)\{", _CSS)


def _used() -> set[str]:
    """Every word of what makes pages; a word that a template ends itself, as `pill-{{ state }}`, ends with its dash."""
    sources = chain(
        _ROOT.glob("templates/**/*.html"), _ROOT.glob("static/*.js"), _ROOT.glob("apps/**/*.py")
    )  # fmt: skip
    return set(chain.from_iterable(re.findall(r"[\w-]+", path.read_text("utf-8")) for path in sources))


def _is_used(name: str, words: set[str]) -> bool:
    composed = (name[: end + 1] for end, letter in enumerate(name) if letter == "-")
    # htmx gives this one itself.
    return name in words or name == "htmx-request" or any(part in words for part in composed)


def test_every_class_is_used_somewhere() -> None:
    words = _used()
    classes = set(re.findall(r"\.([a-zA-Z][\w-]*)", " ".join(_SELECTORS)))
    assert classes
    assert {name for name in classes if not _is_used(name, words)} == set()


def test_every_token_is_there() -> None:
    declared, used = set(re.findall(r"(--[\w-]+):", _CSS)), set(re.findall(r"var\((--[\w-]+)", _CSS))
    assert used <= declared
    # The page of the design shows the colors by names of its own.
    shown = (_ROOT / "apps" / "developers" / "design.py").read_text("utf-8")
    assert {name for name in declared - used if f'"{name[2:]}"' not in shown} == set()


def test_every_rule_is_in_a_layer() -> None:
    depth, outside = 0, []
    for part in re.split(r"([{}])", _CSS):
        if part == "{":
            depth += 1
        elif part == "}":
            depth -= 1
        elif depth == 0 and part.strip():
            outside.append(part.strip().splitlines()[-1].split()[0])
    # What a person has asked of the browser stands above every layer.
    assert set(outside) <= {"@layer", "@font-face", "@media"}
