"""Votes: counted in the launch week, weighed by the rule, taken back exactly, and never twice."""

import threading
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import quote

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.core.api import schema
from apps.core.errors import Forbidden
from apps.core.stores.valkey.counters import Limit
from apps.launches.models import LedgerEntry, Standing, Vote, VoteLedger
from apps.launches.views import votes as views
from apps.launches.votes.ledger import chained
from apps.launches.votes.rankings import close_board, close_boards, copy_votes, enter_board
from apps.launches.votes.voting import NotVotable, VotingClosed, takes_votes, toggle_vote
from apps.listings.models import Listing
from apps.listings.services.creation import publish_listing
from apps.sites.models import Site
from tests.actors import in_browser
from tests.api import ApiClient
from tests.factories import ListingFactory, SiteFactory, access_token, api_key
from tests.launches.voting import WEEK, moment, person
from tests.racing import count_outcomes, run_at_once
from tests.waiting import wait_until_blocked

pytestmark = pytest.mark.db

Status = Listing.Status


def numbers(listing: Listing) -> tuple[int, int, int, int]:
    """People by the listing once they are copied, people and points by its standing, rows of votes."""
    copy_votes()
    listing.refresh_from_db()
    standing = Standing.objects.get(listing=listing)
    return listing.votes, standing.votes, standing.points, Vote.objects.filter(listing=listing).count()


def kinds() -> list[str]:
    return list(LedgerEntry.objects.order_by("ledger", "number").values_list("kind", flat=True))


def assert_chain(ledger: VoteLedger) -> None:
    """Numbers without gaps, every hash fits, and the row knows the end."""
    head = ""
    entries = list(LedgerEntry.objects.filter(ledger=ledger).order_by("number"))
    for number, entry in enumerate(entries, start=1):
        assert (entry.number, entry.body["number"], entry.body["kind"]) == (number, number, entry.kind)
        head = chained(head, entry.body)
        assert entry.hash == head
    ledger.refresh_from_db()
    assert (ledger.head, ledger.length) == (head, len(entries))


def test_a_vote_counts_everywhere_and_is_taken_back_everywhere(site: Site) -> None:
    listing, voter = ListingFactory.create(live=True), person()
    for people in (1, 0, 1):
        assert toggle_vote(listing=listing, by=in_browser(voter)) is bool(people)
        assert numbers(listing) == (people, people, 100 * people, people)
    assert kinds() == ["open", "launch", "cast", "withdraw", "cast"]
    assert_chain(VoteLedger.objects.get())


@pytest.mark.parametrize(("days_old", "points"), [(0, 50), (6, 50), (7, 100), (400, 100)])
def test_an_account_weighs_by_its_age(site: Site, days_old: int, points: int) -> None:
    with moment():
        listing = ListingFactory.create(live=True)
        toggle_vote(listing=listing, by=in_browser(person(days_old=days_old)))
        assert numbers(listing) == (1, 1, points, 1)


def test_the_owners_vote_counts_as_a_person_without_points(site: Site) -> None:
    listing = ListingFactory.create(live=True)
    toggle_vote(listing=listing, by=in_browser(listing.company.owner))
    assert numbers(listing) == (1, 1, 0, 1)


def test_the_rule_of_the_week_holds_when_an_admin_changes_it(site: Site) -> None:
    with moment():
        listing = ListingFactory.create(live=True)
        Site.objects.update(vote_new_account_percent=0, vote_new_account_days=60)
        toggle_vote(listing=listing, by=in_browser(person(days_old=2)))
        toggle_vote(listing=listing, by=in_browser(person(days_old=30)))
        assert numbers(listing) == (2, 2, 150, 2)
    with moment(WEEK + 1):
        following = ListingFactory.create(live=True)
        toggle_vote(listing=following, by=in_browser(person(days_old=30)))
        assert numbers(following) == (1, 1, 0, 1)


def test_taking_back_takes_what_was_cast_and_not_what_it_would_weigh_today(site: Site) -> None:
    with moment(hours=1):
        listing, voter = ListingFactory.create(live=True), person(days_old=6)
        toggle_vote(listing=listing, by=in_browser(voter))
        assert numbers(listing) == (1, 1, 50, 1)
    with moment(hours=60):
        toggle_vote(listing=listing, by=in_browser(voter))
        assert numbers(listing) == (0, 0, 0, 0)
        toggle_vote(listing=listing, by=in_browser(voter))
        assert numbers(listing) == (1, 1, 100, 1)


@pytest.mark.parametrize("status", [status for status in Status.values if status != Status.LIVE])
def test_what_is_not_live_takes_no_votes_and_nothing_changes(site: Site, status: str) -> None:
    listing, voter = ListingFactory.create(live=True), person()
    toggle_vote(listing=listing, by=in_browser(voter))
    Listing.objects.filter(pk=listing.pk).update(status=status, suspended_from="live" if status == "suspended" else "")
    for who in (voter, person()):
        with pytest.raises(NotVotable, match="not live"):
            toggle_vote(listing=listing, by=in_browser(who))
    assert numbers(listing) == (1, 1, 100, 1)
    assert len(kinds()) == 3


@pytest.mark.parametrize("is_closed", [True, False])
def test_after_the_week_neither_a_vote_nor_taking_back(site: Site, is_closed: bool) -> None:
    with moment(hours=167.9):
        listing, voter = ListingFactory.create(live=True), person()
        toggle_vote(listing=listing, by=in_browser(voter))
        assert takes_votes(status=listing.status, launch_week=listing.launch_week)
    with moment(WEEK + 1, hours=0):
        assert not takes_votes(status=listing.status, launch_week=listing.launch_week)
        if is_closed:
            close_boards()
        entries = len(kinds())
        for who in (voter, person()):
            with pytest.raises(VotingClosed, match=r"Voting for 2026-W40 closed on"):
                toggle_vote(listing=listing, by=in_browser(who))
    assert numbers(listing) == (1, 1, 100, 1)
    assert len(kinds()) == entries


def test_a_launch_without_a_ledger_is_closed(site: Site) -> None:
    listing = ListingFactory.create(live=True, launch_week="2026-W01")
    with pytest.raises(VotingClosed):
        toggle_vote(listing=listing, by=in_browser(person()))
    assert not Vote.objects.exists()


def test_the_vote_of_a_deleted_account_stays(site: Site) -> None:
    listing, voter = ListingFactory.create(live=True), person()
    toggle_vote(listing=listing, by=in_browser(voter))
    voter.delete()
    assert numbers(listing) == (1, 1, 100, 1)
    assert Vote.objects.get().user is None
    toggle_vote(listing=listing, by=in_browser(person()))
    assert numbers(listing) == (2, 2, 200, 2)


def test_votes_of_two_sites_are_in_two_ledgers(site: Site) -> None:
    here, there = ListingFactory.create(live=True), ListingFactory.create(live=True, site=SiteFactory.create())
    voter = person()
    toggle_vote(listing=here, by=in_browser(voter))
    toggle_vote(listing=there, by=in_browser(voter))
    assert [ledger.length for ledger in VoteLedger.objects.all()] == [3, 3]
    voters = [entry.body["voter"] for entry in LedgerEntry.objects.filter(kind="cast")]
    assert len(set(voters)) == 2


def test_a_vote_takes_few_queries_whatever_the_ledger_holds(site: Site, django_assert_num_queries: Any) -> None:
    listing = ListingFactory.create(live=True)
    for _ in range(3):
        voter = person()
        # Savepoint and its release; the lock with what it needs to know, the groups, and the vote with what counts it.
        with django_assert_num_queries(5):
            toggle_vote(listing=listing, by=in_browser(voter))


def test_searches_get_the_votes_later(site: Site) -> None:
    listings = [ListingFactory.create(live=True) for _ in range(3)]
    for listing in listings[:2]:
        toggle_vote(listing=listing, by=in_browser(person()))
    assert not Listing.objects.exclude(votes=0).exists()
    assert [copy_votes(), copy_votes()] == [2, 0]
    assert set(Listing.objects.filter(votes=1)) == set(listings[:2])


def test_votes_of_the_last_moment_are_copied_after_the_close(site: Site) -> None:
    with moment(hours=167):
        listing = ListingFactory.create(live=True)
        toggle_vote(listing=listing, by=in_browser(person()))
    with moment(WEEK + 1, hours=0):
        close_boards()
        listing.refresh_from_db()
        assert listing.votes == 1


def test_a_vote_shows_at_once_wherever_votes_are_shown(site: Site, owner: ApiClient, anonymous: ApiClient) -> None:
    listing = ListingFactory.create(live=True, company__owner=owner.user, company__name="Quietly")
    for _ in range(7):
        toggle_vote(listing=listing, by=in_browser(person()))
    listing.refresh_from_db()
    assert listing.votes == 0
    result = anonymous.get("/listings", {"q": "quietly"}).json()["items"]
    board = anonymous.get("/leaderboards/community-weekly").json()["items"]
    mine = owner.get("/me/listings").json()["items"]
    assert [item["votes"] for item in (*result, *board, *mine)] == [7, 7, 7]
    assert owner.get(f"/me/listings/{listing.pk}").json()["votes"] == 7
    for path in ("/", "/boards/community-all-time", listing.path, "/search?q=quietly"):
        shown = Client().get(path).content.decode()
        assert '7</span><span class="hidden-text"> votes for Quietly' in shown, path


@pytest.mark.django_db(transaction=True)
class TestRaces:
    def test_two_clicks_of_one_person_are_a_vote_and_its_withdrawal(self, site: Site) -> None:
        listing, voter = ListingFactory.create(live=True), person()
        for _ in range(5):
            assert count_outcomes(*[lambda: toggle_vote(listing=listing, by=in_browser(voter))] * 2) == {"done": 2}
            assert numbers(listing) == (0, 0, 0, 0)
        count_outcomes(*[lambda: toggle_vote(listing=listing, by=in_browser(voter))] * 3)
        assert numbers(listing) == (1, 1, 100, 1)
        assert_chain(VoteLedger.objects.get())

    @pytest.mark.slow
    def test_twenty_people_at_once_keep_chain_and_counters_right(self, site: Site) -> None:
        listings = [ListingFactory.create(live=True) for _ in range(3)]
        people = [person(days_old=2 if number % 4 == 0 else 20) for number in range(20)]

        def vote_for_all(voter: User) -> Callable[[], list[bool]]:
            return lambda: [toggle_vote(listing=listing, by=in_browser(voter)) for listing in listings]

        assert count_outcomes(*[vote_for_all(voter) for voter in people]) == {"done": 20}
        for listing in listings:
            assert numbers(listing) == (20, 20, 15 * 100 + 5 * 50, 20)
        ledger = VoteLedger.objects.get()
        assert_chain(ledger)
        assert ledger.length == 1 + 3 + 60

    def test_a_vote_is_before_the_close_and_counted_or_refused(self, site: Site) -> None:
        with moment(hours=1):
            listing = ListingFactory.create(live=True)
            people = [person() for _ in range(12)]
        ledger = VoteLedger.objects.get()
        with moment(hours=167.9):
            votes = [lambda voter=voter: toggle_vote(listing=listing, by=in_browser(voter)) for voter in people]
            # As by a process whose clock is ahead of theirs.
            outcomes = count_outcomes(*votes[:6], lambda: close_board(ledger.pk), *votes[6:])
        assert set(outcomes) <= {"done", "voting_closed"}
        assert_chain(ledger)
        casts = LedgerEntry.objects.filter(kind="cast")
        close = LedgerEntry.objects.get(kind="close")
        people_counted = outcomes["done"] - 1
        assert casts.count() == people_counted == Vote.objects.count()
        assert close.number == ledger.length
        assert close.body["results"][0]["votes"] == people_counted
        assert numbers(listing) == (people_counted, people_counted, 100 * people_counted, people_counted)

    def test_closing_twice_at_once_closes_once(self, site: Site) -> None:
        with moment():
            for _ in range(3):
                ListingFactory.create(live=True)
                ListingFactory.create(live=True, site=SiteFactory.create())
        with moment(WEEK + 1):
            assert count_outcomes(*[close_boards] * 4) == {"done": 4}
        assert Counter(kinds()) == {"open": 4, "launch": 6, "close": 4}
        for ledger in VoteLedger.objects.all():
            assert_chain(ledger)

    def test_first_launches_at_once_open_one_ledger(self, site: Site) -> None:
        with moment():
            listings = [ListingFactory.create(status=Status.SCHEDULED, launch_week=str(WEEK)) for _ in range(6)]
            assert count_outcomes(*[lambda listing=listing: launch(listing) for listing in listings]) == {"done": 6}
        ledger = VoteLedger.objects.get()
        assert_chain(ledger)
        assert Counter(kinds()) == {"open": 1, "launch": 6}

    def test_a_vote_waits_for_its_listing_before_it_holds_up_others(self, site: Site) -> None:
        held, other = ListingFactory.create(live=True), ListingFactory.create(live=True)
        people = [person() for _ in range(2)]
        vote = partial(toggle_vote, listing=held, by=in_browser(people[0]))
        waiting = threading.Thread(target=run_at_once, args=[vote])
        with transaction.atomic():
            Listing.objects.select_for_update().get(pk=held.pk)
            waiting.start()
            wait_until_blocked()
            assert count_outcomes(lambda: toggle_vote(listing=other, by=in_browser(people[1]))) == {"done": 1}
        waiting.join()
        assert [numbers(listing)[0] for listing in (held, other)] == [1, 1]
        assert_chain(VoteLedger.objects.get())

    def test_copying_waits_for_nobody(self, site: Site) -> None:
        held, other = ListingFactory.create(live=True), ListingFactory.create(live=True)
        for listing in (held, other):
            toggle_vote(listing=listing, by=in_browser(person()))
        with transaction.atomic():
            Listing.objects.select_for_update().get(pk=held.pk)
            assert count_outcomes(copy_votes) == {"done": 1}
            assert list(Listing.objects.filter(votes=1)) == [other]
        assert numbers(held)[0] == 1

    def test_nothing_deadlocks_with_publishing_suspending_and_editing(self, site: Site) -> None:
        with moment(hours=1):
            listing = ListingFactory.create(live=True)
            coming = [ListingFactory.create(status=Status.SCHEDULED, launch_week=str(WEEK)) for _ in range(4)]
            people = [person() for _ in range(8)]
            votes = [lambda voter=voter: toggle_vote(listing=listing, by=in_browser(voter)) for voter in people]
            launches = [lambda coming=coming: launch(coming) for coming in coming]
            edits = [lambda: edit(listing, headline="Other words")] * 3
            outcomes = count_outcomes(*votes, *launches, *edits, *[copy_votes] * 3, lambda: suspend(listing))
        assert set(outcomes) <= {"done", "not_votable"}
        assert_chain(VoteLedger.objects.get())
        assert numbers(listing)[0] == Vote.objects.count() == LedgerEntry.objects.filter(kind="cast").count()


def launch(listing: Listing) -> None:
    with transaction.atomic():
        held = Listing.objects.select_for_update(of=("self",)).select_related("site").get(pk=listing.pk)
        publish_listing(listing=held, week=WEEK)
        enter_board(listing=held)


def edit(listing: Listing, **fields: str) -> None:
    with transaction.atomic():
        held = Listing.objects.select_for_update(of=("self",)).get(pk=listing.pk)
        for name, value in fields.items():
            setattr(held, name, value)
        held.save(update_fields=[*fields, "updated_at"])


def suspend(listing: Listing) -> None:
    with transaction.atomic():
        held = Listing.objects.select_for_update(of=("self",)).get(pk=listing.pk)
        held.move_to(Status.SUSPENDED, suspended_from=Status.LIVE)


@pytest.mark.parametrize("kind", ["key", "token"])
@pytest.mark.usefixtures("site")
def test_no_key_token_or_tool_votes(kind: str) -> None:
    listing, voter = ListingFactory.create(live=True), person()
    raw = api_key(voter) if kind == "key" else access_token(voter, resource=settings.PUBLIC_HOST)
    for path in (f"{listing.path}/vote", f"/api/v1/listings/{listing.slug}/vote", "/api/v1/votes"):
        for method in ("post", "put", "patch", "delete"):
            answer = getattr(Client(), method)(path, {"wide": "1"}, headers={"authorization": f"Bearer {raw}"})
            assert answer.status_code in {302, 403, 404, 405}, (method, path)
            assert "/account/" in answer.get("Location", "/account/")
    with pytest.raises(Forbidden):
        toggle_vote(listing=listing, by=Actor(user=voter, via="key", credential="Deploy"))
    operations = [one for methods in schema.document()["paths"].values() for one in methods.values()]
    assert [one["operationId"] for one in operations if "vote" in one["operationId"]] == []
    assert not Vote.objects.exists()


def test_an_account_cant_fill_the_ledger(client: Client, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "VOTES_AN_HOUR", Limit("votes", 2, 3600))
    listing, other = ListingFactory.create(live=True), Client()
    client.force_login(person())
    other.force_login(person())
    for _ in range(4):
        client.post(f"{listing.path}/vote")
    other.post(f"{listing.path}/vote")
    assert kinds()[-3:] == ["cast", "withdraw", "cast"]
    assert LedgerEntry.objects.filter(kind="cast").count() == 2


def test_who_had_to_sign_up_first_confirms_the_vote_with_one_press(client: Client, site: Site) -> None:
    listing = ListingFactory.create(live=True)
    address = f"{listing.path}/vote"
    shown = client.get(listing.path).content.decode()
    assert f'href="{address}?next={quote(listing.path, safe="")}"' in shown
    assert client.get(f"{address}?next=/boards")["Location"].startswith(f"/account/sign-up?next={address}")
    client.force_login(person())
    page = client.get(f"{address}?next=/boards")
    assert (page.status_code, page.context["next_url"]) == (200, "/boards")
    assert client.post(address, {"next": "/boards"})["Location"] == "/boards"
    assert numbers(listing)[0] == 1
    assert client.get(f"{address}?next=/boards")["Location"] == "/boards"
    assert numbers(listing)[0] == 1


def test_nobody_is_asked_for_a_vote_that_does_not_count(client: Client, site: Site) -> None:
    listing = ListingFactory.create(live=True, launch_week="2026-W01")
    client.force_login(person())
    assert client.get(f"{listing.path}/vote")["Location"] == listing.path
    assert client.get("/listings/nothing/vote").status_code == 404
