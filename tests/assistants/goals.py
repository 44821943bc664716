"""What assistants are asked to do: thirty tasks, each with the fewest calls that it takes and a look at the result."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import httpx2

from apps.core.text.weeks import Week
from tests.assistants.client import Answer
from tests.assistants.reader import Goal

_SECTION = "We wrote the first lines because nobody else would, and kept the ones that people used every day. " * 5
_STORY = {
    "title": "How a spreadsheet became a product",
    **dict.fromkeys(("how_started", "problem", "what_built", "hard_parts"), _SECTION.strip()),
}


@dataclass
class Owner:
    """An account with its listings by kind, a website that can be drafted, and a client to look at the result with."""

    name: str
    listings: Mapping[str, int]
    website: str
    rest: httpx2.Client

    def listing(self, kind: str) -> dict[str, Any]:
        """The listing's own view with everything that is left out by default."""
        include = {"include": "founder_story,versions"}
        return self.get(f"me/listings/{self.listings[kind]}", **include)

    def newest(self) -> dict[str, Any]:
        """The listing that was submitted last, or nothing."""
        result = [one for one in self.items("me/listings") if one["id"] not in self.listings.values()]
        return self.get(f"me/listings/{result[0]['id']}") if result else {}

    def orders(self) -> list[dict[str, Any]]:
        return self.items("orders", include="lines,vat")

    def get(self, path: str, **params: str) -> dict[str, Any]:
        result: dict[str, Any] = self.rest.get(path, params=params).raise_for_status().json()
        return result

    def items(self, path: str, **params: str) -> list[dict[str, Any]]:
        result: list[dict[str, Any]] = self.get(path, per_page="100", **params)["items"]
        return result

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        result: dict[str, Any] = self.rest.post(path, json=body).raise_for_status().json()
        return result


Facts = Callable[[Owner], Mapping[str, Any]]
IsDone = Callable[[Owner, Answer], Any]


@dataclass(frozen=True)
class Task:
    """A goal in words; `listing` is the kind of listing that it is about, and `before` what was done earlier."""

    text: str
    is_done: IsDone
    fewest: int
    listing: str = ""
    facts: Mapping[str, Any] | Facts = field(default_factory=dict)
    before: Callable[[Owner], object] | None = None
    reads_website: bool = False

    def goal(self, owner: Owner) -> Goal:
        facts = dict(self.facts(owner) if callable(self.facts) else self.facts)
        if self.listing:
            facts["listing"] = f"{self.listing} {owner.name}"
        return Goal(self.text, facts)


def week(ahead: int) -> str:
    return str(Week.of(datetime.now(UTC)) + ahead)


def _launch(owner: Owner) -> dict[str, Any]:
    return {"product": "launch", "listing_id": owner.listings["New"]}


def _has_line(owner: Owner, product: str, **fields: Any) -> bool:
    """Whether there is one order, of this product, with these values."""
    [order] = owner.orders()
    [line] = order["lines"]
    return line["product"] == product and all(order.get(name) == value for name, value in fields.items())


def _texts(rows: Iterable[Mapping[str, Any]], name: str) -> list[Any]:
    return [row[name] for row in rows]


def _website(owner: Owner) -> Mapping[str, Any]:
    return {"url": owner.website}


TASKS = (
    # ---- drafts ----
    Task(
        "Create a draft from the website.",
        lambda owner, last: last.body["status"] == "ready" and last.body["proposal"]["name"],
        1,
        facts=_website,
        reads_website=True,
    ),
    Task(
        "Create a draft from the website. Submit the draft.",
        lambda owner, last: owner.newest()["status"] == "draft",
        2,
        facts=_website,
        reads_website=True,
    ),
    Task(
        "Create a draft from the website. Edit the values the draft proposes. Submit the draft.",
        lambda owner, last: owner.newest()["headline"] == "Invoices that write themselves",
        3,
        facts=lambda owner: {"url": owner.website, "fields": {"headline": "Invoices that write themselves"}},
        reads_website=True,
    ),
    Task(
        "Create a draft from the website. Submit the draft. Choose the free plan for the listing.",
        lambda owner, last: (owner.newest()["plan"], owner.newest()["status"]) == ("free", "scheduled"),
        3,
        facts=_website,
        reads_website=True,
    ),
    Task(
        "Create a draft from the website. Submit the draft. Create an order for the checkout.",
        lambda owner, last: (
            last.body["checkout_url"] and owner.orders()[0]["lines"][0]["listing_id"] == owner.newest()["id"]
        ),
        3,
        facts=lambda owner: {"url": owner.website, "product": "launch", "week": "now"},
        reads_website=True,
    ),
    Task(
        "Create a draft from the website. Discard the draft: cancel it.",
        lambda owner, last: owner.newest() == {} and last.body["status"] in ("cancelled", "discarded"),
        2,
        facts=_website,
        reads_website=True,
    ),
    # ---- listings ----
    Task(
        "Edit my listing: update the headline.",
        lambda owner, last: owner.listing("Live")["headline"] == "One page for every client",
        2,
        "Live",
        {"fields": {"headline": "One page for every client"}},
    ),
    Task(
        "Edit my listing: update the country.",
        lambda owner, last: owner.listing("Live")["country"] == "DE",
        3,
        "Live",
        {"fields": {"country": "Germany"}},
    ),
    Task(
        "Edit my listing: update the questions.",
        lambda owner, last: _texts(owner.listing("Live")["faqs"], "question") == ["Is there a trial?"],
        2,
        "Live",
        {"faqs": [{"question": "Is there a trial?", "answer": "Yes, for two weeks."}]},
    ),
    Task(
        "Edit my listing: update the social links.",
        lambda owner, last: "github" in owner.listing("New")["socials"],
        2,
        "New",
        {"socials": {"github": "https://github.com/example"}},
    ),
    Task(
        "Add a dated milestone to the listing.",
        lambda owner, last: _texts(owner.listing("Live")["milestones"], "title") == ["First customer"],
        2,
        "Live",
        {"date": "2026-05-01", "title": "First customer"},
    ),
    Task(
        "Delete a milestone from the listing.",
        lambda owner, last: _texts(owner.listing("Live")["milestones"], "title") == ["Second"],
        3,
        "Live",
        {"title": "First"},
        before=lambda owner: [
            owner.post(f"me/listings/{owner.listings['Live']}/milestones", date="2026-05-01", title=title)
            for title in ("First", "Second")
        ],
    ),
    Task(
        "Post an update on the live listing.",
        lambda owner, last: _texts(owner.listing("Live")["updates"], "title") == ["Dark mode"],
        2,
        "Live",
        {"title": "Dark mode", "body": "It follows the system, or stays as you set it."},
    ),
    Task(
        "Delete the posted update from the listing.",
        lambda owner, last: owner.listing("Live")["updates"] == [],
        3,
        "Live",
        {"title": "Too early"},
        before=lambda owner: owner.post(
            f"me/listings/{owner.listings['Live']}/updates", title="Too early", body="It is not there yet."
        ),
    ),
    Task(
        "Remove the live listing from the directory: archive it.",
        lambda owner, last: (
            owner.listing("Live")["status"] == "archived" and owner.listing("Waiting")["status"] == "scheduled"
        ),
        2,
        "Live",
    ),
    Task(
        "Move the scheduled launch to another week.",
        lambda owner, last: owner.listing("Waiting")["launch_week"] == week(5),
        2,
        "Waiting",
        lambda owner: {"week": week(5)},
    ),
    Task("Get the badges of the listing.", lambda owner, last: last.body["items"][0]["html"], 2, "New"),
    Task(
        "Get the statistics of the listing: views and votes.",
        lambda owner, last: "views" in last.body["totals"],
        2,
        "Live",
    ),
    Task(
        "Set the listing's texts back to an earlier version: restore it.",
        lambda owner, last: owner.listing("New")["headline"] == "First words",
        2,
        "New",
        lambda owner: {"version_id": owner.listing("New")["versions"][1]["id"]},
        before=lambda owner: [
            owner.rest.patch(f"me/listings/{owner.listings['New']}", json={"fields": {"headline": text}})
            for text in ("First words", "Second words")
        ],
    ),
    # ---- orders ----
    Task(
        "Price a cart: quote the order.",
        lambda owner, last: last.body["vat"]["rate"] == 1900 and owner.orders() == [],
        3,
        "New",
        {"product": "launch", "billing_country": "Germany"},
    ),
    Task(
        "Create an order for the checkout.",
        lambda owner, last: _has_line(owner, "launch", status="pending"),
        2,
        "New",
        {"product": "launch", "week": "now", "billing_country": "FR"},
    ),
    Task(
        "Create an order for the checkout.",
        lambda owner, last: _has_line(owner, "newsletter_slot", status="pending"),
        2,
        "Live",
        lambda owner: {"product": "newsletter_slot", "weeks": [week(4)]},
    ),
    Task(
        "Cancel the unpaid order.",
        lambda owner, last: _has_line(owner, "launch", status="cancelled"),
        2,
        before=lambda owner: owner.post("orders/checkout", items=[_launch(owner)]),
    ),
    Task(
        "Get the order by number.",
        lambda owner, last: last.body["status"] == "pending" and last.body["checkout_url"],
        2,
        before=lambda owner: owner.post("orders/checkout", items=[_launch(owner)]),
    ),
    # ---- stories and profile ----
    Task(
        "Write the founder story of the listing.",
        lambda owner, last: owner.listing("Live")["founder_story"]["status"] == "published",
        2,
        "Live",
        _STORY,
    ),
    Task(
        "Unpublish the founder story.",
        lambda owner, last: owner.listing("Live")["founder_story"]["status"] == "draft",
        2,
        "Live",
        before=lambda owner: owner.rest.put(f"me/listings/{owner.listings['Live']}/story", json=_STORY),
    ),
    Task(
        "Answer the interview.",
        lambda owner, last: "It sends invoices." in str(last.body),
        2,
        facts={"answer": "It sends invoices."},
    ),
    Task(
        "Change the founder profile: update the role.",
        lambda owner, last: owner.get("me/profile")["role"] == "Chief mechanic",
        1,
        facts={"role": "Chief mechanic"},
    ),
    # ---- the directory ----
    Task(
        "Search the live listings by text. Get everything the listing's page shows.",
        lambda owner, last: last.body["slug"] == "ledgerline" and last.body["summary"],
        2,
        facts={"q": "Ledgerline"},
    ),
    Task(
        "Get the leaderboard for a week.",
        lambda owner, last: last.body["items"] and last.body["is_final"],
        1,
        facts=lambda owner: {"board": "community-weekly", "week": week(-1)},
    ),
)
