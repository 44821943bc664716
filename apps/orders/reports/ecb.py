"""Euros at the rate that the European Central Bank published for a quarter's end."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from decimal import Decimal

from apps.core.errors import Conflict
from apps.orders.models import ExchangeRate
from apps.orders.pricing.totals import half_up
from apps.orders.reports.periods import Quarter

MICROS = 1_000_000


class ExchangeRateMissing(Conflict):
    code = "exchange_rate_missing"
    title = "Exchange rate missing"


def rate_day(quarter: Quarter) -> date:
    """Return the day whose rate applies to a quarter: its last one, or the next with published rates.

    The bank publishes on working days of the TARGET calendar (Article 369h of the VAT directive).
    """
    day = quarter.period.last_date
    while not _publishes(day):
        day += timedelta(days=1)
    return day


def rates_of(quarters: Iterable[Quarter]) -> Mapping[Quarter, ExchangeRate]:
    """Return the rate of each quarter. Raises ExchangeRateMissing (409), which names the missing days."""
    days = {quarter: rate_day(quarter) for quarter in quarters}
    result = {rate.day: rate for rate in ExchangeRate.objects.filter(day__in=days.values())}
    missing = sorted({str(day) for day in days.values() if day not in result})
    if missing:
        which = "rate of" if len(missing) == 1 else "rates of"
        raise ExchangeRateMissing(
            f"No euro {which} {', '.join(missing)} found. Add it under Exchange rates once the "
            "European Central Bank publishes it."
        )
    return {quarter: result[day] for quarter, day in days.items()}


def to_euro_cents(cents: int, rate: ExchangeRate) -> int:
    """Convert US cents to euro cents, half up away from zero."""
    euros = half_up(abs(cents) * MICROS, rate.micros)
    return -euros if cents < 0 else euros


def usd_per_euro(rate: ExchangeRate) -> Decimal:
    return Decimal(rate.micros).scaleb(-6)


def _publishes(day: date) -> bool:
    easter = _easter(day.year)
    closed = {easter - timedelta(days=2), easter + timedelta(days=1)}
    fixed = {(1, 1), (5, 1), (12, 25), (12, 26)}
    return day.weekday() < 5 and day not in closed and (day.month, day.day) not in fixed


def _easter(year: int) -> date:
    """Return Easter Sunday of the Gregorian calendar, by the algorithm of Meeus, Jones and Butcher."""
    golden, century, of_century = year % 19, year // 100, year % 100
    correction = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - century // 4 - correction + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (of_century // 4) - epact - of_century % 4) % 7
    shift = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * shift + 114, 31)
    return date(year, month, day + 1)
