"""The calendar, ledgers and site settings in the admin."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.core.models import OutgoingEmail
from apps.core.text.weeks import Week
from apps.launches.calendar.capacity import create_weeks, with_taken
from apps.launches.calendar.launch_weeks import places
from apps.launches.models import LaunchWeek, LedgerEntry, Standing, VoteLedger
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.browsing import staff
from tests.factories import ListingFactory, SiteFactory
from tests.listings.statuses import in_status
from tests.listings.test_admin import form_of, said

pytestmark = pytest.mark.db

WEEKS = "/admin/launches/launchweek/"


def week_ahead(weeks: int) -> Week:
    return Week.of(timezone.now()) + weeks


# ---- weeks ----
def test_taken_spots_are_counted_as_the_calendar_counts_them(site: Site) -> None:
    week = week_ahead(4)
    create_weeks(site=site, count=6)
    for status in Listing.Status.values:
        for plan in ("free", "paid"):
            suspended = {"suspended_from": "scheduled"} if status == "suspended" else {}
            at = {"launched_at": timezone.now()} if status == "live" else {}
            ListingFactory.create(
                status=status, plan=plan, site=SiteFactory.create(), **suspended, **at, launch_week=str(week)
            )
            ListingFactory.create(status=status, plan=plan, launch_week=str(week), **suspended, **at)
    (row,) = with_taken(LaunchWeek.objects.filter(site=site, iso_week=str(week)))
    (counted,) = places(site, first=week, count=1)
    assert (row.free_taken, row.paid_taken) == (
        counted.free_total - counted.free_left,
        counted.paid_total - counted.paid_left,
    )
    assert row.free_taken > 0


def test_coming_weeks_are_created_once(team: Client, site: Site) -> None:
    other = SiteFactory.create(free_places_per_week=3)
    LaunchWeek.objects.create(site=site, iso_week=str(week_ahead(1)), free_places=1, paid_places=1)
    address = reverse("admin:launches_launchweek_create_weeks")
    assert team.get(address).status_code == 200
    assert LaunchWeek.objects.count() == 1
    for _ in range(2):
        assert team.post(address, {"confirmed": "yes", "weeks": "4"}).status_code == 302
    assert LaunchWeek.objects.filter(site=site).count() == LaunchWeek.objects.filter(site=other).count() == 4
    assert LaunchWeek.objects.get(site=site, iso_week=str(week_ahead(1))).free_places == 1
    assert set(LaunchWeek.objects.filter(site=other).values_list("free_places", flat=True)) == {3}


@pytest.mark.parametrize("weeks", ["0", "105", "many", ""])
def test_only_a_sensible_number_of_weeks_is_created(team: Client, weeks: str) -> None:
    answer = team.post(reverse("admin:launches_launchweek_create_weeks"), {"confirmed": "yes", "weeks": weeks})
    assert answer.status_code == 200
    assert not LaunchWeek.objects.exists()


def test_fewer_spots_than_taken_warns(team: Client, site: Site) -> None:
    listings = [in_status("scheduled") for _ in range(2)]
    row = LaunchWeek.objects.create(site=site, iso_week=listings[0].launch_week, free_places=5, paid_places=5)
    address = reverse("admin:launches_launchweek_change", args=[row.pk])
    page = team.get(address).content.decode()
    assert all(listing.company.name in page for listing in listings)
    answer = team.post(address, {**form_of(team, address), "free_places": "1"}, follow=True)
    assert any("2 free launches, more than its 1 spots" in text for text in said(answer))
    assert "over" in team.get(WEEKS).content.decode()
    assert Listing.objects.filter(status="scheduled", launch_week=row.iso_week).count() == 2
    assert not any(
        "already" in text for text in said(team.post(address, {"free_places": 2, "paid_places": 0}, follow=True))
    )


@pytest.mark.parametrize(("text", "stored"), [("2026-W60", None), ("soon", None), ("2027-W05", "2027-W05")])
def test_a_week_that_does_not_exist_is_refused(team: Client, site: Site, text: str, stored: str | None) -> None:
    sent = {"site": site.pk, "iso_week": text, "free_places": "1", "paid_places": "1"}
    answer = team.post(reverse("admin:launches_launchweek_add"), sent)
    assert answer.status_code == (302 if stored else 200)
    assert list(LaunchWeek.objects.values_list("iso_week", flat=True)) == ([stored] if stored else [])


def test_weeks_are_neither_moved_nor_deleted(team: Client, site: Site) -> None:
    row = LaunchWeek.objects.create(site=site, iso_week="2027-W05", free_places=1, paid_places=1)
    address = reverse("admin:launches_launchweek_change", args=[row.pk])
    assert team.post(address, {"iso_week": "2027-W06", "free_places": 2, "paid_places": 2}).status_code == 302
    assert team.post(reverse("admin:launches_launchweek_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    row.refresh_from_db()
    assert (row.iso_week, row.free_places) == ("2027-W05", 2)


def test_weeks_need_their_permission(client: Client, site: Site) -> None:
    client.force_login(staff("view_launchweek", "change_listing"))
    address = reverse("admin:launches_launchweek_create_weeks")
    assert client.post(address, {"confirmed": "yes", "weeks": "4"}).status_code == 403
    assert not LaunchWeek.objects.exists()


# ---- moving ----
def move_address(listing: Listing) -> str:
    return reverse("admin:listings_listing_move", args=[listing.pk])


def test_a_launch_is_moved_to_a_week_with_a_spot(team: Client) -> None:
    listing = in_status("scheduled")
    page = team.get(move_address(listing))
    assert "spots left" in page.content.decode()
    assert listing.launch_week not in dict(page.context["form"].fields["week"].choices)
    target = str(week_ahead(2))
    assert team.post(move_address(listing), {"confirmed": "yes", "week": target}).status_code == 302
    listing.refresh_from_db()
    assert (listing.status, listing.launch_week) == ("scheduled", target)
    assert OutgoingEmail.objects.get().to == listing.company.owner.email


def test_a_full_week_and_an_unknown_one_are_refused(team: Client, site: Site) -> None:
    listing = in_status("scheduled")
    LaunchWeek.objects.create(site=site, iso_week=str(week_ahead(2)), free_places=0, paid_places=9)
    answer = team.post(move_address(listing), {"confirmed": "yes", "week": str(week_ahead(2))}, follow=True)
    assert any("are taken" in text for text in said(answer))
    for week in ("2020-W01", "soon", ""):
        answer = team.post(move_address(listing), {"confirmed": "yes", "week": week})
        assert answer.status_code == 200
        assert answer.context["form"].errors["week"]
    before = listing.launch_week
    listing.refresh_from_db()
    assert listing.launch_week == before


@pytest.mark.parametrize("status", sorted(set(Listing.Status.values) - {"scheduled"}))
def test_only_a_launch_ahead_is_moved(team: Client, status: str) -> None:
    listing = in_status(status)
    assert not team.get(move_address(listing)).context["can_decide"]
    sent = {"confirmed": "yes", "week": str(week_ahead(2))}
    assert any("The listing is" in text for text in said(team.post(move_address(listing), sent, follow=True)))
    listing.refresh_from_db()
    assert listing.status == status


def test_moving_needs_the_permission(client: Client, db: None) -> None:
    client.force_login(staff("view_listing", "change_launchweek"))
    listing = in_status("scheduled")
    sent = {"confirmed": "yes", "week": str(week_ahead(2))}
    assert client.post(move_address(listing), sent).status_code == 403
    assert Listing.objects.get().launch_week == listing.launch_week


# ---- boards and ledgers ----
@pytest.mark.parametrize("model", [Standing, VoteLedger, LedgerEntry])
def test_leaderboards_and_ledgers_are_looked_at(team: Client, model: Any) -> None:
    ListingFactory.create(live=True, votes=3)
    name = f"admin:launches_{model._meta.model_name}"
    row = model.objects.first()
    before = list(model.objects.values())
    assert team.get(reverse(f"{name}_changelist")).status_code == 200
    page = team.get(reverse(f"{name}_change", args=[row.pk]))
    assert page.status_code == 200
    assert VoteLedger.objects.get().salt not in page.content.decode()
    for address in (
        reverse(f"{name}_add"),
        reverse(f"{name}_change", args=[row.pk]),
        reverse(f"{name}_delete", args=[row.pk]),
    ):
        assert team.post(address, {"post": "yes", "points": "9"}).status_code == 403
    assert list(model.objects.values()) == before


def test_a_ledger_leads_to_its_entries(team: Client, db: None) -> None:
    ListingFactory.create(live=True)
    address = reverse("admin:launches_voteledger_see_entries", args=[VoteLedger.objects.get().pk])
    answer = team.get(address, follow=True)
    assert answer.context["cl"].result_count == LedgerEntry.objects.count() > 0


# ---- settings ----
def test_every_setting_of_a_site_has_its_field(team: Client, site: Site) -> None:
    form = team.get(reverse("admin:sites_site_change", args=[site.pk])).context["adminform"].form
    editable = {field.name for field in Site._meta.get_fields() if getattr(field, "editable", False)}
    # The hue follows from the color.
    assert set(form.fields) == editable - {"id", "hue"}


def test_a_new_number_holds_at_once(team: Client, site: Site) -> None:
    address = reverse("admin:sites_site_change", args=[site.pk])
    values = {name: value for name, value in form_of(team, address).items() if value is not False}
    sent = {**values, "free_queue_weeks": 7, "updates_per_day": 3, "team_email": "team@example.com"}
    assert team.post(address, sent).status_code == 302
    site.refresh_from_db()
    assert (site.free_queue_weeks, site.updates_per_day, site.team_email) == (7, 3, "team@example.com")
    answer = team.post(address, {**sent, "vote_new_account_percent": "101", "badge_failed_checks": "0"})
    assert set(answer.context["adminform"].form.errors) == {"vote_new_account_percent", "badge_failed_checks"}


# ---- emails ----
def test_emails_are_listed_without_their_texts(team: Client, db: None) -> None:
    email = OutgoingEmail.objects.create(
        key="a", to="a@example.com", subject="News", text="secret-link", site_name="A", site_url="https://a.example"
    )
    for address in ("/admin/core/outgoingemail/", reverse("admin:core_outgoingemail_change", args=[email.pk])):
        page = team.get(address).content.decode()
        assert "News" in page
        assert "secret-link" not in page
