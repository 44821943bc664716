"""Every relative link of the documentation leads to a file and a heading that exist."""

import re
from pathlib import Path

import pytest

from tests.config.support import PROJECT

PAGES = [*PROJECT.glob("*.md"), *PROJECT.glob("docs/**/*.md")]
_CODE = re.compile(r"```.*?```", re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def text_of(page: Path) -> str:
    """Return a page without its blocks of code."""
    return _CODE.sub("", page.read_text())


def anchors_of(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = (heading.strip().lower() for heading in _HEADING.findall(text_of(page)))
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in headings}


def is_good(link: str, *, page: Path) -> bool:
    """Return whether a link leads somewhere. Links to other hosts aren't followed."""
    if re.match(r"[a-z]+:", link):
        return True
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    return target.exists() and (not anchor or target.suffix != ".md" or anchor in anchors_of(target))


def test_nobody_is_told_to_install_another_project() -> None:
    """The package index has a `slipway` that isn't this one."""
    told = [*PAGES, *PROJECT.glob("apps/**/*.py"), *PROJECT.glob("config/**/*.py")]
    by_name = re.compile(r"""pip install ['"]?slipway(?!-\d)\b""")
    assert [
        str(path) for path in told if by_name.search(path.read_text().replace("Don't `pip install slipway`", ""))
    ] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    assert [link for link in _LINK.findall(text_of(page)) if not is_good(link, page=page)] == []


def test_the_check_finds_a_broken_link() -> None:
    page = PROJECT / "README.md"
    assert is_good("docs/architecture.md#the-life-of-a-draft", page=page)
    assert not is_good("docs/architecture.md#nowhere", page=page)
    assert not is_good("docs/nowhere.md", page=page)
