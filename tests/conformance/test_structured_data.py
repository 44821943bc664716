"""What pages tell search engines, checked against the vocabulary of schema.org."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from apps.sites.models import Site
from tests.conformance.npm import Packages
from tests.conformance.structured_data import complaints
from tests.heads import graph_of
from tests.public_pages import TEXTS, make_listing, paths, play

pytestmark = pytest.mark.db

# The kinds that search engines and assistants look for.
KINDS = {
    "Article",
    "BreadcrumbList",
    "CollectionPage",
    "FAQPage",
    "ProfilePage",
    "SoftwareApplication",
    "WebPage",
    "WebSite",
}
# A type's property at another one, a type that there is not inside another, and a text in place of a thing.
WRONG: list[dict[str, Any]] = [
    {"@type": "SoftwareApplication", "name": "Lathe", "jobTitle": "Founder"},
    {"@type": "WebPage", "mainEntity": {"@type": "Gadget", "name": "Lathe"}},
    {"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "positions": 1}]},
]


@pytest.mark.slow
def test_everything_is_said_by_the_words_of_schema_org(packages: Packages, site: Site, tmp_path: Path) -> None:
    result = []
    play(site)
    for slug, name in {"lathe": "plain", "hostile": "hostile"}.items():
        make_listing(site, slug, TEXTS[name])
        for path in paths(slug):
            result += graph_of(Client().get(path).content.decode())
    assert {thing["@type"] for thing in result} >= KINDS

    assert complaints(packages, tmp_path, result, wrong=WRONG) == []
