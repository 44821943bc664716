"""Every field of every model is in the table of personal data, and an archive holds one person's rows only."""

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command

from apps.accounts.models import FounderProfile, User
from apps.core.models import OutgoingEmail
from apps.core.operations.personal_data.archive import write_archive
from apps.core.operations.personal_data.records import PersonalRecords, records, table
from apps.orders.models import Invoice
from tests.factories import PASSWORD, ListingFactory, UserFactory

MODELS = {model._meta.label: model for model in apps.get_models()}


def archive_of(user: User) -> dict[str, bytes]:
    target = io.BytesIO()
    write_archive(user, target)
    with zipfile.ZipFile(target) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_every_model_is_in_one_of_the_tables() -> None:
    personal = [record.model for record in records()]
    assert sorted([*personal, *table("IMPERSONAL")]) == sorted(MODELS)


@pytest.mark.parametrize("record", records(), ids=lambda record: record.model)
def test_every_field_is_exported_or_withheld(record: PersonalRecords) -> None:
    meta = MODELS[record.model]._meta
    named = [*record.exported.split(), *record.withheld.split()]
    assert sorted(named) == sorted(field.name for field in [*meta.concrete_fields, *meta.many_to_many])


def test_no_model_that_names_an_account_is_called_impersonal() -> None:
    naming = {
        label
        for label in table("IMPERSONAL")
        for field in MODELS[label]._meta.concrete_fields
        if field.related_model is User
    }
    assert naming == set()


@pytest.mark.django_db
def test_an_archive_holds_what_one_person_wrote() -> None:
    person, other = UserFactory.create(name="Ada Lane"), UserFactory.create(name="Bo Reed")
    own, foreign = ListingFactory.create(company__owner=person), ListingFactory.create(company__owner=other)
    OutgoingEmail.objects.create(key="a", to=person.email.upper(), subject="Yours", site_name="Slipway")
    OutgoingEmail.objects.create(key="b", to=other.email, subject="Not yours", site_name="Slipway")
    files = archive_of(person)

    def rows(model: str) -> Any:
        return json.loads(files[f"{model}.json"])

    assert [row["name"] for row in rows("accounts.user")] == ["Ada Lane"]
    assert [row["slug"] for row in rows("listings.listing")] == [own.slug] != [foreign.slug]
    assert [row["subject"] for row in rows("core.outgoingemail")] == ["Yours"]
    everything = b"".join(files.values()).decode()
    assert other.email not in everything
    assert person.password not in everything
    assert PASSWORD not in everything


@pytest.mark.django_db
def test_every_lookup_of_the_table_works() -> None:
    person = UserFactory.create()
    assert {record.model for record in records() if record.rows(person).exists()} >= {"accounts.User"}


@pytest.mark.django_db
def test_the_command_writes_a_private_file(tmp_path: Path) -> None:
    person, path = UserFactory.create(), tmp_path / "person.zip"
    call_command("export_person", person.email.upper(), str(path))
    assert path.stat().st_mode & 0o777 == 0o600
    assert "accounts.user.json" in zipfile.ZipFile(path).namelist()
    with pytest.raises(CommandError, match="File exists"):
        call_command("export_person", person.email, str(path))


@pytest.mark.django_db
def test_an_unknown_email_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No account"):
        call_command("export_person", "nobody@example.com", str(tmp_path / "person.zip"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.django_db
def test_photos_are_in_the_archive_and_lost_ones_do_not_stop_it() -> None:
    person = UserFactory.create()
    profile = FounderProfile.objects.create(user=person, slug="ada", photo_key="photos/of-ada", photo_pixels=400)
    name = f"accounts.founderprofile/{profile.pk}.400.webp"
    assert name not in archive_of(person)
    default_storage.save(f"{profile.photo_key}/400.webp", ContentFile(b"pixels"))
    try:
        assert archive_of(person)[name] == b"pixels"
    finally:
        default_storage.delete(f"{profile.photo_key}/400.webp")
        default_storage.delete(profile.photo_key)


def test_binary_fields_are_files_of_the_archive() -> None:
    invoice = Invoice(pk=7, number="S-7", pdf=b"%PDF")
    [invoices] = [record for record in records() if record.model == "orders.Invoice"]
    record = replace(invoices, exported="number pdf")
    assert list(record.attached_files(invoice)) == [("7.pdf", b"%PDF")]
    assert record.as_json(invoice) == {"number": "S-7"}
    assert "pdf" in invoices.exported.split()
