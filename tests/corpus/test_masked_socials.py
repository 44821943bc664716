"""Profiles on other platforms, foretold from links alone where JSON-LD declares them.

Of each page of the corpus whose JSON-LD lists profiles of the site in `sameAs`, the JSON-LD is taken away, and what the
rest of the page leads to is held against it, platform by platform.
"""

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from apps.drafts.extraction import ReadPage, decode
from apps.drafts.extraction.company.social_profiles import find_profiles
from apps.drafts.extraction.document.addresses import absolute
from apps.drafts.extraction.document.json_ld import APPLICATION_TYPES, ORGANIZATION_TYPES, Node, strings, types_of
from apps.drafts.extraction.product.name import find_names
from apps.listings.fields.socials import profile_of
from tests.corpus.test_corpus import PAGES

SITE_TYPES = ORGANIZATION_TYPES | APPLICATION_TYPES | {"website"}
JSON_LD = re.compile(r"<script\b[^>]*ld\+json.*?</script>", re.DOTALL | re.IGNORECASE)

pytestmark = [
    pytest.mark.skipif(not PAGES.is_dir(), reason="the corpus of real pages is not beside this repository"),
    pytest.mark.slow,
    pytest.mark.xdist_group("corpus"),
]


class Score(NamedTuple):
    """Platforms that JSON-LD declares: how many, which of them the page links to, and what was foretold of them."""

    declared: int
    linked: int
    right: int
    wrong: int

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.right / self.declared

    @property
    def recall_of_linked(self) -> float:
        return self.right / self.linked

    def __str__(self) -> str:
        return (
            f"precision {self.precision:.2f}, recall {self.recall:.2f} of {self.declared} declared, "
            f"{self.recall_of_linked:.2f} of {self.linked} that the page links to"
        )


def opened(text: str, url: str) -> ReadPage:
    return ReadPage.open(text.encode(), url=url, content_type="text/html; charset=utf-8")


def site_nodes(page: ReadPage) -> Iterator[Node]:
    for node in page.document.json_ld.nodes:
        publisher = page.document.json_ld.resolve(node.get("publisher"))
        for part in (node, publisher):
            if isinstance(part, dict) and types_of(part) & SITE_TYPES:
                yield part


def declared(page: ReadPage) -> dict[str, set[str]]:
    """The addresses of the site's profiles by platform, as JSON-LD lists them."""
    result: defaultdict[str, set[str]] = defaultdict(set)
    for node in site_nodes(page):
        for value in strings(node.get("sameAs"), key="url", limit=40):
            address = absolute(value, page.url)
            if address and (profile := profile_of(address)):
                result[profile.platform].add(profile.address.lower())
    return dict(result)


def linked(page: ReadPage) -> set[str]:
    addresses = [address for address, _ in page.document.anchors]
    addresses += [f"https://x.com/{meta.content.lstrip('@')}" for meta in page.document.metas.get("twitter:site", ())]
    return {profile.address.lower() for address in addresses if (profile := profile_of(address))}


def foretold(page: ReadPage) -> dict[str, str]:
    names = find_names(page)
    profiles = find_profiles([page], name=names[0].value if names else None)
    return {platform: finds[0].value.lower() for platform, finds in profiles.items()}


@pytest.fixture(scope="module")
def score() -> Score:
    counts = {"declared": 0, "linked": 0, "right": 0, "wrong": 0}
    for row in json.loads((PAGES / "expected.json").read_text()):
        text = decode(gzip.decompress((PAGES / row["page"]).read_bytes()), content_type="")
        wanted = declared(opened(text, row["url"]))
        if not wanted:
            continue
        masked = opened(JSON_LD.sub("", text), row["url"])
        assert not masked.document.json_ld.nodes
        ours, present = foretold(masked), linked(masked)
        for platform, addresses in wanted.items():
            counts["declared"] += 1
            counts["linked"] += bool(addresses & present)
            counts["right"] += ours.get(platform) in addresses
            counts["wrong"] += platform in ours and ours[platform] not in addresses
    return Score(**counts)


def test_links_foretell_what_json_ld_declares(score: Score, record_property: Callable[[str, object], None]) -> None:
    record_property("masked socials", str(score))
    assert score.declared >= 25, score
    # The one that is wrong is a sister brand of the site in its menu.
    assert score.precision >= 0.95, str(score)
    assert score.recall_of_linked >= 0.95, str(score)
    # What the page does not link to at all cannot be foretold.
    assert score.recall >= 0.70, str(score)
