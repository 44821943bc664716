"""Votes that have a sign in common share their weight, exactly as the ledger says, and the sign is forgotten."""

from pathlib import Path
from typing import Any

import pytest
from disposable_email_domains import blocklist
from django.test import Client
from django.urls import reverse

from apps.core.errors import Conflict
from apps.launches.models import LedgerEntry, Standing, Vote, VoteGroup
from apps.launches.votes.rankings import close_boards, decide_held
from apps.launches.votes.voting import toggle_vote
from apps.launches.votes.weights import SHARES
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.actors import in_browser
from tests.factories import ListingFactory
from tests.launches.voting import WEEK, download, moment, person, verify
from tests.racing import count_outcomes

pytestmark = pytest.mark.db

NETWORK = "192.0.2.0/24"


def points(listing: Listing) -> list[int]:
    """The weights of the votes for a listing in their order, after checking that the standing has their sum."""
    weights = list(
        Vote.objects.filter(listing=listing, state="counted").order_by("pk").values_list("points", flat=True)
    )
    assert Standing.objects.get(listing=listing).points == sum(weights)
    return weights


def test_votes_of_one_network_share(site: Site) -> None:
    listing, other = ListingFactory.create(live=True), ListingFactory.create(live=True)
    people = [person() for _ in range(4)]
    for voter in people:
        toggle_vote(listing=listing, by=in_browser(voter), network=NETWORK)
    toggle_vote(listing=listing, by=in_browser(person()), network="198.51.100.0/24")
    toggle_vote(listing=other, by=in_browser(people[3]), network=NETWORK)
    assert points(listing) == [100, 100, 66, 50, 100]
    assert points(other) == [100]


def test_a_withdrawn_vote_frees_the_last_rank_and_no_better_one(site: Site) -> None:
    listing = ListingFactory.create(live=True)
    first, *others = (person(email=f"x{number}@acme.dev") for number in range(4))
    for voter in (first, *others, first, first):
        toggle_vote(listing=listing, by=in_browser(voter))
    assert points(listing) == [50, 33, 25, 25]


def test_the_history_of_an_account_is_seen(site: Site) -> None:
    with moment():
        earlier = ListingFactory.create(live=True)
        regular = person(days_old=100)
        toggle_vote(listing=earlier, by=in_browser(regular))
    with moment(WEEK + 1):
        listing = ListingFactory.create(live=True)
        dormant, founder = person(days_old=100), ListingFactory.create(live=True).company.owner
        for voter in (regular, dormant, founder):
            toggle_vote(listing=listing, by=in_browser(voter))
    result = Vote.objects.filter(listing=listing).order_by("pk")
    assert [(vote.trust, sorted(vote.groups)) for vote in result] == [
        ("settled", []),
        ("settled", ["dormant"]),
        ("contributor", ["domain"]),
    ]


def test_a_dismissed_vote_makes_no_regular(site: Site) -> None:
    voters = [person(), person()]
    with moment():
        earlier = ListingFactory.create(live=True)
        for voter in voters:
            toggle_vote(listing=earlier, by=in_browser(voter))
        Vote.objects.filter(user=voters[1]).update(state="dismissed")
    with moment(WEEK + 1):
        listing = ListingFactory.create(live=True)
        for voter in voters:
            toggle_vote(listing=listing, by=in_browser(voter))
    result = Vote.objects.filter(listing=listing).order_by("pk")
    assert [list(vote.groups) for vote in result] == [[], ["burst", "newcomers"]]


def test_a_dismissed_vote_is_neither_taken_back_nor_cast_again(site: Site) -> None:
    listing, voter = ListingFactory.create(live=True), person()
    toggle_vote(listing=listing, by=in_browser(voter))
    Vote.objects.update(state="dismissed")
    browser = Client()
    browser.force_login(voter)
    said = browser.post(f"{listing.path}/vote", follow=True).context["messages"]
    assert [message.level_tag for message in said] == ["error"]
    assert Vote.objects.get().state == "dismissed"
    assert Standing.objects.get().votes == 1


def test_a_suspended_listing_makes_no_contributor(site: Site) -> None:
    listing, spam = ListingFactory.create(live=True), ListingFactory.create(live=True)
    Listing.objects.filter(pk=spam.pk).update(status=Listing.Status.SUSPENDED, suspended_from=Listing.Status.LIVE)
    toggle_vote(listing=listing, by=in_browser(spam.company.owner))
    assert Vote.objects.get().trust != "contributor"


def test_the_vote_comes_from_the_network_of_the_browser(site: Site) -> None:
    listing = ListingFactory.create(live=True)
    for number in range(4):
        client = Client(REMOTE_ADDR=f"93.184.216.{number}")
        client.force_login(person())
        assert client.post(f"{listing.path}/vote").status_code == 302
    assert points(listing)[2:] == [66, 50]


def test_the_ledger_recounts_and_names_no_sign(site: Site, tmp_path: Path) -> None:
    with moment():
        listing = ListingFactory.create(live=True)
        people = [person(email=f"x{number}@acme.dev") for number in range(5)]
        for voter in (*people, people[1], people[1]):
            toggle_vote(listing=listing, by=in_browser(voter), network=NETWORK)
        name = VoteGroup.objects.order_by("-members").first()
        assert name
    with moment(WEEK + 1, hours=0):
        close_boards()
    ledger = download(site)
    code, said = verify(tmp_path, ledger)
    assert code == 0, said
    assert not any(sign in ledger for sign in (b"192.0.2", b"acme", name.name.encode()))


@pytest.mark.slow
def test_light_votes_use_up_no_first_votes(site: Site, tmp_path: Path) -> None:
    with moment():
        listing = ListingFactory.create(live=True)
        crowd = [person(email=f"x{number}@acme.dev") for number in range(60)]
        crowd += [person(email=f"x@{domain}") for domain in sorted(blocklist)[:30]]
        honest = [person() for _ in range(SHARES["newcomers"] - 9)]
        # The crowd's vote under review and an honest one are taken back and cast again.
        for voter in (*crowd, listing.company.owner, crowd[50], crowd[50], *honest, honest[0], honest[0]):
            toggle_vote(listing=listing, by=in_browser(voter))
        result = Vote.objects.filter(listing=listing)
        assert set(result.filter(user__in=honest).values_list("points", flat=True)) == {100}
        assert result.filter(groups__has_key="newcomers").count() == SHARES["newcomers"]
        assert VoteGroup.objects.filter(members=SHARES["newcomers"]).count() == 1
        late = person()
        toggle_vote(listing=listing, by=in_browser(late))
        assert result.get(user=late).points == 97
    with moment(WEEK + 1, hours=0):
        close_boards()
    code, said = verify(tmp_path, download(site))
    assert code == 0, said


class TestReview:
    @pytest.fixture
    def listing(self, site: Site) -> Listing:
        """A listing with twelve votes from one network, the last three of them under review."""
        with moment():
            listing: Listing = ListingFactory.create(live=True)
            for _ in range(12):
                toggle_vote(listing=listing, by=in_browser(person()), network=NETWORK)
        return listing

    def test_from_the_tenth_vote_on_weight_waits(self, listing: Listing) -> None:
        standing = Standing.objects.get(listing=listing)
        assert (standing.votes, standing.held, len(points(listing))) == (12, 3, 9)

    def test_a_held_vote_can_be_withdrawn(self, listing: Listing) -> None:
        before = points(listing)
        voter = Vote.objects.filter(state="held").latest("pk").user
        assert voter
        with moment():
            toggle_vote(listing=listing, by=in_browser(voter), network=NETWORK)
        assert Standing.objects.get(listing=listing).held == 2
        assert points(listing) == before

    @pytest.mark.parametrize("state", [Vote.State.COUNTED, Vote.State.DISMISSED])
    def test_a_decision_is_in_the_ledger_and_recounts(
        self, site: Site, listing: Listing, state: Any, tmp_path: Path
    ) -> None:
        with moment(hours=20):
            assert decide_held(listing=listing, state=state, reason="Two offices in one building.") == 3
            with pytest.raises(Conflict):
                decide_held(listing=listing, state=state, reason="Again.")
        assert len(points(listing)) == (12 if state == Vote.State.COUNTED else 9)
        entry = LedgerEntry.objects.get(kind="decide").body
        assert (entry["state"], entry["votes"], entry["reason"]) == (state, 3, "Two offices in one building.")
        with moment(WEEK + 1, hours=0):
            close_boards()
        code, said = verify(tmp_path, download(site))
        assert code == 0, said

    def test_undecided_votes_count_at_the_close(self, site: Site, listing: Listing, tmp_path: Path) -> None:
        with moment(WEEK + 1, hours=0):
            close_boards()
        assert len(points(listing)) == 12
        assert Standing.objects.get(listing=listing).held == 0
        code, said = verify(tmp_path, download(site))
        assert code == 0, said

    def test_the_transparency_page_has_the_month_and_the_decision(self, listing: Listing) -> None:
        with moment(hours=20):
            decide_held(listing=listing, state=Vote.State.DISMISSED, reason="One script voted.")
            toggle_vote(listing=listing, by=in_browser(person(days_old=1)))
        with moment(WEEK + 1, hours=0):
            close_boards()
        answer = Client().get("/about/transparency")
        month = answer.context["months"][0]
        counts = {name: month[name] for name in ("votes", "recent", "shared", "reviewed", "dismissed")}
        assert counts == {"votes": 13, "recent": 1, "shared": 10, "reviewed": 3, "dismissed": 3}
        assert [decision["reason"] for decision in answer.context["decisions"]] == ["One script voted."]
        assert "One script voted." in answer.content.decode()
        assert f'href="{listing.path}"' in answer.content.decode()

    def test_the_transparency_page_links_no_suspended_listing(self, listing: Listing) -> None:
        with moment(hours=20):
            decide_held(listing=listing, state=Vote.State.DISMISSED, reason="One script voted.")
        with moment(WEEK + 1, hours=0):
            close_boards()
        Listing.objects.update(status=Listing.Status.SUSPENDED, suspended_from=Listing.Status.LIVE)
        page = Client().get("/about/transparency").content.decode()
        assert listing.slug in page
        assert f'href="{listing.path}"' not in page

    def test_the_listing_says_how_many(self, site: Site) -> None:
        listing = ListingFactory.create(live=True)
        for _ in range(11):
            toggle_vote(listing=listing, by=in_browser(person()), network=NETWORK)
        assert "2 votes under review" in Client().get(listing.path).content.decode()

    def test_an_admin_decides_with_a_reason(self, listing: Listing, team: Client) -> None:
        standing = Standing.objects.get(listing=listing)
        page = reverse("admin:launches_standing_dismiss_votes", args=[standing.pk])
        with moment(hours=20):
            asked = team.post(page, {"confirmed": "1", "reason": ""})
            assert asked.context["form"].errors.keys() == {"reason"}
            team.post(page, {"confirmed": "1", "reason": "One script."})
        assert Vote.objects.filter(state="dismissed").count() == 3


def test_what_votes_had_in_common_is_forgotten_at_the_close(site: Site) -> None:
    with moment():
        listing = ListingFactory.create(live=True)
        toggle_vote(listing=listing, by=in_browser(person()), network=NETWORK)
        assert set(LedgerEntry.objects.get(kind="cast").body["groups"]) == {
            "network",
            "young_network",
            "burst",
            "newcomers",
        }
    with moment(WEEK + 1, hours=0):
        close_boards()
    assert not VoteGroup.objects.exists()
    assert Vote.objects.get().groups == {}


@pytest.mark.django_db(transaction=True)
def test_votes_at_the_same_time_take_different_places(site: Site) -> None:
    listing = ListingFactory.create(live=True)
    people = [person() for _ in range(8)]
    vote = [lambda voter=voter: toggle_vote(listing=listing, by=in_browser(voter), network=NETWORK) for voter in people]
    assert count_outcomes(*vote) == {"done": 8}
    assert sorted(points(listing), reverse=True) == [100, 100, 66, 50, 40, 33, 28, 25]
