"""Downloading one's data and deleting one's account: who may, when, and what is left."""

import io
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.db import connection
from django.test import Client
from django.utils import timezone

from apps.accounts import tasks
from apps.accounts.models import ApiKey, DataExport, FounderProfile, User
from apps.accounts.own_data import deletion, exports
from apps.core.errors import Conflict
from apps.core.models import OutgoingEmail
from apps.core.operations.personal_data.retention import delete_expired_data
from apps.drafts.models import Draft
from apps.launches.models import Vote
from apps.listings.models import Listing
from apps.orders.models import Order
from apps.sites.models import Site
from tests.accounts.people import prove_again, sign_in
from tests.browsing import browser
from tests.factories import ListingFactory, UserFactory, api_key

# A storage of its own, because the sweep of another test deletes files of exports that its database lacks.
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("media")]


@pytest.fixture
def person() -> User:
    return UserFactory.create(name="Ada Lane", email="ada.lane@example.com")


@pytest.fixture
def client(person: User) -> Client:
    client = browser()
    sign_in(client, person.email)
    return client


def pending_order(account: User, **fields: Any) -> Order:
    return Order.objects.create(
        account=account,
        site=Site.objects.get(is_default=True),
        number="S-TEST",
        secret="a secret",
        subtotal_cents=100,
        net_cents=100,
        total_cents=100,
        expires_at=timezone.now() + timedelta(days=1),
        **fields,
    )


def emails_to(address: str) -> list[str]:
    return list(OutgoingEmail.objects.filter(to=address).order_by("pk").values_list("key", flat=True))


def due(person: User) -> None:
    deletion.schedule_deletion(user=person)
    User.objects.filter(pk=person.pk).update(deletion_due_at=timezone.now() - timedelta(seconds=1))


def test_a_copy_is_made_emailed_and_downloaded(client: Client, person: User) -> None:
    assert client.post("/account/data").status_code == 302
    export = DataExport.objects.get(user=person)
    tasks.make_data_export(export.pk)
    assert emails_to(person.email) == [f"data-export-{export.pk}"]
    prove_again(client)
    answer = client.get(f"/account/data/{export.pk}/archive.zip")
    content = b"".join(answer)
    assert "accounts.user.json" in zipfile.ZipFile(io.BytesIO(content)).namelist()
    assert "no-store" in answer["Cache-Control"]


def test_a_copy_opens_for_nobody_else_and_not_after_its_time(client: Client, person: User) -> None:
    export = exports.request_data_export(user=person)
    exports.make_data_export(export.pk)
    address = f"/account/data/{export.pk}/archive.zip"
    assert browser().get(address)["Location"].startswith("/account/sign-in")
    other = browser()
    sign_in(other, UserFactory.create().email)
    prove_again(other)
    assert other.get(address).status_code == 404
    DataExport.objects.update(expires_at=timezone.now())
    prove_again(client)
    assert client.get(address).status_code == 404


def test_asking_twice_makes_one_copy_and_two_workers_write_one(person: User) -> None:
    export = exports.request_data_export(user=person)
    assert exports.request_data_export(user=person) == export
    assert [exports.make_data_export(export.pk), exports.make_data_export(export.pk)] == [True, False]
    assert exports.request_data_export(user=person) == export


def test_the_sweep_makes_lost_copies_and_deletes_expired_ones(person: User) -> None:
    export = exports.request_data_export(user=person)
    assert exports.unmade_exports() == [export.pk]
    exports.make_data_export(export.pk)
    export.refresh_from_db()
    DataExport.objects.update(expires_at=timezone.now())
    exports.PAUSE, pause = timedelta(0), exports.PAUSE
    try:
        exports.delete_expired_exports()
    finally:
        exports.PAUSE = pause
    assert not DataExport.objects.exists()
    assert not default_storage.exists(export.file)


def test_deleting_asks_for_the_password_and_can_be_taken_back(client: Client, person: User, time_machine: Any) -> None:
    time_machine.move_to(timezone.now() + timedelta(hours=1))
    assert client.post("/account/delete")["Location"].startswith("/account/reauthenticate")
    person.refresh_from_db()
    assert person.deletion_due_at is None
    prove_again(client)
    assert client.get("/account/delete").status_code == 200
    client.post("/account/delete")
    person.refresh_from_db()
    assert person.deletion_due_at == pytest.approx(timezone.now() + timedelta(days=14), abs=timedelta(minutes=1))
    assert not deletion.erase_account(person.pk)
    client.post("/account/delete/cancel")
    person.refresh_from_db()
    assert person.deletion_due_at is None
    assert [key.rpartition("-")[0] for key in emails_to(person.email)] == [
        f"deletion-{person.pk}",
        f"deletion-canceled-{person.pk}",
    ]


def test_site_admins_are_not_deleted() -> None:
    admin = UserFactory.create(is_staff=True)
    with pytest.raises(deletion.StaffAccount):
        deletion.schedule_deletion(user=admin)
    due_person = UserFactory.create()
    listing = ListingFactory.create(company__owner=due_person)
    due(due_person)
    User.objects.filter(pk=due_person.pk).update(is_staff=True)
    assert not deletion.erase_account(due_person.pk)
    status = listing.status
    listing.refresh_from_db()
    assert listing.status == status != Listing.Status.ARCHIVED


def test_erasure_leaves_a_pseudonym_orders_and_votes(client: Client, person: User) -> None:
    listing = ListingFactory.create(company__owner=person, company__contact_email=person.email)
    other = ListingFactory.create()
    FounderProfile.objects.create(user=person, slug="ada", real_name="Ada Lane")
    api_key(person)
    vote = Vote.objects.create(listing=other, user=person)
    order = pending_order(person, billing={"name": "Ada Lane"})
    due(person)
    tasks.erase_account(person.pk)
    person.refresh_from_db()
    vote.refresh_from_db()
    listing.refresh_from_db()
    order.refresh_from_db()
    assert (person.email, person.name, person.is_active) == (f"erased-{person.pk}@erased.invalid", "", False)
    assert person.erased_at
    assert vote.user is None
    assert (listing.status, listing.company.contact_email) == (Listing.Status.ARCHIVED, "")
    assert (order.account, order.status, order.billing) == (person, Order.Status.CANCELLED, {})
    assert not FounderProfile.objects.filter(user=person).exists()
    assert not ApiKey.objects.filter(user=person).exists()
    assert client.get("/account/data").status_code == 302
    assert emails_to("ada.lane@example.com") == [f"deleted-{person.pk}"]
    assert not deletion.erase_account(person.pk)


def test_no_table_keeps_the_name_or_email_of_an_erased_account(person: User) -> None:
    listing = ListingFactory.create(company__owner=person, company__contact_email=person.email)
    Draft.objects.create(owner=person, site=listing.site, url="https://ada.example", website="ada.example")
    exports.request_data_export(user=person)
    due(person)
    deletion.erase_account(person.pk)
    OutgoingEmail.objects.all().delete()
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT count(*) FROM \"{table}\" t WHERE t::text ~* 'ada.lane@example.com|Ada Lane'")  # noqa: S608 - own tables
            assert cursor.fetchone() == (0,), table


def test_a_payment_in_progress_puts_the_erasure_off(person: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise Conflict("A payment for this order is in progress.", code="cannot_cancel")

    monkeypatch.setattr("apps.orders.payments.cancel.close_account_orders", refuse)
    due(person)
    tasks.erase_account(person.pk)
    person.refresh_from_db()
    assert (person.erased_at, person.is_active) == (None, True)
    assert deletion.due_deletions() == [person.pk]


@pytest.mark.parametrize(("days", "left"), [(30, 1), (0, 2)])
def test_rows_go_after_their_days_and_never_with_zero(settings: Any, days: int, left: int) -> None:
    settings.KEEP_DAYS = settings.KEEP_DAYS | {"emails": days}
    for number, age in enumerate((29, 31)):
        moment = timezone.now() - timedelta(days=age)
        OutgoingEmail.objects.create(key=str(number), to="a@example.com", subject="S", site_name="S", sent_at=moment)
    delete_expired_data()
    assert OutgoingEmail.objects.count() == left


def test_location_evidence_is_emptied_after_its_days(settings: Any) -> None:
    order = pending_order(UserFactory.create(), evidence=[{"kind": "ip", "country": "DE"}])
    settings.KEEP_DAYS = settings.KEEP_DAYS | {"location_evidence": 10}
    delete_expired_data()
    order.refresh_from_db()
    assert order.evidence
    Order.objects.update(created_at=timezone.now() - timedelta(days=11))
    assert delete_expired_data() == {"orders.Order": 1}
    order.refresh_from_db()
    assert order.evidence == []
    assert delete_expired_data() == {}
