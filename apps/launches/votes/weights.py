"""The weight of a vote: the published rule, as data and in words.

The numbers are settings of the site. The settings at the opening of a week's ledger apply to the whole week. They are
in its `open` entry, so they can't change while votes come in.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from apps.accounts.models import User
from apps.launches.models import Vote
from apps.sites.models import Site

WHOLE_VOTE = 100

Trust = Vote.Trust


@dataclass(frozen=True, slots=True)
class Rule:
    """The rule of a site and week. `new_account_percent` is a new account's weight in percent of a whole vote."""

    new_account_days: int
    new_account_percent: int

    @classmethod
    def of_site(cls, site: Site) -> "Rule":
        """Return the rule for weeks that open now."""
        return cls(site.vote_new_account_days, site.vote_new_account_percent)

    @classmethod
    def of_body(cls, body: dict[str, Any]) -> "Rule":
        """Parse the rule in an `open` entry."""
        rule = body["rule"]
        return cls(rule["new_account_days"], rule["weights"][Trust.NEW])

    @property
    def weights(self) -> dict[str, int]:
        return {Trust.OWNER.value: 0, Trust.NEW.value: self.new_account_percent, Trust.SETTLED.value: WHOLE_VOTE}

    @property
    def body(self) -> dict[str, Any]:
        """Return the rule as published in the ledger."""
        return {"new_account_days": self.new_account_days, "weights": self.weights}

    def trust_of(self, user: User, *, owner_id: int, at: datetime) -> str:
        """Classify the account for a vote on a listing of this owner."""
        if owner_id == user.pk:
            return Trust.OWNER.value
        if at - user.joined_at < timedelta(days=self.new_account_days):
            return Trust.NEW.value
        return Trust.SETTLED.value

    @property
    def words(self) -> list[str]:
        """Return the rule in words for the site's page about ranking."""
        said = [
            "A vote is worth 100 points.",
            "The owner's vote counts as a voter but is worth 0 points.",
        ]
        if self.new_account_days and self.new_account_percent < WHOLE_VOTE:
            said.append(
                f"A vote from an account less than {self.new_account_days} days old is worth "
                f"{self.new_account_percent} points, so new accounts can't decide a launch."
            )
        else:
            said.append("Votes from new accounts count in full.")
        return said
