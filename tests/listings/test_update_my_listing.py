"""update_my_listing: every field with values that are taken and values that are refused, and who may change what."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.core.api import schema
from apps.core.api.scopes import Scope
from apps.core.models import OutgoingEmail
from apps.listings.api.requests import UpdateFieldsSerializer
from apps.listings.fields.names import COMPANY_FIELDS, SITE_FIELDS
from apps.listings.models import Company, Listing, ListingVersion
from apps.listings.services.moderation import restore_listing, suspend_listing
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import CategoryFactory, CompanyFactory, ListingFactory, SiteFactory, UserFactory, api_key
from tests.racing import run_at_once

pytestmark = pytest.mark.django_db

HTTPS = "https://acme.example/page"
LONG = "https://acme.example/" + "a" * 480
NO_HTTPS = [
    "http://acme.example/",
    "acme.example",
    "javascript:alert(1)",
    "https://",
    "https://localhost/",
    7,
    ["https://acme.example/"],
]

# Of each field what is taken, how it is stored, and what is refused.
FIELDS: dict[str, tuple[list[tuple[Any, Any]], list[Any]]] = {
    "name": (
        [("  Acme\u202e  Ltd ", "Acme Ltd"), ("<b>Acme</b>", "<b>Acme</b>")],
        ["", " ", "\u200b", "\u3164", "a" * 81, 7, [], ["a"]],
    ),
    "website": (
        [
            ("https://new.example", "https://new.example/"),
            ("https://New.example/a?b=c#d", "https://new.example/a"),
            ("https://\u0430cme.example/", "https://xn--cme-5cd.example/"),
        ],
        [
            *NO_HTTPS,
            [],
            "https://1.2.3",
            "https://10.0.0.1/",
            "https://me@acme.example/",
            "https://acme.example:8080/",
            "",
        ]
        + ["https://acme.example/" + "a" * 280, "https://github.com/acme/a%00b"],
    ),
    "headline": ([("h" * 80, "h" * 80)], ["", [], "\u202e", "h" * 81, True]),
    "summary": ([("Two\r\nlines", "Two\nlines")], ["", [], "s" * 601, {}]),
    "description": ([("", ""), ("<script>", "<script>")], ["d" * 6001]),
    "categories": (
        [([], []), (["books"], ["books"])],
        [["nope"], ["books", "books"], ["a", "b", "c", "d"], "books", [7], [None]],
    ),
    "tags": ([(["a", "b", "a"], ["a", "b"])], [["t"] * 9, [""], ["t" * 31], "a", {"a": 1}]),
    "alternatives": ([(["Other"], ["Other"])], [[str(n) for n in range(13)], ["a" * 81]]),
    "seo_title": ([("", ""), ("t" * 60, "t" * 60)], ["t" * 61]),
    "seo_description": ([("d" * 160, "d" * 160)], ["d" * 161]),
    "seo_keywords": ([("a, b", "a, b")], ["k" * 201]),
    "logo_url": ([(HTTPS, HTTPS), ("", "")], [*NO_HTTPS, LONG]),
    "screenshots": ([([HTTPS], [HTTPS])], [["http://acme.example/"], [HTTPS] * 13, HTTPS]),
    "video_url": ([(HTTPS + "?v=1#t=2", HTTPS + "?v=1#t=2")], NO_HTTPS),
    "docs_url": ([("https://b\u00fccher.example/#/a b", "https://xn--bcher-kva.example/#/a%20b")], NO_HTTPS),
    "openapi_url": ([(HTTPS, HTTPS)], NO_HTTPS),
    "mcp_url": ([(HTTPS, HTTPS)], NO_HTTPS),
    "llms_url": ([(HTTPS, HTTPS)], NO_HTTPS),
    "founded_year": ([(1800, 1800), ("", None)], [1799, 3000, "2019", 2019.5, True, 2**62]),
    "country": ([("DE", "DE"), ("", "")], ["de", "XX", "UK", "DEU", 49]),
    "city": ([("M\u00fcnchen", "M\u00fcnchen")], ["c" * 81]),
    "team_size": ([(1, 1), ("", None)], [0, -1, 2_000_001, "3"]),
    "stage": ([("seed", "seed")], ["s" * 41]),
    "funding": ([("bootstrapped", "bootstrapped")], ["f" * 81]),
    "legal_name": ([("Acme GmbH", "Acme GmbH")], ["l" * 121]),
    "contact_email": (
        [("hello@acme.example", "hello@acme.example"), ("a@b\u00fccher.example", "a@xn--bcher-kva.example"), ("", "")],
        ["hello", "hello@", 7],
    ),
    "pricing_model": ([("open_source", "open_source"), ("", "")], ["cheap", 1, ["free"]]),
    "price_from_cents": ([(0, 0), ("", None)], [-1, 10**11 + 1, 9.5, "9"]),
    "price_currency": ([("EUR", "EUR"), ("", "USD")], ["eur", "XXX", "€", 1]),
    "price_period": ([("month", "month"), ("once", "once"), ("", "")], ["monthly", 12]),
    "platforms": ([(["web", "iOS"], ["web", "iOS"])], [["p" * 41], [str(n) for n in range(13)]]),
    "tech_stack": ([(["Django"], ["Django"])], [[str(n) for n in range(21)]]),
    "audience": ([("Teams", "Teams")], ["a" * 161]),
}
TAKEN = [(name, sent, stored) for name, (good, _) in FIELDS.items() for sent, stored in good]
REFUSED = [(name, sent) for name, (_, bad) in FIELDS.items() for sent in bad]


@pytest.fixture
def listing(owner: ApiClient, site: Site) -> Listing:
    CategoryFactory.create(site=site, slug="books")
    company = CompanyFactory.create(
        owner=owner.user,
        website="https://acme.example/",
        website_key="acme.example",
        city="Berlin",
        founded_year=2020,
        team_size=3,
        price_from_cents=100,
    )
    return ListingFactory.create(live=True, company=company, site=site, headline="Old", summary="Old summary.")


def update(client: ApiClient, listing: Listing, body: Any, **headers: str) -> Any:
    return client.patch(f"/me/listings/{listing.pk}", body, **headers)


def stored_of(listing: Listing, name: str) -> Any:
    return everything(listing)[name]


def everything(listing: Listing) -> dict[str, Any]:
    listing = Listing.objects.select_related("company").get(pk=listing.pk)
    of_company = {name: getattr(listing.company, name) for name in COMPANY_FIELDS}
    of_listing = {name: getattr(listing, name) for name in SITE_FIELDS}
    return of_company | of_listing | {"categories": [category.slug for category in listing.categories.all()]}


def test_the_table_has_every_field() -> None:
    assert set(FIELDS) == set(UpdateFieldsSerializer().fields)
    assert set(FIELDS) | {"socials", "faqs"} == COMPANY_FIELDS | SITE_FIELDS | {"categories"}


@pytest.mark.parametrize(("name", "sent", "stored"), TAKEN)
def test_a_field_is_changed_and_nothing_else(
    owner: ApiClient, listing: Listing, name: str, sent: Any, stored: Any
) -> None:
    before = everything(listing)
    answer = update(owner, listing, {"fields": {name: sent}})
    assert answer.status_code == 200
    assert everything(listing) == {**before, name: stored}
    assert answer.json()[name] == stored
    assert answer.json()["changed"] == ([] if before[name] == stored else [name])


# What a listing always has.
KEPT = {"name", "website", "headline", "summary"}


@pytest.mark.parametrize("name", sorted(FIELDS.keys() - KEPT))
def test_what_is_empty_clears_a_field_and_null_leaves_it(owner: ApiClient, listing: Listing, name: str) -> None:
    full = next((sent for sent, stored in FIELDS[name][0] if stored and stored != "USD"), 300)
    before = everything(listing)
    empties: tuple[Any, ...] = ("", [])
    for empty in empties:
        assert update(owner, listing, {"fields": {name: full}}).status_code == 200
        assert update(owner, listing, {"fields": {name: None}}).json()["changed"] == []
        assert stored_of(listing, name)
        answer = update(owner, listing, {"fields": {name: empty}})
        assert (answer.status_code, answer.json()["changed"]) == (200, [name])
        assert stored_of(listing, name) in (None, "", [], "USD")
    assert everything(listing) == {**before, name: stored_of(listing, name)}


@pytest.mark.parametrize("empty", ["", [], {}], ids=str)
def test_what_is_empty_clears_lists_beside_fields(owner: ApiClient, listing: Listing, empty: Any) -> None:
    Company.objects.update(socials={"x": "https://x.com/old"})
    Listing.objects.update(faqs=[{"question": "Old?", "answer": "Yes."}])
    body = update(owner, listing, {"socials": empty, "faqs": empty}).json()
    assert (body["socials"], body["faqs"], body["changed"]) == ({}, [], ["socials", "faqs"])


@pytest.mark.parametrize(("name", "sent"), REFUSED)
def test_a_bad_value_is_refused_with_its_pointer(owner: ApiClient, listing: Listing, name: str, sent: Any) -> None:
    before = everything(listing)
    answer = update(owner, listing, {"fields": {"city": "Paris", "stage": "late", name: sent}})
    assert answer.status_code == 422
    problems = answer.json()["errors"]
    assert all(problem["pointer"].startswith(f"/fields/{name}") and problem["detail"] for problem in problems)
    assert problems
    assert everything(listing) == before
    assert not ListingVersion.objects.exists()
    assert not OutgoingEmail.objects.exists()


@pytest.mark.parametrize(
    ("body", "pointer", "hint"),
    [
        ({"fields": {"headlin": "a"}}, "/fields/headlin", "Did you mean headline?"),
        ({"fields": {"zzzz": "a"}}, "/fields/zzzz", "Use one of: "),
        ({"fields": {"status": "live"}}, "/fields/status", "Unknown key"),
        ({"fields": {"website_key": "a"}}, "/fields/website_key", "Did you mean website?"),
        ({"fields": {"socials": {}}}, "/fields/socials", "beside `fields`"),
        ({"fields": {"faqs": []}}, "/fields/faqs", "beside `fields`"),
        ({"fields": []}, "/fields", ""),
        ({"field": {}}, "/field", "Did you mean fields?"),
        ({"socials": {"twitter": HTTPS}}, "/socials/twitter", "Unknown platform"),
        ({"socials": {"githib": HTTPS}}, "/socials/githib", "Did you mean github?"),
        ({"socials": {"x": "http://x.com/acme"}}, "/socials/x", "https"),
        ({"socials": {"x": "https://evil.example/acme"}}, "/socials/x", "Use the URL of a profile on x"),
        ({"socials": {"x": "https://\u0445.com/acme"}}, "/socials/x", "Use the URL of a profile on x"),
        ({"socials": ["https://x.com/acme"]}, "/socials", ""),
        ({"faqs": [{"question": "", "answer": "a"}]}, "/faqs/0/question", ""),
        ({"faqs": [{"question": "a"}]}, "/faqs/0/answer", ""),
        ({"faqs": [{"question": "a", "answer": "a", "extra": 1}]}, "/faqs/0/extra", "Unknown key"),
        ({"faqs": [{"question": "a" * 161, "answer": "a"}]}, "/faqs/0/question", ""),
        ({"faqs": [{"question": "a", "answer": "a" * 1501}]}, "/faqs/0/answer", ""),
        ({"faqs": [{"question": str(n), "answer": "a"} for n in range(13)]}, "/faqs", "up to 12"),
        ({"apply_to": "all"}, "/apply_to", ""),
        ({"apply_to": ["all", "makers"]}, "/apply_to", "on its own"),
        ({"apply_to": [7]}, "/apply_to/0", ""),
        ({"apply_to": [str(n) for n in range(51)]}, "/apply_to", "up to 50"),
    ],
)
def test_the_body_is_strict(owner: ApiClient, listing: Listing, body: Any, pointer: str, hint: str) -> None:
    before = everything(listing)
    answer = update(owner, listing, body)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == pointer
    assert hint in answer.json()["errors"][0]["detail"]
    assert everything(listing) == before


@pytest.mark.parametrize(
    "body",
    [
        dict.fromkeys(("fields", "apply_to", "socials", "faqs")),
        {"fields": dict.fromkeys(("headline", "name", "website", "summary", "team_size"))},
    ],
    ids=["arguments", "fields"],
)
def test_null_changes_nothing(owner: ApiClient, listing: Listing, body: Any) -> None:
    Company.objects.update(socials={"x": "https://x.com/old"}, team_size=3)
    Listing.objects.update(faqs=[{"question": "Old?", "answer": "Yes."}])
    before = everything(listing)
    answer = update(owner, listing, body)
    assert (answer.status_code, answer.json()["changed"]) == (200, [])
    assert everything(listing) == before


def test_a_huge_list_gets_one_short_answer(owner: ApiClient, listing: Listing) -> None:
    answer = update(owner, listing, {"fields": {"tags": [1] * 100_000}})
    assert [problem["pointer"] for problem in answer.json()["errors"]] == ["/fields/tags"]
    assert len(answer.content) < 1000


def test_socials_and_faqs_replace_what_is_there(owner: ApiClient, listing: Listing) -> None:
    Company.objects.update(socials={"x": "https://x.com/old"})
    Listing.objects.update(faqs=[{"question": "Old?", "answer": "Yes."}])
    socials = {"github": "https://github.com/acme", "rss": "https://acme.example/feed"}
    faqs = [{"question": "New?", "answer": "Line\none <b>"}]
    body = update(owner, listing, {"socials": socials, "faqs": faqs}).json()
    assert (body["socials"], body["faqs"], body["changed"]) == (socials, faqs, ["socials", "faqs"])
    body = update(owner, listing, {"socials": {}, "faqs": []}).json()
    assert (body["socials"], body["faqs"]) == ({}, [])


def test_an_unknown_category_names_those_there_are(owner: ApiClient, listing: Listing) -> None:
    other = CategoryFactory.create(slug="of-another-site")
    answer = update(owner, listing, {"fields": {"categories": ["books", other.slug]}})
    assert (answer.status_code, answer.json()["code"]) == (422, "unknown_category")
    assert answer.json()["errors"][0]["pointer"] == "/fields/categories/1"
    _, _, known = answer.json()["detail"].partition("Use one of: ")
    assert ("books" in known, other.slug in known) == (True, False)
    assert ["list_categories" in step for step in answer.json()["next_steps"]] == [True]


def test_markup_stays_text_on_the_page(owner: ApiClient, listing: Listing) -> None:
    update(owner, listing, {"fields": {"headline": "<script>alert(1)</script>"}})
    page = owner.http.get(listing.path, headers={"host": "testserver.localhost"})
    assert "<script>alert(1)" not in page.content.decode()
    assert "&lt;script&gt;alert(1)" in page.content.decode()


def test_an_edit_is_public_at_once(owner: ApiClient, anonymous: ApiClient, listing: Listing) -> None:
    fields = {"name": "Zephyrine", "headline": "Quixotic invoices", "categories": ["books"]}
    assert update(owner, listing, {"fields": fields}).status_code == 200
    for word in ("zephyrine", "quixotic"):
        assert [item["id"] for item in anonymous.get("/listings", {"q": word}).json()["items"]] == [listing.pk]
    result = anonymous.get("/listings", {"category": "books"}).json()["items"]
    assert [item["headline"] for item in result] == ["Quixotic invoices"]


def test_a_new_name_is_found_on_every_site(owner: ApiClient, listing: Listing) -> None:
    twin = ListingFactory.create(live=True, company=listing.company, site=SiteFactory.create(host="twin.localhost"))
    update(owner, listing, {"fields": {"name": "Zephyrine"}})
    there = ApiClient(host="twin.localhost").get("/listings", {"q": "zephyrine"}).json()["items"]
    assert [item["id"] for item in there] == [twin.pk]


def test_nothing_to_change_changes_nothing(owner: ApiClient, listing: Listing) -> None:
    bodies: list[dict[str, Any]] = [{}, {"fields": {}}, {"fields": {"headline": "Old", "founded_year": 2020}}]
    for body in bodies:
        answer = update(owner, listing, body)
        assert (answer.status_code, answer.json()["changed"], answer.json()["applied"]) == (200, [], [])
    assert not ListingVersion.objects.exists()
    assert not OutgoingEmail.objects.exists()


# Who may


def test_others_and_nobody_change_nothing(
    owner: ApiClient, other_owner: ApiClient, anonymous: ApiClient, listing: Listing
) -> None:
    before = everything(listing)
    body = {"fields": {"headline": "Mine now"}, "apply_to": ["all"]}
    reading = ApiClient(owner.account, key=api_key(owner.account, [Scope.ACCOUNT_READ, Scope.ORDERS_WRITE]))
    assert update(other_owner, listing, body).status_code == 404
    assert update(anonymous, listing, body).status_code == 401
    assert update(reading, listing, body).status_code == 403
    assert everything(listing) == before
    assert not ListingVersion.objects.exists()


@pytest.mark.parametrize("status", [status for status in Listing.Status if status != Listing.Status.REJECTED])
def test_a_listing_is_edited_in_every_other_status(owner: ApiClient, listing: Listing, status: str) -> None:
    left = "live" if status == Listing.Status.SUSPENDED else ""
    Listing.objects.update(status=status, suspended_from=left)
    assert update(owner, listing, {"fields": {"headline": "New"}}).json()["changed"] == ["headline"]


def test_a_rejected_listing_is_not_edited(owner: ApiClient, listing: Listing) -> None:
    Listing.objects.update(status=Listing.Status.REJECTED)
    before = everything(listing)
    answer = update(owner, listing, {"fields": {"headline": "New", "name": "New"}})
    assert (answer.status_code, answer.json()["code"]) == (409, "not_editable")
    assert everything(listing) == before


def test_a_key_makes_a_retry_safe(owner: ApiClient, listing: Listing) -> None:
    first = update(owner, listing, {"fields": {"headline": "New"}}, Idempotency_Key="one")
    update(owner, listing, {"fields": {"headline": "Newer"}})
    again = update(owner, listing, {"fields": {"headline": "New"}}, Idempotency_Key="one")
    assert again["Idempotency-Replayed"] == "true"
    assert again.content == first.content
    assert stored_of(listing, "headline") == "Newer"


# The website


def test_a_new_website_is_compared_from_then_on(owner: ApiClient, listing: Listing) -> None:
    body = update(owner, listing, {"fields": {"website": "https://www.moved.example/en/?a=b"}}).json()
    assert (body["url"], body["website"]) == ("https://www.moved.example/en/",) * 2
    assert Company.objects.get().website_key == "moved.example"


@pytest.mark.parametrize("website", ["https://acme.example", "https://ACME.example/"])
def test_the_same_website_is_no_change(owner: ApiClient, listing: Listing, website: str) -> None:
    assert update(owner, listing, {"fields": {"website": website}}).json()["changed"] == []


def test_a_website_of_another_account_leads_to_the_claim(owner: ApiClient, listing: Listing) -> None:
    CompanyFactory.create(website="https://taken.example/", website_key="taken.example")
    before = everything(listing)
    answer = update(owner, listing, {"fields": {"website": "https://www.taken.example", "headline": "New"}})
    assert (answer.status_code, answer.json()["code"]) == (409, "website_taken")
    assert "/claims/new?url=" in answer.json()["claim_url"]
    assert answer.json()["errors"][0]["pointer"] == "/fields/website"
    assert everything(listing) == before


def test_a_website_of_ones_own_other_company_is_refused(owner: ApiClient, listing: Listing) -> None:
    CompanyFactory.create(owner=owner.user, name="Twin", website="https://twin.example/", website_key="twin.example")
    answer = update(owner, listing, {"fields": {"website": "https://twin.example"}})
    assert (answer.status_code, answer.json()["code"]) == (409, "duplicate")
    assert "Twin" in answer.json()["detail"]
    assert "claim_url" not in answer.json()


def test_a_website_that_came_by_a_merge_is_the_site_teams_matter(owner: ApiClient, listing: Listing) -> None:
    CompanyFactory.create(website_key="old.example", merged_into=listing.company)
    answer = update(owner, listing, {"fields": {"website": "https://old.example/"}})
    assert (answer.status_code, answer.json()["code"]) == (409, "duplicate")
    assert "site admin" in answer.json()["next_steps"][0]


def test_a_moved_website_has_its_badge_looked_for_again(owner: ApiClient, listing: Listing) -> None:
    seen = timezone.now() - timedelta(days=3)
    known = {"badge_state": "found", "badge_seen_at": seen, "badge_failed_checks": 1, "badge_missing_since": seen}
    waiting, queued, live = (
        ListingFactory.create(company=listing.company, site=SiteFactory.create(), **known) for _ in range(3)
    )
    Listing.objects.filter(pk=waiting.pk).update(status="awaiting_badge", plan="free")
    Listing.objects.filter(pk=queued.pk).update(status="scheduled", plan="free", launch_week="2030-W01")
    update(owner, live, {"fields": {"website": "https://moved.example"}})
    for row in (waiting, queued, live):
        row.refresh_from_db()
    assert (waiting.badge_state, waiting.badge_seen_at, waiting.badge_failed_checks) == ("unchecked", None, 0)
    assert waiting.badge_check_at
    assert (queued.badge_state, queued.badge_seen_at, queued.badge_failed_checks) == ("found", seen, 1)
    assert queued.badge_check_at
    assert queued.launch_week == "2030-W01"
    assert live.badge_check_at is None


# Several sites


@pytest.fixture
def twins(listing: Listing) -> dict[str, Listing]:
    """The same company on two more sites."""
    sites = [SiteFactory.create(key=key) for key in ("makers", "tools")]
    return {
        site.key: ListingFactory.create(live=True, company=listing.company, site=site, headline="Theirs", tags=["t"])
        for site in sites
    }


TEXTS = {
    "headline": "New",
    "summary": "New summary.",
    "seo_title": "Title",
    "seo_description": "Words",
    "seo_keywords": "a",
}


def test_texts_travel_to_all_sites_and_nothing_else_does(
    owner: ApiClient, listing: Listing, twins: dict[str, Listing]
) -> None:
    stranger = ListingFactory.create(live=True, site=twins["makers"].site, headline="Somebody else's")
    fields = {**TEXTS, "description": "Stays", "tags": ["new"], "alternatives": ["B"], "categories": ["books"]}
    body = update(owner, listing, {"fields": fields, "apply_to": ["all"], "faqs": []}).json()
    assert [(change["site"], sorted(change["changed"]), change["reason"]) for change in body["applied"]] == [
        ("makers", sorted(TEXTS), ""),
        ("tools", sorted(TEXTS), ""),
    ]
    for twin in twins.values():
        twin.refresh_from_db()
        assert {name: getattr(twin, name) for name in TEXTS} == TEXTS
        assert (twin.description, twin.tags, twin.alternatives) == ("", ["t"], [])
        assert not twin.categories.exists()
    stranger.refresh_from_db()
    assert stranger.headline == "Somebody else's"
    there = ApiClient(host=twins["makers"].site.host).get("/listings", {"q": "new"}).json()["items"]
    assert [item["id"] for item in there] == [twins["makers"].pk]


def test_each_key_says_what_became_of_it(owner: ApiClient, listing: Listing, twins: dict[str, Listing]) -> None:
    elsewhere = SiteFactory.create(key="elsewhere")
    ListingFactory.create(live=True, site=elsewhere)
    Listing.objects.filter(pk=twins["tools"].pk).update(status="rejected")
    keys = ["makers", "tools", "nowhere", "elsewhere", "makers", listing.site.key]
    applied = update(owner, listing, {"fields": {"headline": "New"}, "apply_to": keys}).json()["applied"]
    assert [change["site"] for change in applied] == ["makers", "tools", "nowhere", "elsewhere", listing.site.key]
    assert [change["changed"] for change in applied] == [["headline"], [], [], [], []]
    reasons = {change["site"]: change["reason"] for change in applied}
    assert reasons["nowhere"] == reasons["elsewhere"] != ""
    assert "rejected" in reasons["tools"]
    assert "own site" in reasons[listing.site.key]
    twins["tools"].refresh_from_db()
    assert twins["tools"].headline == "Theirs"
    again = update(owner, listing, {"fields": {"headline": "New"}, "apply_to": ["makers"]}).json()
    assert (again["changed"], again["applied"][0]["changed"]) == ([], [])
    assert "up to date" in again["applied"][0]["reason"]


def test_without_texts_nothing_travels(owner: ApiClient, listing: Listing, twins: dict[str, Listing]) -> None:
    body = update(owner, listing, {"fields": {"tags": ["a"], "city": "Paris"}, "apply_to": ["all"]}).json()
    assert {change["changed"] == [] for change in body["applied"]} == {True}
    assert "headline" in body["applied"][0]["reason"]
    assert ListingVersion.objects.filter(listing__in=twins.values()).count() == 0


# At the same time


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_edits_at_once_lose_nothing(owner: ApiClient, listing: Listing, twins: dict[str, Listing]) -> None:
    fields = {"headline": "H", "summary": "S", "city": "C", "stage": "T", "seo_title": "O", "audience": "A"}
    rows = [listing, *twins.values()]
    schema.document()
    answers = run_at_once(
        *[
            lambda name=name, value=value, row=rows[number % 3]: update(
                ApiClient(key=owner.key), row, {"fields": {name: value}, "apply_to": ["all"]}
            )
            for number, (name, value) in enumerate(fields.items())
        ]
    )
    assert {answer.status_code for answer in answers} == {200}
    for row in rows:
        stored = everything(row)
        assert {name: stored[name] for name in fields} == fields
    assert ListingVersion.objects.filter(listing=None).exclude(changes=[]).count() == 3
    # One beginning for each row that was changed, however many came together.
    begun = ListingVersion.objects.filter(changes=[])
    assert begun.count() == 4


@pytest.mark.django_db(transaction=True)
def test_a_move_beside_the_site_teams_decisions_waits_for_nobody_for_ever(owner: ApiClient, listing: Listing) -> None:
    team = Actor(user=UserFactory.create(is_staff=True), via="admin")

    def suspend_and_restore() -> None:
        suspend_listing(listing=listing, reason="Looked at", by=team)
        restore_listing(listing=listing, by=team)

    moves = [{"fields": {"website": f"https://moved{number}.example/"}} for number in range(3)]
    answers = run_at_once(
        suspend_and_restore, *[lambda body=body: update(ApiClient(key=owner.key), listing, body) for body in moves]
    )
    assert [answer.status_code for answer in answers if answer is not None] == [200] * 3
    moved = ListingVersion.objects.filter(listing=None).exclude(changes=[]).order_by("id")
    steps = [(version.changes[0]["before"], version.changes[0]["after"]) for version in moved]
    assert [before for before, _ in steps] == ["https://acme.example/", *[after for _, after in steps[:-1]]]
    assert steps[-1][1] == Company.objects.get().website


@pytest.mark.django_db(transaction=True)
def test_two_companies_that_move_to_one_website_at_once(site: Site) -> None:
    people = [UserFactory.create(), UserFactory.create()]
    rows = [(ApiClient(person), ListingFactory.create(company__owner=person, site=site)) for person in people]
    body = {"fields": {"website": "https://coveted.example"}}
    answers = run_at_once(*[lambda client=client, row=row: update(client, row, body) for client, row in rows])
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    refused = next(answer for answer in answers if answer.status_code == 409)
    assert refused.json()["code"] == "website_taken"
    assert Company.objects.filter(website_key="coveted.example").count() == 1


def test_the_newest_twenty_versions_are_included(owner: ApiClient, listing: Listing) -> None:
    for number in range(11):
        update(owner, listing, {"fields": {"headline": f"Number {number}", "city": f"Number {number}"}})
    assert len(owner.get(f"/me/listings/{listing.pk}", {"include": "versions"}).json()["versions"]) == 20


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"fields": {"categories": ["ai", "ai"]}}, "/fields/categories/1"),
        (
            {"faqs": [{"question": "Why?", "answer": "So."}, {"question": "why?", "answer": "Because."}]},
            "/faqs/1/question",
        ),
        ({"faqs": [{"question": "Why?", "answer": "So."}] * 2}, "/faqs/1/question"),
    ],
)
def test_what_is_sent_twice_is_refused_where_it_stands(owner: ApiClient, body: dict[str, Any], pointer: str) -> None:
    listing = ListingFactory.create(company__owner=owner.user)
    answer = owner.patch(f"/me/listings/{listing.pk}", body)
    assert answer.status_code == 422
    assert [(error["pointer"], error["code"]) for error in answer.json()["errors"]] == [(pointer, "repeated")]
    listing.refresh_from_db()
    assert listing.faqs == []


def test_a_company_is_founded_this_year_at_the_latest(owner: ApiClient, listing: Listing) -> None:
    """The schema names no latest year, because the published document has to stay right next year."""
    year = timezone.now().year
    assert update(owner, listing, {"fields": {"founded_year": year}}).status_code == 200
    answer = update(owner, listing, {"fields": {"founded_year": year + 1}})
    assert [problem["code"] for problem in answer.json()["errors"]] == ["in_the_future"]
    fields = schema.document()["components"]["schemas"]["UpdateFieldsRequest"]["properties"]
    assert "maximum" not in fields["founded_year"]
