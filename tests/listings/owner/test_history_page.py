"""The version history as its owner reads it."""

from typing import Any

import pytest
from django.test import Client
from lxml.html import document_fromstring

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.listings.models import Company, CompanyPicture, Listing, ListingVersion
from apps.listings.services.editing import update_my_listing
from tests.browsing import signed_in
from tests.factories import ListingFactory, UserFactory
from tests.listings.owner.browsing import by, html_of

pytestmark = pytest.mark.django_db


def test_the_history_says_who_by_what_and_what(browser: Client, person: User, listing: Listing) -> None:
    long = " ".join(f"word{number}" for number in range(200))
    steps: list[tuple[Actor, dict[str, Any]]] = [
        (Actor(user=person, via="browser"), {"headline": "The quick brown fox"}),
        (Actor(user=person, via="key", credential="Build script"), {"headline": "The quick red fox"}),
        (by(person), {"description": long, "tags": ["one", "two"]}),
        (Actor(user=UserFactory.create(name="Team Member", is_staff=True), via="admin"), {"tags": ["two", "three"]}),
        (by(person), {"description": long.replace("word100", "changed"), "city": "Riga"}),
    ]
    for actor, fields in steps:
        update_my_listing(listing=Listing.objects.get(pk=listing.pk), fields=fields, by=actor)
    html = html_of(browser.get(f"{listing.path}/history"))
    for text in ("in the browser", "with the API key Build script", "by An assistant", "A site admin", "All sites"):
        assert text in html
    assert "Team Member" not in html
    assert "<del>brown</del><ins>red</ins>" in html
    assert "<del>word100</del><ins>changed</ins>" in html
    assert "<del>one</del>" in html
    assert "<ins>three</ins>" in html
    assert html.index("Riga") < html.index("Build script")


@pytest.mark.slow
def test_the_history_is_paged(browser: Client, person: User, listing: Listing) -> None:
    def edit(number: int) -> None:
        fresh = Listing.objects.select_related("company").get(pk=listing.pk)
        actor = Actor(user=UserFactory.create(), via="admin") if number % 2 else by(person)
        update_my_listing(listing=fresh, fields={"headline": f"Headline {number}", "city": f"City {number}"}, by=actor)

    for number in range(30):
        edit(number)
    first = html_of(browser.get(f"{listing.path}/history"))
    assert first.count("<article") == 10
    assert "<ins>29</ins>" in first
    assert "<ins>19</ins>" not in first
    assert "?page=2" in first
    assert "<ins>5</ins>" in html_of(browser.get(f"{listing.path}/history?page=3"))


def test_pictures_are_shown(browser: Client, person: User, listing: Listing, settings: Any) -> None:
    old, new = "https://acme.example/old.png", f"{settings.PUBLIC_BASE_URL}/pictures/{'b' * 32}/512.jpg"
    update_my_listing(listing=listing, fields={"logo_url": old, "screenshots": [old]}, by=by(person))
    for field, key in (("logo_url", "a"), ("screenshots", "c")):
        CompanyPicture.objects.filter(field=field).update(key=f"pictures/{key * 32}", width=640, download_at=None)
    CompanyPicture.objects.create(
        company=listing.company, field="logo_url", url=new, key=f"pictures/{'b' * 32}", width=512, is_listed=False
    )
    update_my_listing(listing=listing, fields={"logo_url": new, "screenshots": []}, by=by(person))
    page: Any = document_fromstring(browser.get(f"{listing.path}/history").content)
    shown = [
        (element.tag, element.text_content(), element.xpath("string(img/@src)"))
        for element in page.xpath("(//article)[1]//*[self::ins or self::del]")
    ]
    assert shown == [
        ("del", old, f"/pictures/{'a' * 32}/192.webp"),
        ("ins", "Upload", f"/pictures/{'b' * 32}/192.webp"),
        # Its files are deleted.
        ("del", old, ""),
    ]


def test_the_history_of_others_does_not_show(browser: Client, person: User, listing: Listing) -> None:
    other = ListingFactory.create(live=True)
    update_my_listing(listing=other, fields={"headline": "Of another company"}, by=by(other.company.owner))
    assert "Of another company" not in html_of(browser.get(f"{listing.path}/history"))


# ---- restoring ----
def restore_path(listing: Listing, version: ListingVersion) -> str:
    return f"{listing.path}/versions/{version.pk}/restore"


def edited(listing: Listing, person: User, **fields: Any) -> None:
    update_my_listing(listing=Listing.objects.get(pk=listing.pk), fields=fields, by=by(person))


def test_an_owner_restores_texts_after_seeing_what_changes(browser: Client, person: User, listing: Listing) -> None:
    edited(listing, person, headline="First", city="Riga")
    edited(listing, person, headline="Second", city="Oslo")
    first, second = ListingVersion.objects.filter(listing=listing).exclude(changes=[]).order_by("id")
    page = html_of(browser.get(f"{listing.path}/history"))
    assert restore_path(listing, first) in page
    assert restore_path(listing, second) not in page
    confirmation = browser.get(restore_path(listing, first))
    assert "<del>Second</del><ins>First</ins>" in html_of(confirmation)
    listing.refresh_from_db()
    assert listing.headline == "Second"
    answer = browser.post(restore_path(listing, first), {"newest": confirmation.context["restoring"].newest})
    assert answer.headers["Location"] == f"{listing.path}/history"
    listing.refresh_from_db()
    assert (listing.headline, listing.company.city) == ("First", "Oslo")
    newest = ListingVersion.objects.order_by("-id")[0]
    assert (newest.restored_from, newest.author, newest.via) == (first, person, "browser")
    assert "Restored from" in html_of(browser.get(f"{listing.path}/history"))


def test_an_owner_restores_facts_of_all_sites(browser: Client, person: User, listing: Listing) -> None:
    edited(listing, person, city="Riga")
    edited(listing, person, city="Oslo")
    facts = ListingVersion.objects.filter(listing=None).exclude(changes=[]).earliest("id")
    confirmation = browser.get(restore_path(listing, facts))
    assert "on all sites" in html_of(confirmation)
    browser.post(restore_path(listing, facts), {"newest": confirmation.context["restoring"].newest})
    assert Company.objects.get(pk=listing.company_id).city == "Riga"


@pytest.mark.parametrize("sent", [{}, {"newest": "x"}, {"newest": "0"}])
def test_what_changed_since_the_page_was_opened_is_shown_first(
    browser: Client, person: User, listing: Listing, sent: dict[str, str]
) -> None:
    edited(listing, person, headline="First")
    edited(listing, person, headline="Second")
    first = ListingVersion.objects.filter(listing=listing).exclude(changes=[]).earliest("id")
    answer = browser.post(restore_path(listing, first), sent)
    assert answer.status_code == 409
    assert "Not restored" in html_of(answer)
    listing.refresh_from_db()
    assert listing.headline == "Second"


def test_a_version_without_a_required_text_is_refused_by_its_name(
    browser: Client, person: User, listing: Listing
) -> None:
    Listing.objects.filter(pk=listing.pk).update(headline="")
    edited(listing, person, headline="Written at last", tags=["one"])
    beginning = ListingVersion.objects.get(listing=listing, changes=[])
    newest = ListingVersion.objects.latest("id")
    answer = browser.post(restore_path(listing, beginning), {"newest": newest.pk})
    assert answer.status_code == 422
    assert "Headline: " in html_of(answer)
    listing.refresh_from_db()
    assert (listing.headline, listing.tags) == ("Written at last", ["one"])


def test_nobody_else_restores_and_no_version_of_others(browser: Client, person: User, listing: Listing) -> None:
    edited(listing, person, headline="First")
    edited(listing, person, headline="Second")
    mine = ListingVersion.objects.filter(listing=listing).exclude(changes=[]).earliest("id")
    other = ListingFactory.create(live=True, headline="Theirs")
    update_my_listing(listing=other, fields={"headline": "New"}, by=by(other.company.owner))
    theirs = ListingVersion.objects.filter(listing=other).earliest("id")
    sent = {"newest": ListingVersion.objects.filter(listing=listing).latest("id").pk}
    assert browser.get(restore_path(listing, theirs)).status_code == 404
    assert browser.post(restore_path(listing, theirs), sent).status_code == 404
    assert signed_in(UserFactory.create()).post(restore_path(listing, mine), sent).status_code == 404
    Listing.objects.filter(pk=listing.pk).update(status="rejected", status_reason="No product.")
    assert "/restore" not in html_of(browser.get(f"{listing.path}/history"))
    assert browser.post(restore_path(listing, mine), sent).headers["Location"] == f"{listing.path}/manage"
    assert set(Listing.objects.values_list("headline", flat=True)) == {"Second", "New"}
