"""The addresses that a founder shows on their page."""

from collections.abc import Iterable
from urllib.parse import quote

from apps.accounts.models import FounderProfile
from apps.core.errors import FieldProblem
from apps.core.fetch import FetchError, normalise_address

MAX_LINK = 300
# What people paste by mistake is told only its beginning.
_MAX_TOLD = 80
_IN_FRAGMENTS = "!$&'()*+,;=:@/?-._~%"


def read_links(lines: Iterable[str]) -> tuple[list[str], list[FieldProblem]]:
    """The addresses in their order, and what is wrong with the others; a missing scheme becomes https.

    Blank lines and repeated addresses are left out. Host names are kept in punycode, where look-alikes show.
    """
    links: list[str] = []
    problems = []
    for line in filter(None, (line.strip() for line in lines)):
        link = _https_address(line)
        if link is None:
            detail = f"{line[:_MAX_TOLD]} is not the https address of a public host, such as https://example.com/me."
            problems.append(FieldProblem("bad_address", detail, "/links"))
        elif len(link) > MAX_LINK:
            detail = f"{link[:_MAX_TOLD]}… has {len(link)} characters, at most {MAX_LINK} are taken."
            problems.append(FieldProblem("max_length", detail, "/links"))
        elif link not in links:
            links.append(link)
        if len(problems) == FounderProfile.MAX_LINKS:
            break
    if len(links) > FounderProfile.MAX_LINKS:
        detail = f"There are {len(links)} links, at most {FounderProfile.MAX_LINKS} are taken."
        problems.append(FieldProblem("max_links", detail, "/links"))
    return links, problems


def _https_address(line: str) -> str | None:
    address, _, fragment = line.partition("#")
    try:
        normal = normalise_address(address, allow_private=frozenset())
    except FetchError:
        return None
    if not normal.startswith("https://"):
        return None
    return f"{normal}#{quote(fragment, safe=_IN_FRAGMENTS, errors='replace')}" if fragment else normal
