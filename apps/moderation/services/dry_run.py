"""What a block rule would have matched in the last 30 days."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from ipaddress import ip_network
from itertools import islice

from django.db.models import QuerySet
from django.utils import timezone

from apps.accounts.crowds import network_mark
from apps.accounts.models import User
from apps.blocklists.matching import Sample
from apps.blocklists.models import BlockRule
from apps.moderation.kinds import Kind, kinds

DAYS = 30
# Of each kind, so that a busy site waits seconds, not minutes.
MOST = 20_000
EXAMPLES = 3
# The digests of so many networks take a second: those of an IPv6 /32.
MOST_BITS = 16


@dataclass(slots=True)
class Matches:
    """How many texts of a kind were read and would have matched, with the newest examples."""

    label: str
    read: int = 0
    count: int = 0
    examples: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        more = f": {'; '.join(self.examples)}" if self.examples else ""
        return f"{self.label}: {self.count} of {self.read}{more}"

    def add(self, example: str, *, is_match: bool) -> None:
        self.read += 1
        if is_match:
            self.count += 1
            if len(self.examples) < EXAMPLES:
                self.examples.append(example)


def dry_run(rule: BlockRule) -> Sequence[Matches]:
    """Return what the rule, which needn't be saved, would have matched. For networks, only sign-ups tell."""
    if rule.kind == BlockRule.Kind.NETWORK:
        return [_sign_ups_from(rule)]
    result = [_texts(rule, kind) for kind in kinds().values()]
    return [*result, _sign_ups(rule)] if rule.kind == BlockRule.Kind.DOMAIN else result


def lines(rule: BlockRule) -> list[str]:
    """Return the same as sentences for the page that confirms the rule."""
    is_network = rule.kind == BlockRule.Kind.NETWORK
    if is_network and not _neighborhoods(rule.value):
        return ["The network is too large to count its sign-ups."]
    result = dry_run(rule)
    total = sum(one.count for one in result)
    return [
        f"Matches of the last {DAYS} days: {total}",
        *(str(one) for one in result if one.read),
        *(["Counted by the /24 or /48 around each address. Texts are stored without one."] if is_network else ()),
    ]


def _texts(rule: BlockRule, kind: Kind) -> Matches:
    result = Matches(kind.label)
    for row in islice(kind.recent(_since()).order_by("-pk").iterator(chunk_size=500), MOST):
        written = kind.written(row)
        # Profiles are of all sites, so only rules of all sites are about them.
        if rule.site_id in {None, written.site.pk} and (rule.site_id is None or kind.name != "founder_profile"):
            result.add(written.title, is_match=Sample(written.text).matches(rule))
    return result


def _sign_ups(rule: BlockRule) -> Matches:
    result = Matches("Sign-up")
    for email, _ in _joined():
        result.add(email, is_match=Sample(email=email).matches(rule))
    return result


def _sign_ups_from(rule: BlockRule) -> Matches:
    """Compare the digests of networks that accounts keep, because their addresses aren't stored."""
    result, marks = Matches("Sign-up"), set(map(network_mark, _neighborhoods(rule.value)))
    for email, mark in _joined():
        result.add(email, is_match=mark in marks)
    return result


def _neighborhoods(value: str) -> list[str]:
    """Return the networks of a rule as client_neighborhood() writes them. None if there are too many."""
    network = ip_network(value)
    size = 24 if network.version == 4 else 48
    if network.prefixlen >= size:
        return [str(network.supernet(new_prefix=size))]
    return [] if size - network.prefixlen > MOST_BITS else [str(one) for one in network.subnets(new_prefix=size)]


def _joined() -> QuerySet[User, tuple[str, str]]:
    rows = User.objects.filter(joined_at__gte=_since()).order_by("-pk")
    return rows.values_list("email", "sign_up_network")[:MOST]


def _since() -> datetime:
    return timezone.now() - timedelta(days=DAYS)
