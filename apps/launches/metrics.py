"""Vote counts for `/metrics`."""

from django.db.models import Sum

from apps.core.operations.metrics import counts
from apps.launches.models import VoteLedger


@counts("slipway_vote_ledger_entries", "Entries of all vote ledgers: votes cast and withdrawn, launches.", by="site")
def _entries() -> dict[str, float]:
    # Not votes themselves: there may be millions, and ledgers know their lengths.
    return dict(VoteLedger.objects.order_by().values_list("site__key").annotate(Sum("length")))
