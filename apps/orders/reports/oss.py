"""The One Stop Shop return of a quarter, as its form requires.

Supplies are listed by member state of consumption and rate, in the quarter in which they were paid. What later
documents change about an earlier quarter is a correction of that quarter: only the VAT, in euros at that quarter's
rate. A reissued invoice and the credit note before it cancel out, so correcting an address moves no VAT.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date
from typing import Any

from django.db.models import F, Q
from django.db.models.functions import Coalesce, TruncDate

from apps.core.web.csv_tables import Cell, Table
from apps.orders.countries import EU
from apps.orders.models import ExchangeRate, Invoice
from apps.orders.reports.books import Books
from apps.orders.reports.documents import sign_of
from apps.orders.reports.ecb import rates_of, to_euro_cents, usd_per_euro
from apps.orders.reports.periods import Quarter
from apps.orders.reports.tables import money, percent
from apps.orders.tax.vat import Scheme, Seller, Treatment
from apps.sites.models import Site

HEADER = (
    "quarter",
    "member_state_of_identification",
    "identification_number",
    "part",
    "corrected_quarter",
    "member_state_of_consumption",
    "vat_rate_percent",
    "taxable_usd",
    "vat_usd",
    "rate_day",
    "usd_per_eur",
    "taxable_eur",
    "vat_eur",
)
_AT_ONCE = 500


@dataclass(frozen=True, slots=True, order=True)
class _Place:
    """An amount's place in the return. Corrections are not split by rate."""

    state: str
    number: str
    quarter: Quarter
    consumption: str
    rate: int


@dataclass(slots=True)
class _Sum:
    net_cents: int = 0
    vat_cents: int = 0


def report_oss(quarter: Quarter, *, site: Site | None = None, with_tests: bool = False) -> Table:
    """Return the rows of a quarter's return, by member state of identification.

    Raises ExchangeRateMissing (409) when a required rate is missing.
    """
    books = Books(period=quarter.period, site=site, with_tests=with_tests)
    sums = {place: added for place, added in _add_up(books, quarter).items() if added.net_cents or added.vat_cents}
    rates = rates_of({place.quarter for place in sums})
    return Table(f"One Stop Shop, {quarter}", HEADER, list(_rows(quarter, sums, rates)))


def _add_up(books: Books, quarter: Quarter) -> Mapping[_Place, _Sum]:
    is_first = Q(kind=Invoice.Kind.INVOICE, revision=1)
    result = (
        books.documents_of_all_times()
        .filter(vat_scheme=Scheme.OSS, vat_treatment=Treatment.STANDARD)
        .annotate(supplied_on=Coalesce(TruncDate("order__paid_at", tzinfo=UTC), F("issue_date")))
        .filter(is_first & Q(supplied_on__range=books.days) | ~is_first & Q(issue_date__range=books.days))
        .order_by()
        .values("kind", "net_cents", "vat_cents", "vat_country", "vat_rate", "supplied_on", "order__seller")
    )
    sums: dict[_Place, _Sum] = defaultdict(_Sum)
    for row in result.iterator(chunk_size=_AT_ONCE):
        added = sums[_place_of(row, quarter)]
        sign = sign_of(row["kind"])
        added.net_cents += sign * row["net_cents"]
        added.vat_cents += sign * row["vat_cents"]
    return sums


def _place_of(row: Mapping[str, Any], quarter: Quarter) -> _Place:
    supplied = Quarter.of(row["supplied_on"])
    state, number = identification(Seller.from_json(row["order__seller"]), on=row["supplied_on"])
    rate = row["vat_rate"] if supplied == quarter else 0
    return _Place(state, number, supplied, _as_returns_spell(row["vat_country"]), rate)


def identification(seller: Seller, *, on: date) -> tuple[str, str]:
    """Return the member state to which a seller reports the VAT of a day's sales, and its number there.

    Without a One Stop Shop registration, that is the country of the seller, if it is in the EU.
    """
    row = seller.registration(Scheme.OSS, on=on)
    if row:
        return _as_returns_spell(row["country"]), row["number"]
    return (_as_returns_spell(seller.home), seller.vat_number) if seller.home in EU else ("", seller.vat_number)


def _as_returns_spell(country: str) -> str:
    return "EL" if country == "GR" else country


def _rows(
    quarter: Quarter, sums: Mapping[_Place, _Sum], rates: Mapping[Quarter, ExchangeRate]
) -> Iterator[Sequence[Cell]]:
    in_order = sorted(sums, key=lambda place: (place.state, place.number, place.quarter != quarter, place))
    for place in in_order:
        added, rate = sums[place], rates[place.quarter]
        is_supply = place.quarter == quarter
        yield (
            str(quarter),
            place.state,
            place.number,
            "supply" if is_supply else "correction",
            "" if is_supply else str(place.quarter),
            place.consumption,
            percent(place.rate) if is_supply else None,
            money(added.net_cents) if is_supply else None,
            money(added.vat_cents),
            rate.day,
            usd_per_euro(rate),
            money(to_euro_cents(added.net_cents, rate)) if is_supply else None,
            money(to_euro_cents(added.vat_cents, rate)),
        )
