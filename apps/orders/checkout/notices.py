"""Notices to show a buyer before payment, in quotes, orders and their pages."""

from collections.abc import Iterable, Mapping
from typing import Any

from apps.core.text.dates import week_label
from apps.launches.calendar.closing import RunningWeek, running_week
from apps.orders.checkout import other_launches
from apps.orders.models import Order, OrderLine
from apps.orders.products.registry import kind_of
from apps.sites.models import Site


def of_order(order: Order) -> list[str]:
    """Return notices for an order that can still be paid. Needs it `with_everything()`."""
    if not order.is_payable:
        return []
    others = [other.hint for other in other_launches.of_order(order)]
    unlocked = map(other_launches.open_text, other_launches.open_sections(order))
    return [*others, *unlocked, *running_week_notices_of(order)]


def running_week_notices_of(order: Order) -> list[str]:
    """Return when the current week closes, if the order is for it."""
    return running_week_notices(order.site, [(line.title, line.options) for line in _weekly_lines(order)])


def listing_for_running_week(order: Order) -> int | None:
    """Return the listing with something in the current week: its buy page offers the other weeks."""
    running = running_week(order.site)
    return next((line.listing_id for line in _weekly_lines(order) if _is_for(running, line.options)), None)


def _weekly_lines(order: Order) -> list[OrderLine]:
    """Return the lines that get less of a closing week."""
    return [line for line in order.lines.all() if kind_of(line.product).is_cut_short]


def running_week_notices(site: Site, bought: Iterable[tuple[str, Mapping[str, Any]]]) -> list[str]:
    """Return when the current week closes, if something is bought for it. `bought` are titles with their options.

    Callers leave out items that lose nothing in a closing week.
    """
    running = running_week(site)
    titles = dict.fromkeys(title for title, options in bought if _is_for(running, options))
    if not titles:
        return []
    if not running.is_closing:
        return [running.text]
    rest = f"{' and '.join(titles)} would only run until then. Choose {week_label(running.week + 1)} or later"
    return [f"{running.text} {rest} for a full week."]


def _is_for(running: RunningWeek, options: Mapping[str, Any]) -> bool:
    week = str(running.week)
    return options.get("week") in {"now", week} or week in options.get("weeks", [])
