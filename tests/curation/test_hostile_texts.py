"""Nothing that people write into collections becomes markup, script, or text in another order than it is stored."""

import json
from typing import Any

import pytest
from lxml import html

from apps.accounts.models import User
from apps.curation.models import Collection
from apps.curation.services.collections import edit_collection
from tests.actors import in_browser
from tests.browsing import browser, signed_in
from tests.comments.test_hostile_texts import ALLOWED
from tests.contributions.hostile import STRINGS
from tests.curation.making import ids, make_collection, texts_of

pytestmark = pytest.mark.django_db


def no_handlers(page: Any) -> bool:
    return not [name for one in page.iter() for name in one.attrib if str(name).startswith(("on", "srcdoc"))]


@pytest.mark.slow
def test_hostile_names_descriptions_and_notes(author: User) -> None:
    """In turn on one collection: on its page, in lists, feeds and the author's forms."""
    collection = make_collection(author, number=3)
    listing = collection.items.all()[0].listing
    for text in STRINGS[:: len(STRINGS) // 24]:
        values: dict[str, Any] = {"name": f"a {text}"[:60], "description": text[:500], "is_public": True}
        notes = dict.fromkeys(ids(collection), text[:280])
        edit_collection(collection=collection, **values, notes=notes, by=in_browser(author))
        collection.refresh_from_db()
        assert collection.is_public
        for path in (collection.path, "/collections", listing.path, f"{collection.path}/edit", f"{listing.path}/save"):
            answer = signed_in(author).get(path)
            assert answer.status_code == 200, path
            page: Any = html.document_fromstring(answer.content.decode())
            assert no_handlers(page), (path, text)
            assert {one.tag for one in page.xpath("//*[@class='comment-text narrow']//*")} <= ALLOWED
            for link in page.xpath("//*[@class='comment-text narrow']//a"):
                assert {"nofollow", "ugc"} <= set(link.get("rel").split())
            for script in page.xpath("//script[@type='application/ld+json']"):
                assert json.loads(script.text)
        for kind in ("atom", "rss"):
            html.document_fromstring(browser().get(f"{collection.path}.{kind}").content)
        assert json.loads(browser().get(f"{collection.path}.json").content)


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("a\u202eb\u202cc tools", "abc tools"),
        ("ca\u200bsi\u200cno\u200d \u2060\ufeffnow", "casino now"),
        ("line\none\u2028two", "line one two"),
        ("\u2066evil\u2069   text", "evil text"),
        ("👩‍💻 tools", "👩‍💻 tools"),
    ],
)
def test_names_and_notes_are_one_clean_line(author: User, text: str, clean: str) -> None:
    collection = make_collection(author, text, number=1)
    [item] = ids(collection)
    edit_collection(collection=collection, **texts_of(collection), notes={item: text}, by=in_browser(author))
    assert Collection.objects.values_list("name", "items__note").get() == (clean, clean)
