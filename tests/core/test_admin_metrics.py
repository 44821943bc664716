"""The start page of the admin: what waits, by the lists that show the same, and the last weeks in numbers."""

import re
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.actors import SYSTEM
from apps.accounts.models import User
from apps.core.admin.metrics import Need, by_week, figures, needs
from apps.core.models import OutgoingEmail
from apps.core.operations.checks import health
from apps.core.text.weeks import Week
from apps.drafts.models import Draft
from apps.launches.models import LaunchWeek
from apps.listings.models import Claim
from apps.listings.models.claims import CONTESTED
from apps.moderation.services.appeals import deny_appeal
from apps.moderation.services.decisions import keep_reported
from apps.orders.models import Invoice, InvoiceSeries, Order, OrderLine, Payment, Refund, SellerSettings
from apps.sites.admin.sidebar import entries
from apps.sites.models import Site, SitePage
from tests.comments.people import comment_on
from tests.curation.making import make_collection
from tests.factories import CompanyFactory, ListingFactory, SiteFactory, UserFactory
from tests.moderation.test_appeals import appeal_of
from tests.moderation.world import make_world
from tests.reviews.people import newcomer, review_of

pytestmark = pytest.mark.db

INDEX = "/admin/"
LONG_AGO = timedelta(days=3)


@pytest.fixture(autouse=True)
def all_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker runs beside these tests."""
    monkeypatch.setattr(health, "readiness", lambda: {"database": "ok", "beat": "ok"})


def shown_on(client: Client) -> dict[str, int]:
    """What waits on the start page, with its number."""
    return {one["need"].key: one["count"] for one in client.get(INDEX).context["waiting"]}


# ---- rows that wait, and rows beside them that do not ----
def _email(**values: Any) -> Model:
    key = str(OutgoingEmail.objects.count())
    return OutgoingEmail.objects.create(key=key, to="a@example.com", subject="s", site_name="S", site_url="", **values)


def _given_up(site: Site) -> None:
    _email(failed_at=timezone.now())
    _email(sent_at=timezone.now())
    _email()


def _late(site: Site) -> None:
    _email(created_at=timezone.now() - LONG_AGO)
    _email(created_at=timezone.now() - LONG_AGO, sent_at=timezone.now())
    _email()


def _in_review(site: Site) -> None:
    ListingFactory.create(status="in_review")
    ListingFactory.create(live=True)


def _without_badge(site: Site) -> None:
    missing = {"badge_missing_since": timezone.now(), "badge_failed_checks": 1, "launch_week": "2026-W01"}
    ListingFactory.create(status="scheduled", **missing)
    ListingFactory.create(status="scheduled", launch_week="2026-W01")
    ListingFactory.create(live=True, badge_missing_since=timezone.now(), badge_failed_checks=1)


def _not_looked_at(site: Site) -> None:
    ListingFactory.create(status="awaiting_badge", badge_check_at=timezone.now() - LONG_AGO)
    ListingFactory.create(status="awaiting_badge", badge_check_at=timezone.now() + LONG_AGO)
    ListingFactory.create(status="draft", badge_check_at=timezone.now() - LONG_AGO)


def _contested(site: Site) -> None:
    proven = CompanyFactory.create(verified_at=timezone.now())
    results = (f"Found. But {CONTESTED}: a site admin decides.", "Not yours.")
    for company, claimant, result in (
        (proven, UserFactory.create(), results[0]),
        (proven, UserFactory.create(), results[1]),
        (proven, proven.owner, results[0]),
        (CompanyFactory.create(), UserFactory.create(), results[0]),
    ):
        Claim.objects.create(
            company=company,
            claimant=claimant,
            site=site,
            website=company.website,
            token=f"word-{claimant.pk}",
            status="refused",
            result=result,
            ended_at=timezone.now(),
        )


def _nearly_full(site: Site) -> None:
    soon = Week.of(timezone.now()) + 2
    for week, taken in ((soon, 5), (soon + 1, 4), (soon + -9, 5)):
        LaunchWeek.objects.create(site=site, iso_week=str(week), free_places=5, paid_places=5)
        ListingFactory.create_batch(taken, status="scheduled", plan="free", launch_week=str(week))


def _draft(owner: User, site: Site, name: str, **values: Any) -> Draft:
    key = f"{name}.example.com"
    return Draft.objects.create(owner=owner, site=site, url=f"https://{key}", website_key=key, domain=key, **values)


def _failed(site: Site) -> None:
    owner, now = UserFactory.create(), timezone.now()
    failed = {"status": "failed", "error_code": "blocked", "error_message": "No."}
    _draft(owner, site, "one", finished_at=now, **failed)
    _draft(owner, site, "old", finished_at=now - timedelta(days=30), **failed)
    _draft(owner, site, "again", finished_at=now, created_at=now - LONG_AGO, **failed)
    _draft(owner, site, "again")


def _stuck(site: Site) -> None:
    owner = UserFactory.create()
    _draft(owner, site, "one", created_at=timezone.now() - LONG_AGO)
    _draft(owner, site, "new")
    _draft(owner, site, "done", created_at=timezone.now() - LONG_AGO, status="ready", finished_at=timezone.now())


def _order(site: Site, **values: Any) -> Order:
    money = {"subtotal_cents": 100, "net_cents": 100, "vat_cents": 0, "total_cents": 100}
    name = f"SL-{Order.objects.count()}"
    later = timezone.now() + LONG_AGO
    return Order.objects.create(
        site=site, account=UserFactory.create(), number=name, secret=name, expires_at=later, **money, **values
    )


def _to_review(site: Site) -> None:
    _order(site, needs_review=True)
    _order(site)


def _payments(site: Site) -> None:
    for status in ("needs_review", "open", "surplus"):
        Payment.objects.create(order=_order(site), attempt=1, provider="test", amount_cents=1, status=status)


def _refunds(site: Site) -> None:
    for status in ("failed", "requested", "done"):
        payment = Payment.objects.create(order=_order(site), attempt=1, provider="test", amount_cents=1)
        Refund.objects.create(payment=payment, amount_cents=1, reason="r", status=status)


def _undelivered(site: Site) -> None:
    now = timezone.now()
    line = {"position": 1, "product": "launch", "title": "t", "description": "d", "quantity": 1}
    money = {"unit_price_cents": 1, "net_cents": 1, "total_cents": 1}
    for paid_at, status in ((now - LONG_AGO, "pending"), (now, "pending"), (now - LONG_AGO, "fulfilled")):
        order = _order(site, status="paid", paid_at=paid_at)
        done = now if status == "fulfilled" else None
        OrderLine.objects.create(order=order, status=status, fulfilled_at=done, **line, **money)


def _invoice(site: Site, **values: Any) -> Invoice:
    series, _ = InvoiceSeries.objects.get_or_create(prefix="X-")
    number = Invoice.objects.count()
    money = {"net_cents": 100, "vat_cents": 20, "total_cents": 120, "vat_rate": 2000, "currency": "usd"}
    values = {"kind": "invoice", "issue_date": timezone.now().date(), **money, **values}
    return Invoice.objects.create(
        order=_order(site), series=series, sequence=number, number=f"X-{number}", document={}, **values
    )


def _unprinted(site: Site) -> None:
    _invoice(site, attempts=5)
    _invoice(site, attempts=4)
    _invoice(site, attempts=5, printed_at=timezone.now())


def _without_seller(site: Site) -> None:
    for one in Site.objects.all():
        SellerSettings.objects.get_or_create(site=one, defaults={"legal_name": "S", "address": "A", "country": "EE"})
    SiteFactory.create()


def _without_pages(site: Site) -> None:
    written = SiteFactory.create()
    for kind in SitePage.Kind:
        SitePage.objects.create(site=written, kind=kind, title="T", text="T")
    SitePage.objects.create(site=site, kind="terms", title="T", text="T")


def _same_website(site: Site) -> None:
    keeper = CompanyFactory.create()
    CompanyFactory.create(same_website_as=keeper)
    CompanyFactory.create(same_website_as=keeper, merged_into=keeper)


def _collection_in_review(site: Site) -> None:
    for is_public in (True, False):
        make_collection(UserFactory.create(), is_public=is_public)


def _reported(site: Site) -> None:
    world = make_world(site)
    world.report("comment")
    keep_reported(case=world.report("listing").case, by=SYSTEM)


def _appealed(site: Site) -> None:
    world = make_world(site)
    appeal_of(world)
    deny_appeal(appeal=appeal_of(world, "update"), answer="No.", by=SYSTEM)


def _comment_in_review(site: Site) -> None:
    listing = ListingFactory.create(live=True, site=site)
    comment_on(listing)
    comment_on(listing, author=UserFactory.create())


def _review_in_moderation(site: Site) -> None:
    listing = ListingFactory.create(live=True, site=site)
    review_of(listing)
    review_of(listing, author=newcomer())


MAKERS: dict[tuple[str, str], Callable[[Site], None]] = {
    ("outgoingemail", "given_up"): _given_up,
    ("outgoingemail", "late"): _late,
    ("listing", "in_review"): _in_review,
    ("listing", "without_badge"): _without_badge,
    ("listing", "not_looked_at"): _not_looked_at,
    ("claim", "contested"): _contested,
    ("comment", "waiting"): _comment_in_review,
    ("collection", "waiting"): _collection_in_review,
    ("review", "waiting"): _review_in_moderation,
    ("case", "reported"): _reported,
    ("appeal", "open"): _appealed,
    ("company", "same_website"): _same_website,
    ("launchweek", "nearly_full"): _nearly_full,
    ("draft", "failed"): _failed,
    ("draft", "stuck"): _stuck,
    ("order", "to_review"): _to_review,
    ("order", "undelivered"): _undelivered,
    ("payment", "in_review"): _payments,
    ("refund", "failed"): _refunds,
    ("invoice", "unprinted"): _unprinted,
    ("site", "without_seller"): _without_seller,
    ("site", "without_pages"): _without_pages,
}


def _name(need: Need) -> tuple[str, str]:
    return need.model._meta.model_name or "", need.key


@pytest.mark.parametrize("need", needs(), ids=lambda need: "-".join(_name(need)))
def test_what_waits_is_counted_and_its_list_shows_the_same(team: Client, site: Site, need: Need) -> None:
    before = need.count()
    if need.key not in {"without_seller", "without_pages"}:
        assert before == 0
    MAKERS[_name(need)](site)
    assert need.count() == 1
    (card,) = (one for one in team.get(INDEX).context["waiting"] if one["need"] is need)
    assert card["count"] == 1
    assert team.get(card["address"]).context["cl"].result_count == 1


def test_a_quiet_site_says_so(team: Client, site: Site) -> None:
    SellerSettings.objects.get_or_create(site=site, defaults={"legal_name": "S", "address": "A", "country": "EE"})
    for kind in SitePage.Kind:
        SitePage.objects.create(site=site, kind=kind, title="T", text="T")
    page = team.get(INDEX).content.decode()
    assert "admin-need" not in page
    assert "Service outage" not in page


def test_what_is_out_is_said(team: Client, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "readiness", lambda: {"database": "ok", "beat": "failed: RuntimeError"})
    page = team.get(INDEX).content.decode()
    assert "Service outage" in page
    assert "Worker and scheduler: failed: RuntimeError" in page


# ---- weeks ----
def test_numbers_are_in_their_weeks(db: None) -> None:
    first = Week.parse("2026-W10")
    User.objects.all().delete()
    starts = first.starts_at
    moments = (starts - timedelta(seconds=1), starts, first.ends_at - timedelta(seconds=1), first.ends_at)
    for moment in moments:
        UserFactory.create(joined_at=moment)
    assert by_week(User.objects.all(), "joined_at", first=first) == {"2026-W10": 2, "2026-W11": 1}


def test_revenue_is_net_of_real_invoices_less_credit_notes(team: Client, site: Site, settings: Any) -> None:
    settings.LOCAL = False
    original = _invoice(site, net_cents=9000, vat_cents=0, total_cents=9000)
    _invoice(site, is_test=True)
    _invoice(site, kind="credit_note", original=original, net_cents=2500, vat_cents=0, total_cents=2500)
    (chart,) = (one for one in team.get(INDEX).context["charts"] if one.title == "Revenue")
    assert (chart.now, chart.before) == ("$65.00", "$0.00")
    assert [bar.height for bar in chart.bars] == [0] * 11 + [chart.height]
    _invoice(site, kind="credit_note", original=original, net_cents=9000, vat_cents=0, total_cents=9000)
    (chart,) = (one for one in team.get(INDEX).context["charts"] if one.title == "Revenue")
    assert chart.now == "−$25.00"
    assert all(bar.height == 0 for bar in chart.bars)


def test_every_chart_has_its_numbers_in_a_table(team: Client, site: Site) -> None:
    page = team.get(INDEX).content.decode()
    assert page.count("<svg") - page.count('class="icon"') >= len(figures())
    assert page.count('class="admin-numbers') == len(figures())
    assert re.search(r'role="img" aria-label="New accounts by week: \d+ this week so far', page)


@pytest.mark.slow
def test_the_start_page_asks_little_and_shows_what_the_demo_earned(
    team: Client, django_assert_max_num_queries: Any, settings: Any
) -> None:
    call_command("seed_demo", stdout=StringIO())
    settings.LOCAL = True
    (chart,) = (one for one in team.get(INDEX).context["charts"] if one.title == "Revenue")
    assert sum(bar.height > 0 for bar in chart.bars) >= 4
    with django_assert_max_num_queries(len(needs()) + len(figures()) + 8):
        assert team.get(INDEX).status_code == 200


# ---- who sees what ----
def test_site_admins_see_only_what_they_have_permissions_for(client: Client, site: Site) -> None:
    _in_review(site)
    _to_review(site)
    member = UserFactory.create(is_staff=True)
    group = Group.objects.create(name="Moderators")
    group.permissions.add(Permission.objects.get(codename="view_listing"))
    member.groups.add(group)
    client.force_login(member)
    assert shown_on(client) == {"in_review": 1}
    answer = client.get(INDEX)
    assert [chart.title for chart in answer.context["charts"]] == ["Launches"]
    assert [group["title"] for group in answer.context["sidebar_navigation"]] == ["", "Directory"]
    assert "/admin/orders/" not in answer.content.decode()
    group.permissions.clear()
    bare = client.get(INDEX)
    assert "Needs attention" not in bare.content.decode()
    assert bare.context["charts"] == []


def test_every_page_of_the_admin_is_in_the_sidebar(db: None) -> None:
    labels = [label for group in entries().values() for label, _, _ in group]
    assert sorted(labels) == sorted(model._meta.label for model in admin.site._registry)


def test_the_sidebar_marks_the_page_that_is_open(team: Client, site: Site) -> None:
    page = team.get(reverse("admin:sites_sitepageversion_changelist")).content.decode()
    (marked,) = re.findall(r'<a href="([^"]+)" aria-current="page"', page)
    assert marked == "/admin/sites/sitepageversion/"


def test_a_list_without_needs_has_no_such_filter(team: Client, site: Site) -> None:
    assert "waits" not in team.get("/admin/listings/category/").content.decode()
    assert team.get("/admin/listings/listing/?waits=nonsense").status_code in {200, 302}
