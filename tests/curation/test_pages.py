"""Collections in the browser: lists, feeds and owner's pages, and who sees which."""

import json
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from lxml import html

from apps.accounts.actors import SYSTEM
from apps.accounts.models import User
from apps.core.stores.valkey.counters import Limit
from apps.curation.models import Collection, CollectionItem
from apps.curation.services.collections import create_collection
from apps.curation.services.following import follow_collection
from apps.curation.services.moderation import remove_collection
from apps.curation.views import own
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.actors import in_browser
from tests.browsing import browser, signed_in
from tests.comments.people import trusted
from tests.curation.making import archive, ids, make_collection, put_into
from tests.factories import ListingFactory, SiteFactory, UserFactory, complete_profile
from tests.public_pages import sitemap_paths

pytestmark = pytest.mark.django_db


def page_of(client: Client, path: str, status: int = 200) -> Any:
    answer = client.get(path)
    assert answer.status_code == status, answer.content[:300]
    return html.document_fromstring(answer.content.decode())


def rows(page: Any) -> list[str]:
    return [part.text_content().strip() for part in page.xpath("//li[contains(@class, 'row')]//h2")]


def fields(page: Any, action: str) -> dict[str, Any]:
    [form] = [form for form in page.forms if form.action == action]
    sent: dict[str, list[str]] = {}
    for name, value in form.form_values():
        sent.setdefault(name, []).append(value)
    return sent


def names_in(collection: Collection) -> list[str]:
    return list(collection.items.values_list("listing__company__name", flat=True))


def test_visitors_see_the_order_the_notes_and_the_author(collection: Collection) -> None:
    profile = complete_profile(collection.author)
    profile.slug = "ada"
    profile.save()
    item = collection.items.get(pk=ids(collection)[1])
    item.note = "The one I use <b>daily</b>"
    item.save()
    page = page_of(browser(), collection.path)
    assert rows(page) == names_in(collection)
    assert item.note in page.text_content()
    # There is no founder page without a live listing.
    assert not page.xpath("//a[@href='/founders/ada']")
    ListingFactory.create(live=True, company__owner=collection.author)
    assert page_of(browser(), collection.path).xpath("//main//a[@href='/founders/ada']")
    assert page.xpath("//link[@rel='canonical']/@href")[0].endswith(collection.path)
    assert not page.xpath("//meta[@name='robots']")
    [graph] = [json.loads(part.text)["@graph"] for part in page.xpath("//script[@type='application/ld+json']")]
    listed = next(thing for thing in graph if thing["@type"] == "CollectionPage")["mainEntity"]
    assert [entry["name"] for entry in listed["itemListElement"]] == names_in(collection)
    image = page.xpath("//meta[@property='og:image']/@content")[0]
    assert browser().get(urlsplit(image).path)["Content-Type"] == "image/png"


def test_an_archived_listing_leaves_and_returns(collection: Collection) -> None:
    first = collection.items.all()[0].listing
    names = names_in(collection)
    archive(first)
    page = page_of(browser(), collection.path)
    assert rows(page) == names[1:]
    assert page.xpath("//meta[@name='robots']/@content") == ["noindex"]
    assert page_of(browser(), "/collections").xpath("//li[contains(@class, 'tile')]") == []
    assert collection.path not in sitemap_paths(browser())
    assert "Not public" in page_of(signed_in(collection.author), f"{collection.path}/edit").text_content()
    Listing.objects.filter(pk=first.pk).update(status="live")
    assert rows(page_of(browser(), collection.path)) == names
    assert collection.path in sitemap_paths(browser())


PRIVATE_PATHS = ("", ".md", ".atom", ".rss", ".json", "/preview.png", "/follow", "/edit", "/delete")


@pytest.mark.parametrize("state", ["private", "in_review", "removed"])
def test_what_is_not_public_is_its_authors(state: str, collection: Collection) -> None:
    if state == "removed":
        remove_collection(collection=collection, reason="An advertisement.", by=SYSTEM)
    else:
        author = UserFactory.create()
        collection = make_collection(author, "Hidden words", is_public=state == "in_review")
        put_into(collection, *ListingFactory.create_batch(3, live=True))
    collection.refresh_from_db()
    assert collection.status == state
    for user in (None, UserFactory.create(), UserFactory.create(is_staff=True)):
        client = signed_in(user) if user else browser()
        for ending in PRIVATE_PATHS:
            answer = client.get(f"{collection.path}{ending}")
            is_form = ending in {"/edit", "/delete"} and user is None
            assert answer.status_code == (302 if is_form else 404), ending
        # A wrong slug doesn't lead to the right one.
        assert client.get(f"/collections/{collection.pk}-x").status_code == 404
        for path in ("/collections", "/sitemap-collections.xml", collection.items.all()[0].listing.path):
            assert collection.name not in client.get(path).content.decode()
    owner = signed_in(collection.author)
    page = page_of(owner, collection.path)
    assert rows(page) == names_in(collection)
    assert page.xpath("//meta[@name='robots']/@content") == ["noindex"]
    assert not page.xpath("//link[@rel='canonical' or @rel='alternate']")
    for ending in ("", ".md"):
        said = owner.get(f"{collection.path}{ending}").get("Cache-Control", "")
        assert "public" not in said
    for ending in (".atom", ".rss", ".json", "/preview.png"):
        assert owner.get(f"{collection.path}{ending}").status_code == 404
    assert ("An advertisement." in page.text_content()) == (state == "removed")


def test_another_slug_and_another_site(collection: Collection) -> None:
    assert browser().get(f"/collections/{collection.pk}-old")["Location"] == collection.path
    assert browser().get(f"/collections/{10**30}-x").status_code == 404
    other = SiteFactory.create()
    for ending in ("", ".atom", "/preview.png", "/edit"):
        client = Client(headers={"host": other.host})
        client.force_login(collection.author)
        assert client.get(f"{collection.path}{ending}").status_code == 404


def test_the_list_has_the_newest_or_the_most_followed(author: User) -> None:
    first, second = (make_collection(author, name, number=3) for name in ("First", "Second"))
    make_collection(author, "Small", number=2)
    follow_collection(collection=first, by=in_browser(UserFactory.create()))
    names = "//li[contains(@class, 'tile')]//h2"
    assert [part.text_content() for part in page_of(browser(), "/collections").xpath(names)] == ["Second", "First"]
    page = page_of(browser(), "/collections?sort=followed")
    assert [part.text_content() for part in page.xpath(names)] == ["First", "Second"]
    assert page.xpath("//meta[@name='robots']/@content") == ["noindex"]
    assert "1 follower" in page.text_content()
    assert {second.path, first.path, "/collections"} <= set(sitemap_paths(browser()))


def test_the_list_has_pages(author: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.curation.views.collections.PER_PAGE", 2)
    for number in range(3):
        make_collection(author, f"Number {number}", number=3)
    page = page_of(browser(), "/collections")
    [following] = page.xpath("//a[@rel='next']/@href")
    assert page_of(browser(), following).xpath("//li[contains(@class, 'tile')]//h2")[0].text_content() == "Number 0"


def test_the_feed_has_what_was_added_last(collection: Collection, listing: Listing) -> None:
    put_into(collection, listing)
    for kind in ("atom", "rss", "json"):
        answer = browser().get(f"{collection.path}.{kind}")
        text = answer.content.decode()
        places = [text.index(name) for name in reversed(names_in(collection))]
        assert places == sorted(places)
        assert "Ada Example" in text
    archive(listing)
    assert "Acme" not in browser().get(f"{collection.path}.atom").content.decode()


def test_a_listing_names_its_most_followed_collections(author: User, listing: Listing) -> None:
    made = [make_collection(author, f"Number {number}") for number in range(4)]
    for collection in (*made, make_collection(author, "Private one", is_public=False)):
        put_into(collection, listing)
    follow_collection(collection=made[0], by=in_browser(UserFactory.create()))
    page = page_of(browser(), listing.path)
    shown = page.xpath("//section[@aria-labelledby='collections']//strong")
    assert [part.text_content() for part in shown] == ["Number 0", "Number 3", "Number 2"]
    assert "Save" in page.xpath(f"//a[@href='{listing.path}/save']")[0].text_content()
    assert "/save" not in signed_in(author).get("/").content.decode()


def test_a_visitor_signs_in_and_saves(listing: Listing, author: User) -> None:
    answer = browser().get(f"{listing.path}/save")
    assert answer["Location"] == f"/account/sign-up?next={listing.path}/save"
    client = signed_in(author)
    path = f"{listing.path}/save"
    sent = fields(page_of(client, path), path)
    assert client.post(path, {**sent, "name": "Ship log"})["Location"] == listing.path
    made = Collection.objects.get()
    assert (made.name, made.status) == ("Ship log", "private")
    page = page_of(client, path)
    assert fields(page, path)["collection"] == [str(made.pk)]
    client.post(path, {"shown": [made.pk], "next": "//evil.example/"})
    assert not CollectionItem.objects.exists()


def test_a_refused_name_keeps_the_choice(listing: Listing, author: User) -> None:
    collection = make_collection(author)
    answer = signed_in(author).post(
        f"{listing.path}/save", {"collection": [collection.pk], "shown": [collection.pk], "name": "ab"}
    )
    assert answer.status_code == 422
    page: Any = html.document_fromstring(answer.content.decode())
    assert page.xpath("//input[@name='name']")[0].get("aria-invalid") == "true"
    assert fields(page, f"{listing.path}/save")["collection"] == [str(collection.pk)]
    assert not CollectionItem.objects.exists()


def test_a_listing_of_another_site_or_in_no_state_to_be_saved(author: User, listing: Listing) -> None:
    elsewhere = ListingFactory.create(live=True, site=SiteFactory.create(), slug="elsewhere")
    draft = ListingFactory.create()
    for one in (elsewhere, draft):
        for ask in (signed_in(author).get, signed_in(author).post):
            assert ask(f"{one.path}/save").status_code == 404


def test_an_author_edits_without_javascript(collection: Collection) -> None:
    client, path = signed_in(collection.author), f"{collection.path}/edit"
    first, second, third = ids(collection)
    sent = fields(page_of(client, path), path)
    assert sent["item"] == [str(first), str(second), str(third)]
    sent |= {"name": ["Loud tools"], "note": ["One", "", "Three"], "move": [f"later {first}"]}
    assert client.post(path, sent)["Location"] == path
    collection.refresh_from_db()
    assert (collection.name, collection.status) == ("Loud tools", "public")
    assert list(collection.items.values_list("pk", "note")) == [(second, ""), (first, "One"), (third, "Three")]
    sent = fields(page_of(client, path), path)
    client.post(path, {**sent, "remove": [str(first)], "move": f"earlier {third}"})
    assert ids(collection) == [second, third]
    client.post(path, {**sent, "item": [str(third)], "is_public": []})
    collection.refresh_from_db()
    assert (collection.status, ids(collection)) == ("private", [third, second])


def test_a_refused_edit_keeps_everything(collection: Collection) -> None:
    client, path = signed_in(collection.author), f"{collection.path}/edit"
    first, second, third = ids(collection)
    sent = {"name": "ab", "description": "Words", "item": [third, first, second], "note": ["", "x" * 281, ""]}
    answer = client.post(path, {**sent, "remove": [second]})
    assert answer.status_code == 422
    shown = fields(html.document_fromstring(answer.content.decode()), path)
    assert shown["item"] == [str(third), str(first), str(second)]
    assert shown["note"] == ["", "x" * 281, ""]
    assert shown["remove"] == [str(second)]
    assert (shown["name"], [text.strip() for text in shown["description"]]) == (["ab"], ["Words"])
    assert ids(collection) == [first, second, third]


@pytest.mark.parametrize(
    "sent",
    [
        {"item": ["x", "-1", "", str(10**40), "１"], "note": ["a"], "remove": ["y"], "move": "later"},
        {"item": ["0"] * 50, "note": ["n"] * 80, "move": "sideways 0", "remove": [str(10**18)]},
    ],
)
def test_odd_ids_change_nothing(collection: Collection, sent: dict[str, Any]) -> None:
    before = list(collection.items.values())
    answer = signed_in(collection.author).post(
        f"{collection.path}/edit", {"name": "Quiet tools", "is_public": "on", **sent}
    )
    assert answer.status_code == 302
    assert list(collection.items.values()) == before


def test_strangers_have_no_form(collection: Collection, listing: Listing) -> None:
    stranger = signed_in(trusted())
    for ending in ("edit", "delete"):
        for ask in (stranger.get, stranger.post):
            assert ask(f"{collection.path}/{ending}").status_code == 404
    stranger.post(f"{listing.path}/save", {"collection": [collection.pk], "shown": [collection.pk]})
    assert len(ids(collection)) == 3


def test_an_author_creates_and_deletes(author: User) -> None:
    client = signed_in(author)
    assert client.post("/collections/new", {"name": " \u200b "}).status_code == 422
    answer = client.post("/collections/new", {"name": "Ship log", "description": "Words", "is_public": "on"})
    made = Collection.objects.get()
    assert answer["Location"] == f"{made.path}/edit"
    assert "Ship log" in page_of(client, "/account/collections").text_content()
    assert "for good" in page_of(client, f"{made.path}/delete").text_content()
    client.post(f"{made.path}/delete")
    assert not Collection.objects.exists()


def test_a_new_account_learns_that_its_collection_is_read(site: Site) -> None:
    client = signed_in(UserFactory.create())
    page = client.post("/collections/new", {"name": "Ship log", "is_public": "on"}, follow=True)
    assert b"A moderator reads your collection" in page.content
    assert b"In review" in client.get("/account/collections").content


def test_floods_are_refused(author: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "CHANGES_AN_HOUR", Limit(f"collections-{author.pk}", 2, 3600))
    codes = [signed_in(author).post("/collections/new", {"name": f"Number {one}"}).status_code for one in range(3)]
    assert codes == [302, 302, 429]


def test_collections_of_another_site_are_not_offered(author: User, listing: Listing) -> None:
    create_collection(site=SiteFactory.create(), name="Elsewhere", by=in_browser(author))
    for path in ("/account/collections", f"{listing.path}/save"):
        assert "Elsewhere" not in page_of(signed_in(author), path).text_content()
