"""Words that docs/glossary.md retires are used nowhere: in no page, email, error, API text, script or document."""

import ast
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from apps.core.api import schema
from apps.core.api.problems import known_problems

PROJECT = Path(__file__).resolve().parents[1]
GLOSSARY = PROJECT / "docs/glossary.md"
# Migrations repeat the texts of models.
REPEATED = frozenset({"migrations"})


def _rows(heading: str) -> Iterator[list[str]]:
    """The rows of the table under a heading of the glossary."""
    section = GLOSSARY.read_text().split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    for line in lines[2:]:
        yield [cell.strip() for cell in line.strip("|").split("|")]


RETIRED = [word.strip() for row in _rows("Retired words") for word in row[0].split(",")]
EXCEPTIONS = {(row[0].strip("`"), row[1]) for row in _rows("Exceptions")}
PATTERN = re.compile(rf"\b(?:{'|'.join(map(re.escape, RETIRED))})\b", re.IGNORECASE)
IN_SOURCE = re.compile(PATTERN.pattern.replace(r"\-", " ").lower())


def retired_words(text: str, *, where: str) -> set[str]:
    """The retired words of a text, without what is code in it and without the exceptions of its file."""
    prose = re.sub(r"```.*?```|`[^`\n]*`", " ", text, flags=re.DOTALL)
    result = {match[0].lower() for match in PATTERN.finditer(" ".join(prose.split()))}
    return {word for word in result if (where, word) not in EXCEPTIONS}


def _descriptions(node: Any) -> Iterator[str]:
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for name, child in children:
        if name in {"description", "summary"} and isinstance(child, str):
            yield child
        elif name not in {"examples", "example"}:
            yield from _descriptions(child)


def _documentation() -> list[Path]:
    return [*PROJECT.glob("*.md"), *(path for path in PROJECT.glob("docs/**/*.md") if path != GLOSSARY)]


def _strings(path: Path) -> Iterator[str]:
    """The texts of a module that are not docstrings."""
    tree = ast.parse(path.read_text())
    docstrings = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


def _remarks(path: Path) -> Iterator[str]:
    """The docstrings of a module, and its comments with those that continue on the next line."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value
    comments: list[tuple[int, str]] = []
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type != tokenize.COMMENT:
                continue
            line, text = token.start[0], token.string.lstrip("# ")
            if comments and comments[-1][0] == line - 1:
                comments[-1] = (line, f"{comments[-1][1]} {text}")
            else:
                comments.append((line, text))
    yield from (text for _, text in comments)


@cache
def _modules(*folders: str) -> list[Path]:
    """The modules that may use a retired word: to parse all of them takes seconds."""
    modules = [path for folder in folders for path in PROJECT.glob(f"{folder}/**/*.py")]
    assert len(modules) > 400
    return [path for path in modules if not REPEATED & set(path.parts) and _may_use_one(path.read_text())]


def _may_use_one(source: str) -> bool:
    """Whether the words of a retired one follow each other in a source, whatever is between them."""
    return bool(IN_SOURCE.search(re.sub(r"(?:\\[nrt]|\W)+", " ", source.lower())))


def _templates() -> list[Path]:
    return [path for path in PROJECT.glob("templates/**/*") if path.suffix in {".html", ".txt"}]


def _shown(template: str) -> str:
    """What a template shows: its text, and the texts of tags and attributes, without codes in quotes."""
    text = re.sub(r"{#.*?#}|{% comment %}.*?{% endcomment %}|<code>[^<]*</code>", " ", template, flags=re.DOTALL)
    return re.sub(r"""(["'])[\w./#-]*\1""", " ", text)


def _scripts() -> list[Path]:
    return list(PROJECT.glob("static/*.js"))


def _words_of(script: str) -> Iterator[str]:
    """The texts in quotes of a script that are not one code."""
    for match in re.finditer(r"""(["'`])((?:(?!\1).)*)\1""", script):
        if " " in match[2]:
            yield match[2]


def test_the_check_finds_a_retired_word() -> None:
    assert retired_words("Write to the site team.", where="x") == {"site team"}
    assert retired_words("The status `cancelled` is code.", where="x") == set()
    assert len(RETIRED) > 20


def test_the_api_uses_no_retired_word() -> None:
    assert {text for text in _descriptions(schema.document()) if retired_words(text, where="openapi")} == set()
    assert {kind.title for kind in known_problems() if retired_words(kind.title, where="problems")} == set()


@pytest.mark.parametrize("path", _documentation(), ids=lambda path: str(path.relative_to(PROJECT)))
def test_the_documentation_uses_no_retired_word(path: Path) -> None:
    assert retired_words(path.read_text(), where=str(path.relative_to(PROJECT))) == set()


@pytest.mark.slow
def test_texts_in_code_use_no_retired_word() -> None:
    """Errors, messages, labels, help texts and what commands print. A text that is one word is a code."""
    result = {
        f"{path.relative_to(PROJECT)}: {text}"
        for path in _modules("apps", "config")
        for text in _strings(path)
        if " " in text.strip() or text[:1].isupper()
        if retired_words(text, where=str(path.relative_to(PROJECT)))
    }
    assert result == set()


@pytest.mark.slow
def test_docstrings_and_comments_use_no_retired_word() -> None:
    result = {
        f"{path.relative_to(PROJECT)}: {text}"
        for path in _modules("apps", "config", "tests")
        for text in _remarks(path)
        if retired_words(text, where=str(path.relative_to(PROJECT)))
    }
    assert result == set()


def test_the_check_reads_docstrings_and_comments(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('"""Of the site team."""\n\n# Two at\n# once.\ncount = 1  # a guess\n')
    assert [retired_words(text, where="x") for text in _remarks(module)] == [{"site team"}, {"at once", "a guess"}]


@pytest.mark.parametrize(
    "source",
    [
        "# Of the site\n    # team.",
        '("site "\n    "team")',
        r'"site\nteam"',
        'f"{of} Site  team"',
        '"""Site\nteam."""',
        "x = 'E-mail'",
    ],
)
def test_a_module_that_uses_a_retired_word_is_read(source: str) -> None:
    assert _may_use_one(source)


def test_a_module_without_a_retired_word_is_skipped() -> None:
    assert not _may_use_one("site_team = 'the site'")


def test_templates_use_no_retired_word() -> None:
    """Pages and emails."""
    templates = _templates()
    assert len(templates) > 300
    result = {
        str(path.relative_to(PROJECT)): retired_words(_shown(path.read_text()), where=str(path.relative_to(PROJECT)))
        for path in templates
    }
    assert {path: words for path, words in result.items() if words} == {}


def test_scripts_use_no_retired_word() -> None:
    scripts = _scripts()
    assert "Copied" in "".join(path.read_text() for path in scripts)
    result = {
        f"{path.relative_to(PROJECT)}: {text}"
        for path in scripts
        for text in _words_of(path.read_text())
        if retired_words(text, where=str(path.relative_to(PROJECT)))
    }
    assert result == set()


def test_the_check_reads_what_a_template_shows() -> None:
    assert retired_words(_shown('<p title="E-mails you get">{{ text }}</p>'), where="x") == {"e-mails"}
    assert retired_words(_shown('{% if order.status == "cancelled" %}Canceled{% endif %}'), where="x") == set()


def test_every_exception_is_used_and_has_a_reason() -> None:
    assert all(row[2] for row in _rows("Exceptions"))
    for where, word in EXCEPTIONS:
        assert re.search(rf"\b{re.escape(word)}\b", (PROJECT / where).read_text(), re.IGNORECASE), (where, word)
