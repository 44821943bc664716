"""The editor, when others changed the listing since it was opened."""

from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.listings.models import Company, Listing, ListingVersion
from apps.listings.services.editing import update_my_listing
from tests.browsing import signed_in
from tests.listings.owner.browsing import HOSTILE, by, form_of, html_of
from tests.racing import run_at_once

pytestmark = pytest.mark.django_db


def test_what_an_assistant_changed_meanwhile_stays(browser: Client, person: User, listing: Listing) -> None:
    sent = form_of(browser, listing) | {"headline": "Mine"}
    update_my_listing(listing=listing, fields={"summary": "Of the assistant", "city": "Riga"}, by=by(person))
    assert browser.post(f"{listing.path}/edit", sent).status_code == 302
    listing = Listing.objects.select_related("company").get(pk=listing.pk)
    assert (listing.headline, listing.summary, listing.company.city) == ("Mine", "Of the assistant", "Riga")


def test_two_edits_of_one_field_are_a_conflict_with_both_values(
    browser: Client, person: User, listing: Listing
) -> None:
    sent = form_of(browser, listing) | {"headline": "Mine", "audience": "Teams"}
    update_my_listing(listing=listing, fields={"headline": f"Theirs {HOSTILE}"}, by=by(person))
    answer = browser.post(f"{listing.path}/edit", sent)
    assert answer.status_code == 409
    html = html_of(answer)
    assert "Theirs &lt;script&gt;" in html
    assert HOSTILE not in html
    form = answer.context["form"]
    assert (form["headline"].value(), list(form.conflicts)) == ("Mine", ["headline"])
    listing.refresh_from_db()
    assert listing.headline.startswith("Theirs")
    assert Company.objects.get().audience == ""

    sent["opened"] = answer.context["opened"]
    assert browser.post(f"{listing.path}/edit", sent).status_code == 302
    listing.refresh_from_db()
    assert (listing.headline, Company.objects.get().audience) == ("Mine", "Teams")


@pytest.mark.slow
def test_what_others_wrote_can_be_taken_over(browser: Client, person: User, listing: Listing) -> None:
    sent = form_of(browser, listing) | {"headline": "Mine", "audience": "Teams"}
    update_my_listing(listing=listing, fields={"headline": "Theirs"}, by=by(person))
    page = browser.post(f"{listing.path}/edit", sent | {"take_saved": "headline"})
    assert page.context["form"]["headline"].value() == "Theirs"
    assert page.context["form"]["audience"].value() == "Teams"
    sent |= {"headline": "Theirs", "opened": page.context["opened"]}
    assert browser.post(f"{listing.path}/edit", sent).status_code == 302
    listing.refresh_from_db()
    assert (listing.headline, Company.objects.get().audience) == ("Theirs", "Teams")


def test_profiles_of_two_edits_are_put_together(browser: Client, person: User, listing: Listing) -> None:
    sent = form_of(browser, listing) | {"new_platform": "x", "new_address": "https://x.com/acme"}
    theirs = {"github": "https://github.com/acme"}
    update_my_listing(listing=listing, fields={"socials": theirs}, by=by(person))
    assert browser.post(f"{listing.path}/edit", sent).status_code == 302
    assert Company.objects.get().socials == theirs | {"x": "https://x.com/acme"}


@pytest.mark.slow
def test_a_profile_that_others_removed_can_be_put_back(browser: Client, person: User, listing: Listing) -> None:
    Company.objects.update(socials={"x": "https://x.com/acme"})
    sent = form_of(browser, listing) | {"social_x": "https://x.com/acme_new"}
    update_my_listing(listing=listing, fields={"socials": {}}, by=by(person))
    answer = browser.post(f"{listing.path}/edit", sent)
    assert (answer.status_code, list(answer.context["form"].conflicts)) == (409, ["socials.x"])
    assert browser.post(f"{listing.path}/edit", sent | {"opened": answer.context["opened"]}).status_code == 302
    assert Company.objects.get().socials == {"x": "https://x.com/acme_new"}


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_of_two_forms_sent_at_once_one_is_told_of_the_other(person: User, listing: Listing) -> None:
    browsers = [signed_in(person), signed_in(person)]
    forms = [form_of(client, listing) | {"headline": f"Of window {number}"} for number, client in enumerate(browsers)]

    def send(client: Client, sent: dict[str, Any]) -> int:
        return client.post(f"{listing.path}/edit", sent).status_code

    answers = run_at_once(*[lambda pair=pair: send(*pair) for pair in zip(browsers, forms, strict=True)])
    assert sorted(answers) == [302, 409]
    assert ListingVersion.objects.exclude(changes=[]).count() == 1


@pytest.mark.parametrize("opened", ["", "{}", "[]", "null", '{"headline": 1}', "\x00", "{" * 100, "[" * 100_000])
def test_a_form_without_its_marks_overwrites_nothing(browser: Client, listing: Listing, opened: str) -> None:
    answer = browser.post(f"{listing.path}/edit", {"headline": "Mine", "opened": opened})
    assert answer.status_code == 409
    before = listing.headline
    listing.refresh_from_db()
    assert listing.headline == before
