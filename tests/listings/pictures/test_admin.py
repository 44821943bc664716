"""Logos and screenshots on the admin pages of companies and listings."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from apps.listings.models import CompanyPicture, Listing
from tests.browsing import staff
from tests.factories import CompanyFactory
from tests.listings.test_admin import form_of
from tests.pictures import SCRIPT, picture

pytestmark = pytest.mark.db


def address_of(listing: Listing) -> str:
    return reverse("admin:listings_company_change", args=[listing.company.pk])


def save(team: Client, listing: Listing, **files: list[bytes]) -> Any:
    address = address_of(listing)
    values = {name: value for name, value in form_of(team, address).items() if not name.endswith("_files")}
    values.pop("logo_file", None)
    sent = {name: [SimpleUploadedFile(f"{n}.png", data) for n, data in enumerate(all_)] for name, all_ in files.items()}
    return team.post(address, {**values, **sent})


def test_uploads_are_stored_and_shown(team: Client, listing: Listing) -> None:
    answer = save(team, listing, logo_file=[picture()], screenshot_files=[picture(size=(800, 500))] * 2)
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    listing.company.refresh_from_db()
    stored = {row.url: row for row in CompanyPicture.objects.all()}
    assert all(row.is_listed and row.key for row in stored.values())
    assert {listing.company.logo_url, *listing.company.screenshots} == set(stored)
    assert listing.company.logo_key == stored[listing.company.logo_url].key
    for page in (address_of(listing), reverse("admin:listings_listing_change", args=[listing.pk])):
        text = team.get(page).content.decode()
        assert all(row.thumb_path in text for row in stored.values())


def test_refused_files_are_named_and_nothing_is_stored(team: Client, listing: Listing) -> None:
    answer = save(team, listing, logo_file=[picture()], screenshot_files=[SCRIPT])
    errors = answer.context["adminform"].form.errors
    assert list(errors) == ["screenshot_files"]
    assert errors["screenshot_files"][0].startswith("0.png: ")
    assert not CompanyPicture.objects.exists()


def test_nine_screenshots_are_too_many(team: Client, listing: Listing) -> None:
    answer = save(team, listing, screenshot_files=[picture(size=(800, 500))] * 9)
    assert answer.context["adminform"].form.has_error("screenshot_files", "too_many_screenshots")
    assert not CompanyPicture.objects.exists()


def test_a_company_without_a_listing_takes_no_files(team: Client) -> None:
    address = reverse("admin:listings_company_change", args=[CompanyFactory.create().pk])
    assert not {"logo_file", "screenshot_files"} & form_of(team, address).keys()
    viewer = Client()
    viewer.force_login(staff("view_company"))
    assert viewer.get(address).status_code == 200
