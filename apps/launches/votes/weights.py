"""The weight of a vote: the published rule, as data and in words.

A vote's class (`trust`) gives its full weight. Votes for a listing that have a sign in common, such as a network, form
a group and share: in a group whose share is n, the first n members count in full and the k-th after them n/k of a vote.
A group of k members so weighs about n * (1 + log(k / n)). A vote in several groups counts as its smallest part.

A member's part depends only on how many are there before, so a later vote changes no earlier one, and the ledger needs
no second entry. A withdrawn vote frees the last place of its groups, never the first, so taking votes back and casting
them again gains nothing.

In a large group of one network or domain, votes are held for review: their weight counts once a site admin decides, or
at the close.

All first votes for a listing share. Votes under review, from owners and from disposable addresses take no place among
them, so that a crowd without weight can't use them up for a competitor. They weigh what the next place would.

Some numbers are settings of the site. The rule at the opening of a week's ledger applies to the whole week. It is in
its `open` entry, so it can't change while votes come in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from disposable_email_domains import blocklist

from apps.accounts.crowds import BURST_MINUTES, burst_of, domain_of, mailbox_of
from apps.accounts.email_domains import LARGE_PROVIDERS
from apps.accounts.models import User
from apps.launches.models import Vote
from apps.sites.models import Site

WHOLE_VOTE = 100
DISPOSABLE_POINTS = 10
YOUNG_DAYS = 30
# How many members of a group count in full.
SHARES = {
    "network": 3,
    "domain": 3,
    "young_network": 2,
    "young_domain": 1,
    "mailbox": 1,
    "sign_up": 2,
    "burst": 10,
    "unproven": 5,
    "newcomers": 40,
    "dormant": 10,
}

# Groups of all votes for a listing.
FIRST_VOTES = frozenset({"newcomers", "dormant"})

# From which place in a group a vote is held for review.
REVIEW = {"network": 10, "domain": 10, "young_network": 10, "young_domain": 10, "sign_up": 10}

Trust = Vote.Trust
State = Vote.State


@dataclass(frozen=True, slots=True)
class Voter:
    """What a vote's weight depends on: the account, its history and the network that it votes from, if known."""

    user: User
    network: str = ""
    is_verified: bool = False
    is_contributor: bool = False
    voted_before: bool = False

    @property
    def domain(self) -> str:
        return domain_of(self.user.email)

    @property
    def mailbox(self) -> str:
        """Return the mailbox of an address with a part that its provider ignores, or "" for any other address."""
        mailbox = mailbox_of(self.user.email)
        return "" if mailbox.partition("@")[0] == self.user.email.lower().rpartition("@")[0] else mailbox


@dataclass(frozen=True, slots=True)
class Rule:
    """The rule of a site and week: weights of classes in percent of a whole vote, shares and reviews of groups."""

    new_account_days: int
    young_account_days: int
    weights: Mapping[str, int]
    shares: Mapping[str, int] = field(default_factory=lambda: dict(SHARES))
    review: Mapping[str, int] = field(default_factory=lambda: dict(REVIEW))

    @classmethod
    def of_site(cls, site: Site) -> "Rule":
        """Return the rule for weeks that open now."""
        new = site.vote_new_account_percent
        weights = {
            Trust.OWNER.value: 0,
            Trust.DISPOSABLE.value: min(DISPOSABLE_POINTS, new),
            Trust.NEW.value: new,
            Trust.VERIFIED.value: (new + WHOLE_VOTE) // 2,
            Trust.SETTLED.value: WHOLE_VOTE,
            Trust.CONTRIBUTOR.value: WHOLE_VOTE,
        }
        return cls(site.vote_new_account_days, YOUNG_DAYS, weights)

    @classmethod
    def of_body(cls, body: dict[str, Any]) -> "Rule":
        """Parse the rule in an `open` entry."""
        rule = body["rule"]
        return cls(
            rule["new_account_days"], rule["young_account_days"], rule["weights"], rule["shares"], rule["review"]
        )

    @property
    def body(self) -> dict[str, Any]:
        """Return the rule as published in the ledger."""
        return {
            "new_account_days": self.new_account_days,
            "young_account_days": self.young_account_days,
            "weights": dict(self.weights),
            "shares": dict(self.shares),
            "review": dict(self.review),
        }

    def trust_of(self, voter: Voter, *, owner_id: int, at: datetime) -> str:
        """Classify the account for a vote on a listing of this owner."""
        if owner_id == voter.user.pk:
            return Trust.OWNER.value
        if voter.is_contributor:
            return Trust.CONTRIBUTOR.value
        if voter.domain in blocklist and voter.domain not in LARGE_PROVIDERS:
            return Trust.DISPOSABLE.value
        if _age(voter, at) < timedelta(days=self.new_account_days):
            return Trust.VERIFIED.value if voter.is_verified else Trust.NEW.value
        return Trust.SETTLED.value

    def groups_of(self, voter: Voter, *, at: datetime) -> dict[str, str]:
        """Return what the voter has in common with others, by kind of group."""
        is_young = _age(voter, at) < timedelta(days=self.young_account_days)
        groups = {}
        if voter.network:
            groups["network"] = voter.network
        if voter.domain not in LARGE_PROVIDERS:
            groups["domain"] = voter.domain
        if is_young and not voter.is_contributor:
            groups |= {f"young_{kind}": value for kind, value in groups.items()}
            if voter.user.sign_up_network:
                groups["sign_up"] = voter.user.sign_up_network
        if voter.user.needs_proof and not (voter.is_verified or voter.is_contributor):
            groups["unproven"] = "all"
        if voter.mailbox:
            groups["mailbox"] = voter.mailbox
        if not voter.voted_before and not voter.is_contributor:
            groups["newcomers" if is_young else "dormant"] = "all"
            if is_young:
                groups["burst"] = str(burst_of(voter.user.joined_at))
        return {kind: value for kind, value in groups.items() if kind in self.shares}

    def points(self, trust: str, places: Mapping[str, int]) -> int:
        """Return the weight of a vote of this class that takes these places, from 1, in its groups."""
        full = self.weights[trust]
        return min(
            (full * self.shares[kind] // max(place, self.shares[kind]) for kind, place in places.items()), default=full
        )

    def taken(self, groups: Mapping[str, str], *, trust: str, state: str) -> dict[str, str]:
        """Return the groups in which a vote takes a place."""
        is_light = state == State.HELD or trust in {Trust.OWNER, Trust.DISPOSABLE}
        return {kind: name for kind, name in groups.items() if not (is_light and kind in FIRST_VOTES)}

    def state(self, places: Mapping[str, int]) -> str:
        """Return whether a vote that takes these places counts immediately or is held for review."""
        is_held = any(kind in self.review and place >= self.review[kind] for kind, place in places.items())
        return State.HELD.value if is_held else State.COUNTED.value

    @property
    def words(self) -> list[str]:
        """Return the rule in words for the site's page about ranking."""
        said = [
            "A vote is worth 100 points.",
            "The owner's vote counts as a voter but is worth 0 points.",
        ]
        new, verified = self.weights[Trust.NEW], self.weights[Trust.VERIFIED]
        if self.new_account_days and new < WHOLE_VOTE:
            said.append(
                f"A vote from an account less than {self.new_account_days} days old is worth {new} points, or "
                f"{verified} with a passkey or a sign-in provider, so new accounts can't decide a launch."
            )
        else:
            said.append("Votes from new accounts count in full.")
        said.append(
            f"A vote from a disposable email address is worth {self.weights[Trust.DISPOSABLE]} points. Accounts that "
            f"launched a listing here vote with {self.weights[Trust.CONTRIBUTOR]}, however new they are, unless it is "
            "suspended."
        )
        return said

    @property
    def group_words(self) -> list[str]:
        """Return the groups in words, with how many of each count in full."""
        shares, days = self.shares, self.young_account_days
        return [
            f"Votes from the same network (/24 for IPv4, /48 for IPv6): {shares['network']} count in full, or "
            f"{shares['young_network']} of accounts younger than {days} days.",
            f"Votes from the same email domain, except large email providers: {shares['domain']} count in full, or "
            f"{shares['young_domain']} of accounts younger than {days} days.",
            "Votes from one mailbox with several addresses, such as ada+1@example.com and ada+2@example.com: "
            f"{shares['mailbox']} counts in full.",
            f"Votes of accounts younger than {days} days that signed up from the same network: {shares['sign_up']} "
            "count in full.",
            f"First votes of accounts younger than {days} days that signed up within the same {BURST_MINUTES} minutes: "
            f"{shares['burst']} count in full.",
            "Votes of accounts whose browser skipped the small calculation at sign-up (proof of work): "
            f"{shares['unproven']} count in full.",
            f"First votes of accounts younger than {days} days: {shares['newcomers']} count in full.",
            f"First votes of older accounts: {shares['dormant']} count in full.",
            "Votes under review, from owners or from disposable email addresses don't use up these first votes.",
        ]


def _age(voter: Voter, at: datetime) -> timedelta:
    return at - voter.user.joined_at
