"""Find items of an open order that are already paid: launches in other orders, and unlocked sections."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from apps.listings.services.sections import shows
from apps.orders.models import LAUNCH, Order, OrderLine, launch_lines


class State(StrEnum):
    OPEN = "open"
    PAYING = "paying"
    PAID = "paid"


@dataclass(frozen=True, slots=True)
class OtherLaunch:
    """Another order's launch of a listing. `number` and `url` are empty if it belongs to another account."""

    listing_id: int
    listing_name: str
    state: State
    number: str = ""
    url: str = ""

    @property
    def text(self) -> str:
        """Explain the duplicate to the buyer, with the URL to cancel the other order."""
        return self._with_way(f"on {self.url}")

    @property
    def hint(self) -> str:
        """Return the same for the API."""
        return self._with_way(f"with cancel_order or on {self.url}")

    def _with_way(self, way: str) -> str:
        is_cancelled_there = self.state == State.OPEN and self.url
        return f"{self.sentence} Cancel the other one {way}." if is_cancelled_there else self.sentence

    @property
    def sentence(self) -> str:
        """Return the same for a page, which links the URL."""
        named = f"order {self.number}" if self.number else "another order"
        match self.state:
            case State.PAID:
                return f"The launch of {self.listing_name} is already paid with {named}. Don't pay for it again."
            case State.PAYING:
                return _in_progress(named, f"launches {self.listing_name}")
        return f"{named[:1].upper()}{named[1:]} also launches {self.listing_name} and is still open. Pay only one."


def paying_text(line: OrderLine, *, account_id: int) -> str:
    """Explain that another order with the same launch or placement is being paid."""
    named = f"order {line.order.number}" if line.order.account_id == account_id else "another order"
    is_launch = line.product == LAUNCH
    does = f"launches {line.listing_name}" if is_launch else f"has {line.title} for {line.listing_name}"
    return _in_progress(named, does)


def _in_progress(named: str, does: str) -> str:
    return f"A payment for {named}, which also {does}, is in progress. Wait for it."


def of_order(order: Order) -> list[OtherLaunch]:
    """Return the other launches of an order. No query if the order is loaded `with_everything()`."""
    launches = [line for line in order.lines.all() if line.product == LAUNCH and line.listing_id]
    loaded = [getattr(line.listing, "launch_lines", None) for line in launches]
    if None in loaded:
        listings = {line.listing_id or 0 for line in launches}
        return of_listings(listings, account_id=order.account_id, without=order.pk)
    result = [other for lines in loaded for other in lines or ()]
    return _read([other for other in result if other.order_id != order.pk], account_id=order.account_id)


def of_listings(listings: Collection[int], *, account_id: int, without: int | None = None) -> list[OtherLaunch]:
    """Return launches of listings, except those of the order `without`. One query."""
    if not listings:
        return []
    return _read(launch_lines().filter(listing__in=listings).exclude(order=without), account_id=account_id)


def paid(others: Iterable[OtherLaunch]) -> list[OtherLaunch]:
    """Return those that make another order unnecessary."""
    return [other for other in others if other.state == State.PAID]


def open_sections(order: Order) -> list[OrderLine]:
    """Return the order's lines for sections that are unlocked by now. Needs it `with_everything()`."""
    return [line for line in order.lines.all() if is_open_section(line)]


def is_open_section(line: OrderLine) -> bool:
    """Return whether a line buys only sections that are unlocked by now."""
    listing = line.listing
    if listing is None or line.product == LAUNCH or not line.unlocks:
        return False
    return all(shows(listing, section) for section in line.unlocks)


def open_text(line: OrderLine) -> str:
    """Explain that a section is already unlocked."""
    return f"{line.title} of {line.listing_name} is already unlocked. Don't pay for it again."


def _read(lines: Iterable[OrderLine], *, account_id: int) -> list[OtherLaunch]:
    result = []
    for line in lines:
        state = _state_of(line)
        if state is None:
            continue
        is_own = line.order.account_id == account_id
        own_order = {"number": line.order.number, "url": line.order.page_url} if is_own else {}
        result.append(OtherLaunch(line.listing_id or 0, line.listing_name, state, **own_order))
    return result


def _state_of(line: OrderLine) -> State | None:
    if line.order.status in Order.DELIVERABLE:
        is_bought = line.status in {OrderLine.Status.PENDING, OrderLine.Status.FULFILLED}
        return State.PAID if is_bought else None
    if not line.order.is_payable:
        return None
    return State.PAYING if line.order.status == Order.Status.PROCESSING else State.OPEN


def is_redundant(order: Order, others: Sequence[OtherLaunch]) -> bool:
    """Return whether an order has only launches paid elsewhere and sections unlocked by now."""
    done = {other.listing_id for other in paid(others)}
    return all(
        is_open_section(line) or (line.product == LAUNCH and line.listing_id in done) for line in order.lines.all()
    )
