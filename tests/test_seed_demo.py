"""`manage.py seed_demo`: what it makes, that it makes it once, and that its credentials work."""

import json
from collections import Counter
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

import pytest
import time_machine
from django.contrib.auth import authenticate
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db.models import F, Max, Min
from django.test import Client, TestCase, override_settings
from django.utils import timezone
from PIL import Image

from apps.accounts.api_keys.credentials import resolve_bearer
from apps.accounts.api_keys.services import revoke_api_key
from apps.accounts.founders.completeness import missing_profile_parts
from apps.accounts.models import ApiKey, FounderProfile, User
from apps.core.api.audience import Audience
from apps.core.api.scopes import OWNER_SCOPES
from apps.core.pictures.storage import read_picture
from apps.core.text.weeks import Week
from apps.curation.models import Collection
from apps.curation.reading import listed_collections
from apps.drafts.api.serializers import DraftFieldsSerializer
from apps.drafts.models import Draft
from apps.launches.models import Standing, Vote, VoteLedger
from apps.listings.fields.serializers import MAX_SCREENSHOTS
from apps.listings.models import Company, CompanyPicture, Follow, Listing, Milestone, Update
from apps.listings.search import find_listings
from apps.orders.models import Order, OrderLine, Placement
from apps.sites.models import Site
from apps.stories.models import FounderStory, InterviewAnswer, InterviewQuestion
from apps.stories.services.stories import missing
from tests.api import ApiClient
from tests.factories import ListingFactory
from tests.launches.voting import download, verify

Status = Listing.Status
OWNER_EMAIL = "demo@slipway.example"


def _seed(*words: str) -> dict[str, str]:
    out = StringIO()
    call_command("seed_demo", *words, stdout=out)
    printed: dict[str, str] = json.loads(out.getvalue().splitlines()[-1])
    return printed


def _counts() -> dict[str, int]:
    models = [
        User,
        Company,
        Listing,
        Draft,
        Order,
        Vote,
        Update,
        Milestone,
        FounderStory,
        InterviewAnswer,
        Site,
        Collection,
    ]
    return {model.__name__: model._default_manager.count() for model in models}


@pytest.mark.slow
@pytest.mark.xdist_group("seed_demo")
class SeededTests(TestCase):
    """Seeded once; what a test changes is rolled back."""

    sign_in: ClassVar[dict[str, str]]
    media: ClassVar[Path]

    @classmethod
    def setUpTestData(cls) -> None:  # noqa: N802 - the name that Django calls
        cls.media = Path(cls.enterClassContext(TemporaryDirectory()))
        cls.enterClassContext(override_settings(MEDIA_ROOT=cls.media))
        cls.sign_in = _seed()

    def test_the_first_site_is_full_of_launches(self) -> None:
        site = Site.objects.get(is_default=True)
        launched = Listing.objects.filter(site=site, status__in=[Status.LIVE, Status.SCHEDULED])
        assert launched.count() >= 38
        weeks = Counter(launched.filter(status=Status.LIVE).values_list("launch_week", flat=True))
        now = Week.of(timezone.now())
        assert weeks[str(now)] == 10
        assert weeks[str(now + -1)] == 12
        assert all(5 <= weeks[str(now + -ago)] <= 8 for ago in range(2, 5))
        coming = launched.filter(status=Status.SCHEDULED)
        assert 3 <= coming.count() <= 5
        assert all(listing.launch_week > str(now) for listing in coming)

    def test_a_second_site_has_listings_questions_and_categories_of_its_own(self) -> None:
        makers = Site.objects.get(key="makers")
        assert makers.host == "makers.localhost"
        assert makers.hue != Site.objects.get(is_default=True).hue
        live = Listing.objects.filter(site=makers, status=Status.LIVE)
        assert live.count() >= 10
        assert makers.categories.count() > 10
        assert InterviewQuestion.objects.filter(site=makers).count() > 5
        assert InterviewAnswer.objects.filter(question__site=makers).exists()
        for listing in live:
            twin = Listing.objects.exclude(site=makers).get(company=listing.company)
            assert listing.headline != twin.headline
            assert all(category.site_id == makers.pk for category in listing.categories.all())

    def test_what_is_said_of_badges_fits_together(self) -> None:
        seen = Listing.objects.exclude(badge_seen_at=None)
        assert seen.exists()
        assert set(seen.values_list("plan", "badge_state")) == {("free", "found")}
        assert set(Listing.objects.filter(badge_seen_at=None).values_list("badge_state", flat=True)) == {"unchecked"}

    def test_founders_have_public_collections_and_the_owner_a_private_one(self) -> None:
        public = listed_collections(Site.objects.get(is_default=True))
        assert public.count() == 5
        assert all(collection.author.founder_profile.real_name for collection in public)
        assert all(collection.follower_count == collection.follows.count() > 0 for collection in public)
        private = Collection.objects.get(author__email=OWNER_EMAIL)
        assert (private.status, private.items.count()) == ("private", 3)

    def test_votes_are_rows_of_the_launch_week(self) -> None:
        rows = Counter(Vote.objects.values_list("listing", flat=True))
        assert rows
        assert {pk: votes for pk, votes in Listing.objects.values_list("pk", "votes") if votes} == rows
        assert not Vote.objects.exclude(listing__status=Status.LIVE).exists()
        assert not Vote.objects.filter(user=F("listing__company__owner")).exists()
        for week, first, last in (
            Vote.objects.values_list("listing__launch_week")
            .annotate(first=Min("created_at"), last=Max("created_at"))
            .order_by()
        ):
            assert first >= Week.parse(week).starts_at
            assert last <= min(Week.parse(week).ends_at, timezone.now())
        best = Listing.objects.filter(launch_week=str(Week.of(timezone.now()))).aggregate(most=Max("votes"))
        assert best["most"] >= 50

    @pytest.mark.slow
    def test_weeks_that_are_over_are_closed_and_anybody_can_count_them_again(self) -> None:
        for site in Site.objects.all():
            ledgers = VoteLedger.objects.filter(site=site).order_by("iso_week")
            assert [ledger.closed_at is None for ledger in ledgers] == [False] * (len(ledgers) - 1) + [True]
            for ledger in ledgers:
                week = Week.parse(ledger.iso_week)
                query = {"week": str(week), "per_page": "100"}
                board = ApiClient(host=site.host).get("/leaderboards/community-weekly", query)
                files = {"board": board.content} if ledger.closed_at else {}
                code, said = verify(self.media, download(site, week), **files)
                assert code == 0, said
        standings = Standing.objects.filter(is_final=True)
        assert standings.filter(rank=1).count() == VoteLedger.objects.exclude(closed_at=None).count() == 7
        assert not standings.filter(rank=None).exists()

    @pytest.mark.slow
    def test_every_row_keeps_to_its_limits(self) -> None:
        result: list[Any] = [
            row
            for model in (
                Site,
                User,
                FounderProfile,
                Company,
                Listing,
                Update,
                Milestone,
                FounderStory,
                InterviewAnswer,
            )
            for row in model._default_manager.all()
        ]
        for row in result:
            row.full_clean(validate_unique=False, validate_constraints=False)
        for listing in Listing.objects.with_details():
            assert 10 <= len(listing.headline) < 80
            assert 60 <= len(listing.summary) <= 600
            assert 1 <= len(listing.categories.all()) <= 3
            assert 1 <= len(listing.tags) <= 8
            assert listing.company.website == f"https://{listing.company.website_key}"
            assert listing.company.website.endswith(".example")
            assert all(address.startswith("https://") for address in listing.company.socials.values())
            assert all(len(faq["question"]) <= 160 and len(faq["answer"]) <= 1500 for faq in listing.faqs)
            assert listing.submitted_at < timezone.now()
        assert Update.objects.count() >= 35
        assert not Update.objects.filter(created_at__lt=F("listing__launched_at")).exists()

    def test_every_company_has_a_logo_and_many_show_three_screenshots(self) -> None:
        companies = list(Company.objects.all())
        assert len(companies) >= 40
        logos = {read_picture(company.logo_key, "512.webp") for company in companies}
        assert len(logos) == len(companies)
        shown = [company for company in companies if len(company.shown_screenshots()) >= 3]
        assert len(shown) >= 15
        assert max(len(company.shown_screenshots()) for company in shown) == MAX_SCREENSHOTS
        shots = [shot for company in shown for shot in company.shown_screenshots()]
        assert len({read_picture(shot.key, f"{shot.width}.webp") for shot in shots}) == len(shots)
        assert not CompanyPicture.objects.filter(key="").exists()
        page = Client().get("/listings/orbitly", headers={"host": "testserver.localhost"}).content.decode()
        orbitly = Company.objects.get(name="Orbitly")
        assert all(key in page for key in (orbitly.logo_key, *(shot.key for shot in orbitly.shown_screenshots())))

    def test_founders_have_names_and_drawn_portraits(self) -> None:
        owners = User.objects.filter(companies__isnull=False).distinct()
        assert all(len(owner.name.split()) >= 2 for owner in owners)
        keys = FounderProfile.objects.exclude(photo_key="").values_list("photo_key", flat=True)
        assert len(keys) >= 12
        photos = {
            max(self.media.glob(f"**/{key}/*.webp"), key=lambda path: path.stat().st_size).read_bytes() for key in keys
        }
        assert len(photos) == len(keys)

    def test_there_is_something_in_every_state_of_a_listing_and_a_draft_to_review(self) -> None:
        assert Listing.objects.filter(status=Status.IN_REVIEW).count() == 1
        draft = Draft.objects.get()
        assert (draft.owner.email, draft.status) == (OWNER_EMAIL, Draft.Status.READY)
        result = {item["field"].split(".")[0] for item in draft.evidence}
        assert result <= set(draft.proposal)
        # What an answer proposes can be sent back.
        assert set(draft.proposal) <= DraftFieldsSerializer().fields.keys()
        browser = Client()
        browser.force_login(draft.owner)
        page = browser.get(f"/drafts/{draft.pk}", headers={"host": "testserver.localhost"})
        assert page.status_code == 200
        assert "Tidemark" in page.content.decode()

    def test_people_follow_and_orders_are_paid_and_delivered(self) -> None:
        assert Follow.objects.count() > 500
        assert not Follow.objects.filter(user=F("listing__company__owner")).exists()
        orders = Order.objects.filter(status=Order.Status.PAID)
        assert orders.count() >= 20
        assert all(order.payments.get().amount_cents == order.total_cents for order in orders)
        assert not OrderLine.objects.exclude(status=OrderLine.Status.FULFILLED).exists()
        running = Placement.objects.filter(week=str(Week.of(timezone.now())))
        assert {"billboard", "category_feature", "newsletter_slot"} <= set(running.values_list("product", flat=True))

    def test_updates_are_numbered_in_the_order_of_their_times(self) -> None:
        times = list(Update.objects.order_by("pk").values_list("created_at", flat=True))
        assert times == sorted(times)

    def test_listings_are_found(self) -> None:
        site = Site.objects.get(is_default=True)
        result = find_listings(site=site, text="timelines distributed", page=1, per_page=20)
        assert [listing.slug for listing in result.items] == ["orbitly"]
        assert not Listing.objects.filter(search_vector=None).exists()

    def test_stories_are_published_and_keep_the_sites_rules(self) -> None:
        site = Site.objects.get(is_default=True)
        stories = FounderStory.objects.published().filter(listing__site=site)
        assert stories.count() == 5
        for story in stories:
            lengths = {name: len(text.split()) for name, text in story.sections.items()}
            assert 320 <= sum(lengths.values()) <= 450
            assert min(lengths.values()) >= site.story_min_section_words
            assert len(lengths) >= site.story_min_sections
            assert lengths.keys() >= {"how_started", "problem"}
            assert 10 <= len(story.title) <= 90
            assert missing_profile_parts(story.listing.company.owner, site=site) == []
            assert story.published_at is not None
            assert story.listing.launched_at is not None
            assert story.listing.launched_at <= story.published_at <= timezone.now()

    def test_every_story_has_a_history_that_ends_in_its_words(self) -> None:
        for story in FounderStory.objects.all():
            last = story.versions.order_by("-id").first()
            assert last is not None
            assert last.snapshot == {"title": story.title, "sections": story.sections}
            assert (last.action == "published") is (story.published_at is not None)
            assert last.created_at in {story.published_at, story.updated_at}

    def test_the_owners_second_listing_has_a_draft_that_lacks_some_words(self) -> None:
        (draft,) = FounderStory.objects.filter(published_at=None)
        assert draft.author.email == OWNER_EMAIL
        assert draft.listing.slug == "marginalia"
        assert missing(draft)

    @pytest.mark.slow
    def test_those_who_told_their_story_have_pages_with_links(self) -> None:
        for story in FounderStory.objects.published():
            profile = FounderProfile.objects.get(user=story.author)
            assert profile.slug
            answer = Client().get(f"/founders/{profile.slug}", headers={"host": "testserver.localhost"})
            assert answer.status_code == 200
            assert all(f'href="{link}"' in answer.content.decode() for link in profile.links)

    @pytest.mark.slow
    def test_pages_show_the_data(self) -> None:
        browser = Client()
        for host, paths in {
            "testserver.localhost": [
                "/", "/updates", "/stories", "/stories/sundial", "/listings/orbitly", "/boards/community-monthly",
            ],
            "makers.localhost": ["/", "/listings/tessera", "/terms/sale", "/boards/community-all-time"],
        }.items():  # fmt: skip
            for path in paths:
                assert browser.get(path, headers={"host": host}).status_code == 200, f"{host}{path}"

    def test_the_owner_signs_in_and_the_key_works(self) -> None:
        site = Site.objects.get(is_default=True)
        owner = authenticate(username=self.sign_in["email"], password=self.sign_in["password"])
        assert isinstance(owner, User)
        assert self.sign_in["email"] == OWNER_EMAIL
        credential = resolve_bearer(self.sign_in["api_key"], Audience.REST)
        assert credential is not None
        assert credential.scopes == set(OWNER_SCOPES)
        assert resolve_bearer(self.sign_in["api_key"], Audience.MCP) is not None
        answer = ApiClient(owner, key=self.sign_in["api_key"]).get("/me/listings")
        assert answer.status_code == 200
        states = {item["slug"]: item["status"] for item in answer.json()["items"] if item["site"] == site.key}
        assert states == {"sundial": "live", "marginalia": "awaiting_badge"}
        profile = FounderProfile.objects.get(user=owner)
        with default_storage.open(f"{profile.photo_key}/512.webp") as stream, Image.open(stream) as image:
            assert image.size == (512, 512)

    def test_the_admin_signs_in_and_the_owner_is_none(self) -> None:
        admin = authenticate(username=self.sign_in["admin_email"], password=self.sign_in["admin_password"])
        assert isinstance(admin, User)
        assert admin.is_staff
        assert admin.is_superuser
        assert not User.objects.get(email=OWNER_EMAIL).is_staff
        browser = Client()
        browser.force_login(admin)
        assert browser.get("/admin/").status_code == 200

    def test_only_owner_and_admin_can_sign_in(self) -> None:
        others = User.objects.exclude(email__in=[OWNER_EMAIL, self.sign_in["admin_email"]])
        assert others.count() >= 200
        assert not any(other.has_usable_password() for other in others)
        assert not others.filter(is_staff=True).exists()

    def test_a_second_run_makes_nothing_and_keeps_what_works(self) -> None:
        path = self.media / "demo.json"
        before = _counts()
        path.write_text(json.dumps(self.sign_in))
        assert _seed("--credentials-file", str(path)) == self.sign_in
        assert _counts() == before
        assert ApiKey.objects.count() == 1

    def test_a_lost_key_is_replaced_and_the_password_stays(self) -> None:
        path = self.media / "demo.json"
        revoke_api_key(key=ApiKey.objects.get())
        path.write_text(json.dumps(self.sign_in))
        again = _seed("--credentials-file", str(path))
        assert again["password"] == self.sign_in["password"]
        assert again["api_key"] != self.sign_in["api_key"]
        assert resolve_bearer(again["api_key"], Audience.REST) is not None

    def test_lost_credentials_are_replaced(self) -> None:
        path = self.media / "demo.json"
        before = _counts()
        for content in (None, "", "[]", '{"email": "a", "password": "", "api_key": ""}'):
            if content is not None:
                path.write_text(content)
            again = _seed("--credentials-file", str(path))
            assert authenticate(username=again["email"], password=again["password"]), content
            assert resolve_bearer(again["api_key"], Audience.REST) is not None
            assert resolve_bearer(self.sign_in["api_key"], Audience.REST) is not None, "a key in use stays good"
            assert _counts() == before

    def test_json_only_prints_one_line(self) -> None:
        out = StringIO()
        call_command("seed_demo", "--json", stdout=out)
        named = {"email", "password", "api_key", "admin_email", "admin_password"}
        assert set(json.loads(out.getvalue())) == named


@pytest.mark.slow
@pytest.mark.django_db
def test_there_is_no_admin_outside_local_mode(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path
    settings.LOCAL = False
    sign_in = _seed()
    assert (sign_in["admin_email"], sign_in["admin_password"]) == ("", "")
    assert not User.objects.filter(is_staff=True).exists()
    assert not User.objects.filter(is_superuser=True).exists()


@pytest.mark.slow
@pytest.mark.django_db
def test_a_listing_that_is_there_keeps_its_address(site: Site, settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path
    ListingFactory(slug="harbor")
    _seed()
    assert set(Listing.objects.filter(site=site, slug__startswith="harbor").values_list("slug", flat=True)) == {
        "harbor",
        "harbor-demo",
    }


@pytest.mark.slow
@pytest.mark.django_db
@time_machine.travel("2026-12-28T00:00:10Z", tick=False)
def test_a_week_that_has_just_begun_has_votes(site: Site, settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path
    _seed()
    opened = Listing.objects.filter(site=site, launch_week="2026-W53")
    assert opened.count() == 10
    assert all(listing.votes > 0 for listing in opened)
    assert not Vote.objects.filter(created_at__gt=timezone.now()).exists()
    assert Listing.objects.filter(site=site, launch_week="2027-W01", status=Status.SCHEDULED).exists()


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize(
    "moment", ["2026-12-28T00:00:10Z", "2026-11-04T09:00:00Z", "2028-02-29T20:00:00Z", "2026-11-08T23:59:00Z"]
)
def test_on_every_day_the_owners_figures_rise(site: Site, settings: Any, tmp_path: Path, moment: str) -> None:
    settings.MEDIA_ROOT = tmp_path
    with time_machine.travel(moment, tick=False):
        _seed()
        owner = User.objects.get(email=OWNER_EMAIL)
        browser = Client(headers={"host": "testserver.localhost"})
        browser.force_login(owner)
        totals = list(browser.get("/account").context["totals"])
        listing = Listing.objects.get(company__owner=owner, site=site, status=Status.LIVE)
        shown = browser.get(f"{listing.path}/statistics?days=7").context["totals"]
    changes = {total["label"]: total["change"] for total in totals} | {total.label: total.change for total in shown}
    # Votes are cast in the launch week only.
    assert changes.pop("Votes") == ""
    assert len(changes) == 5
    assert all(10 <= int(change.removeprefix("+").removesuffix("%")) <= 200 for change in changes.values()), changes


def test_the_pictures_stay_small() -> None:
    files = [
        *Path("apps").glob("*/demo_data/pictures/**/*.*"),
        *Path("apps/accounts/demo_data/portraits").iterdir(),
    ]
    assert len(files) > 100
    assert sum(path.stat().st_size for path in files) < 3_000_000
