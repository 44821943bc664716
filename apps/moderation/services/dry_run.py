"""What a block rule would have matched in the last 30 days."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import islice

from django.apps import apps
from django.utils import timezone
from django.utils.text import capfirst

from apps.accounts.models import User
from apps.blocklists.matching import matches
from apps.blocklists.models import BlockRule
from apps.moderation.kinds import Kind, kinds

DAYS = 30
# Of each kind, so that a busy site waits seconds, not minutes.
MOST = 20_000
EXAMPLES = 3


@dataclass(slots=True)
class Found:
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


def dry_run(rule: BlockRule) -> Sequence[Found]:
    """Return what the rule, which needn't be saved, would have matched. None for networks, which aren't stored."""
    if rule.kind == BlockRule.Kind.NETWORK:
        return []
    found = [_texts(rule, kind) for kind in kinds().values() if kind.written_at]
    return [*found, _sign_ups(rule)] if rule.kind == BlockRule.Kind.DOMAIN else found


def lines(rule: BlockRule) -> list[str]:
    """Return the same as sentences for the page that confirms the rule."""
    found = dry_run(rule)
    if not found:
        return ["Addresses of visitors aren't stored, so nothing can be counted."]
    total = sum(one.count for one in found)
    return [f"Matches of the last {DAYS} days: {total}", *(str(one) for one in found if one.read)]


def _texts(rule: BlockRule, kind: Kind) -> Found:
    plural = str(apps.get_model(kind.model)._meta.verbose_name_plural)  # noqa: SLF001 - Django's way
    result = Found(capfirst(plural))
    rows = kind.recent(timezone.now() - timedelta(days=DAYS)).order_by("-pk")
    for row in islice(_chunks(rows), MOST):
        written = kind.written(row)
        # Profiles are of all sites, so only rules of all sites are about them.
        if rule.site_id in {None, written.site.pk} and (rule.site_id is None or kind.name != "founder_profile"):
            result.add(written.title, is_match=matches(rule, text=written.text))
    return result


def _sign_ups(rule: BlockRule) -> Found:
    result = Found("Sign-ups")
    since = timezone.now() - timedelta(days=DAYS)
    for email in User.objects.filter(joined_at__gte=since).order_by("-pk").values_list("email", flat=True)[:MOST]:
        result.add(email, is_match=matches(rule, email=email))
    return result


def _chunks(rows: object) -> Iterator[object]:
    yield from rows.iterator(chunk_size=500)  # type: ignore[attr-defined]  # a query of any kind
