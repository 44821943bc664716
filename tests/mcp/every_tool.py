"""A call of every tool, in an order in which each finds what it needs."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from apps.core.text.weeks import Week
from apps.launches.calendar.launch_weeks import current_week
from apps.listings.models import Listing
from apps.stories.models import InterviewQuestion
from tests.drafts.factories import DraftFactory
from tests.factories import ListingFactory, complete_profile
from tests.stories.writing import enough

# Names with arguments. The answer to each is sent in.
Calls = Generator[tuple[str, dict[str, Any]], dict[str, Any], None]

READ = {"field": "headline", "source": "og", "selector": "h1", "snippet": "h" * 200, "confidence": 0.9, "value": "A"}
PAGE = {"page_url": "https://tidewater.example.com/", "page_sha256": "3f1d" * 16}


@dataclass(frozen=True)
class Rows:
    """What the calls are about: a live listing, two that are not launched, and two long drafts of its owner."""

    listing: Listing
    waiting_id: int
    scheduled_id: int
    draft_ids: tuple[int, int]
    question_id: int
    week: Week


def make_rows(listing: Listing) -> Rows:
    owner, week = listing.company.owner, current_week() + 4
    if not hasattr(owner, "founder_profile"):
        complete_profile(owner)
    scheduled = ListingFactory.create(
        company__owner=owner, status=Listing.Status.SCHEDULED, plan=Listing.Plan.PAID, launch_week=str(week)
    )
    drafts = [
        DraftFactory.create(
            owner=owner,
            ready=True,
            url=f"https://tidewater-{listing.pk}-{number}.example.com/",
            proposal={"name": "Tidewater", "headline": "Tides", "summary": "s" * 600, "description": "d" * 2000},
            evidence=[{**READ, **PAGE, "runners_up": [{**READ, **PAGE}] * 5}] * 20,
            pages_read=[{"url": f"{PAGE['page_url']}{page}", "kind": "about", "reason": ""} for page in range(40)],
        ).pk
        for number in range(2)
    ]
    return Rows(
        listing=listing,
        waiting_id=ListingFactory.create(company__owner=owner).pk,
        scheduled_id=scheduled.pk,
        draft_ids=(drafts[0], drafts[1]),
        question_id=InterviewQuestion.objects.earliest("pk").pk,
        week=week,
    )


def calls(rows: Rows) -> Calls:
    """Yield each tool with its arguments once."""
    listing = {"listing_id": rows.listing.pk}
    draft, submitted = rows.draft_ids
    yield "list_categories", {}
    yield "list_interview_questions", {}
    yield "get_leaderboard", {"board": "community-weekly"}
    yield "search_listings", {}
    yield "get_listing", {"slug": rows.listing.slug}
    yield "list_products", {}
    yield "list_weeks", {}

    claim = yield "claim_website", {"url": rows.listing.company.website}
    yield "check_claim", {"id": claim["id"]}
    created = yield "create_draft", {"url": f"https://tidewater-{rows.listing.pk}-2.example.com/"}
    yield "cancel_draft", {"id": created["id"]}
    yield "get_draft", {"id": draft}
    yield "update_draft", {"id": draft, "fields": {"headline": "Tides"}}
    yield "submit_draft", {"id": submitted, "fields": {"headline": "Tides", "categories": []}}

    yield "update_profile", {"role": "Founder"}
    yield "get_profile", {}
    yield "list_my_listings", {}
    yield "get_my_listing", listing
    yield "update_my_listing", {**listing, "fields": {"city": "Brest"}}
    milestone = yield "add_milestone", {**listing, "date": "2026-01-02", "title": "1,000 skippers"}
    yield "delete_milestone", {**listing, "milestone_id": milestone["id"]}
    update = yield "post_listing_update", {**listing, "title": "Passages", "body": "Tidewater says when to leave."}
    yield "delete_listing_update", {**listing, "update_id": update["id"]}
    yield "set_founder_story", {**listing, **enough()}
    yield "unpublish_story", listing
    yield "answer_interview", {"answers": [{"question_id": rows.question_id, "answer": "A"}]}
    versions = yield "list_versions", listing
    yield "restore_version", {**listing, "version_id": versions["items"][-1]["id"]}
    yield "get_statistics", listing
    yield "get_badges", listing
    yield "recrawl_listing", {"listing_id": rows.waiting_id}
    yield "choose_free_listing", {"listing_id": rows.waiting_id}
    yield "move_launch", {"listing_id": rows.scheduled_id, "week": str(rows.week + 1)}

    cart = {
        "items": [{"product": "newsletter_slot", **listing, "weeks": [str(rows.week)]}],
        "billing_country": "DE",
    }
    yield "quote_order", cart
    order = yield "create_checkout", cart
    yield "get_order", {"number": order["number"]}
    yield "list_my_orders", {}
    yield "cancel_order", {"number": order["number"]}
    yield "archive_listing", listing
    yield "list_events", {}


class Conversation:
    """The calls one after another, with the names of those that were answered."""

    def __init__(self, wanted: Calls) -> None:
        self._wanted = wanted
        self._asked = ""
        self.names: set[str] = set()

    def after(self, answer: Any) -> tuple[str, dict[str, Any]] | None:
        """The call after an answer, and the first one after None; nothing after the last answer."""
        if self._asked:
            # A refusal is a problem in text, or has a list of errors.
            assert isinstance(answer, dict), (self._asked, answer)
            assert "errors" not in answer, (self._asked, answer)
            self.names.add(self._asked)
        try:
            call = self._wanted.send(answer) if self._asked else next(self._wanted)
        except StopIteration:
            return None
        self._asked = call[0]
        return call
