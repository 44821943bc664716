"""The published rule as a function: classes of accounts, groups of votes, and what a place in a group is worth."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.launches.votes.weights import SHARES, Rule, Voter
from apps.sites.models import Site

NOW = timezone.now()
RULE = Rule.of_site(Site(vote_new_account_days=7, vote_new_account_percent=50))


ACCOUNT = ("needs_proof", "sign_up_network")


def voter(*, days_old: float = 100, email: str = "ada@gmail.com", network: str = "", **facts: Any) -> Voter:
    account = {name: facts.pop(name) for name in ACCOUNT if name in facts}
    user = User(pk=1, email=email, joined_at=NOW - timedelta(days=days_old), **account)
    return Voter(user, network, **facts)


@pytest.mark.parametrize(
    ("about", "trust", "points"),
    [
        ({}, "settled", 100),
        ({"days_old": 7}, "settled", 100),
        ({"days_old": 6.9}, "new", 50),
        ({"days_old": 1, "is_verified": True}, "verified", 75),
        ({"days_old": 100, "is_verified": True}, "settled", 100),
        ({"days_old": 1, "is_contributor": True}, "contributor", 100),
        ({"email": "x@mailinator.com"}, "disposable", 10),
        ({"email": "x@a.mailinator.com", "days_old": 1, "is_verified": True}, "disposable", 10),
        ({"email": "x@mailinator.com", "is_contributor": True}, "contributor", 100),
    ],
)
def test_classes(about: dict[str, Any], trust: str, points: int) -> None:
    result = RULE.trust_of(voter(**about), owner_id=2, at=NOW)
    assert (result, RULE.points(result, {})) == (trust, points)


def test_the_owner_weighs_nothing_whatever_the_account_is() -> None:
    assert RULE.trust_of(voter(is_contributor=True), owner_id=1, at=NOW) == "owner"
    assert RULE.points("owner", {"network": 1}) == 0


@pytest.mark.parametrize(
    ("about", "groups"),
    [
        ({}, {"dormant": "all"}),
        ({"voted_before": True}, {}),
        ({"days_old": 29}, {"newcomers": "all"}),
        ({"days_old": 29, "voted_before": True}, {}),
        ({"is_contributor": True}, {}),
        ({"voted_before": True, "sign_up_network": "s"}, {}),
        ({"voted_before": True, "sign_up_network": "s", "days_old": 3}, {"sign_up": "s"}),
        ({"voted_before": True, "needs_proof": True}, {"unproven": "all"}),
        ({"voted_before": True, "needs_proof": True, "is_verified": True}, {}),
        ({"is_contributor": True, "needs_proof": True}, {}),
        ({"voted_before": True, "network": "192.0.2.0/24"}, {"network": "192.0.2.0/24"}),
        ({"voted_before": True, "email": "ada@mail.acme.co.uk"}, {"domain": "acme.co.uk"}),
        ({"voted_before": True, "email": "ada@yahoo.com.mx"}, {}),
        ({"voted_before": True, "email": "ada+1@gmail.com"}, {"mailbox": "ada@gmail.com"}),
        ({"voted_before": True, "email": "a.d.a+x@googlemail.com"}, {"mailbox": "ada@gmail.com"}),
        ({"voted_before": True, "email": "ada.b@outlook.com"}, {}),
        ({"voted_before": True, "email": "ada+1@acme.dev"}, {"domain": "acme.dev", "mailbox": "ada@acme.dev"}),
        (
            {"voted_before": True, "days_old": 3, "email": "ada@acme.dev", "network": "n"},
            {"network": "n", "domain": "acme.dev", "young_network": "n", "young_domain": "acme.dev"},
        ),
        (
            {"is_contributor": True, "days_old": 3, "email": "ada@acme.dev", "network": "n"},
            {"network": "n", "domain": "acme.dev"},
        ),
    ],
)
def test_groups(about: dict[str, Any], groups: dict[str, str]) -> None:
    result = RULE.groups_of(voter(**about), at=NOW)
    is_first = "newcomers" in groups
    assert (result.pop("burst", "") != "") == is_first
    assert result == groups


@pytest.mark.parametrize(("minutes", "is_same"), [(9, True), (11, False)])
def test_sign_ups_of_the_same_ten_minutes_are_a_burst(minutes: int, is_same: bool) -> None:
    first, second = (User(email="ada@gmail.com", joined_at=moment) for moment in _apart(minutes))
    bursts = [RULE.groups_of(Voter(user), at=NOW)["burst"] for user in (first, second)]
    assert (bursts[0] == bursts[1]) == is_same


def _apart(minutes: int) -> list[datetime]:
    start = NOW.replace(minute=0, second=0, microsecond=0)
    return [start, start + timedelta(minutes=minutes)]


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ({"network": 3}, 100),
        ({"network": 4}, 75),
        ({"network": 300}, 1),
        ({"network": 301}, 0),
        ({"young_domain": 2}, 50),
        ({"network": 4, "young_domain": 4, "newcomers": 41}, 25),
    ],
)
def test_places(places: dict[str, int], points: int) -> None:
    assert RULE.points("settled", places) == points


@pytest.mark.parametrize("kind", SHARES)
def test_a_group_weighs_about_one_plus_the_logarithm_of_its_size(kind: str) -> None:
    share, size = SHARES[kind], SHARES[kind] * 20
    together = sum(RULE.points("settled", {kind: place}) for place in range(1, size + 1))
    # 1 + ln 20 is 3.996; whole points are rounded down.
    assert 3.4 * share * 100 < together < 4.1 * share * 100


@pytest.mark.parametrize(
    ("trust", "state", "taken"),
    [
        ("new", "counted", ["network", "newcomers"]),
        ("new", "held", ["network"]),
        ("disposable", "counted", ["network"]),
        ("owner", "counted", ["network"]),
    ],
)
def test_light_votes_use_up_no_first_votes(trust: str, state: str, taken: list[str]) -> None:
    assert list(RULE.taken({"network": "n", "newcomers": "all"}, trust=trust, state=state)) == taken


def test_the_rule_in_the_ledger_is_the_rule() -> None:
    assert Rule.of_body({"rule": RULE.body}) == RULE
