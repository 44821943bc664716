"""An owner's webhook endpoint, and whether its receiver got each event once it happened."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import httpx2
import orjson

from tests.faults.shop import Owner, Shop
from tests.webhooks.receiver import Received, Receiver, is_signed

_PAGE = 500


class Subscriber:
    """An owner's endpoint, and what its receiver got."""

    def __init__(self, shop: Shop, owner: Owner, receiver: Receiver) -> None:
        self._path = f"/{owner.account_id}"
        self._receiver = receiver
        key = shop.team.do("make_key", account_id=owner.account_id, is_full=True)
        self._address, self._headers = owner.rest.base_url, {"Authorization": f"Bearer {key}"}
        self._begins_after = 0
        self._begins_after, _ = self._read()
        made = self._ask("POST", "me/webhook-endpoints", json={"url": receiver.url + self._path}).json()
        self._secret, self._id = made["secret"], made["id"]

    def _ask(self, method: str, path: str, **sent: Any) -> httpx2.Response:
        address = self._address.join(path)
        return httpx2.request(method, address, headers=self._headers, timeout=120, **sent).raise_for_status()

    def _own(self, requests: list[Received]) -> list[Received]:
        return [each for each in list(requests) if each.path.endswith(self._path)]

    def received(self) -> list[Received]:
        return self._own(self._receiver.received)

    def accepted(self) -> list[Received]:
        return self._own(self._receiver.accepted)

    def arrived(self) -> int:
        """How many different events were accepted."""
        return len({each.id for each in self.accepted()})

    def _read(self) -> tuple[int, dict[str, bytes]]:
        """The number of the account's last event, and those since the endpoint was created as list_events has them."""
        result: dict[str, bytes] = {}
        after = self._begins_after
        while items := (body := self._page(after).json())["items"]:
            result |= {item["id"]: orjson.dumps(item) for item in items}
            after = body["next_after"]
        return after, result

    def _page(self, after: int) -> httpx2.Response:
        return self._ask("GET", "events", params={"after": after, "limit": _PAGE})

    def compare(self) -> Counter[str]:
        (_, events), got = self._read(), self.received()
        ids, arrived = {each.id for each in got}, {each.id for each in self.accepted()}
        return Counter(
            {
                "events that did not arrive": len(events.keys() - arrived),
                "deliveries without an event": len(ids - events.keys()),
                "deliveries that differ from list_events": sum(each.body != events.get(each.id) for each in got),
                "deliveries with a wrong signature": sum(not self._is_signed(each) for each in got),
            }
        )

    def _is_signed(self, each: Received) -> bool:
        return is_signed(each, self._secret, now=float(each.headers["webhook-timestamp"]))

    def replay(self) -> "Replay":
        """Have all events of the account sent again."""
        replay = Replay(self, len(self.accepted()))
        self._ask("POST", f"me/webhook-endpoints/{self._id}/redeliver", json={"after": 0})
        return replay

    def pages(self) -> Iterator[bytes]:
        """Each page of list_events from the first event on, as it was answered."""
        after, is_last = 0, False
        while not is_last:
            answer = self._page(after)
            yield answer.content
            after, is_last = answer.json()["next_after"], len(answer.json()["items"]) < _PAGE


class Replay:
    """What an endpoint accepted since its owner asked for all events again."""

    def __init__(self, subscriber: Subscriber, first: int) -> None:
        self._subscriber = subscriber
        self._first = first

    def is_complete(self) -> bool:
        """Whether its bodies in the order of their numbers are the answers of list_events, byte for byte."""
        bodies = {each.event["seq"]: each.body for each in self._subscriber.accepted()[self._first :]}
        ordered = [bodies[seq] for seq in sorted(bodies)]
        for page in self._subscriber.pages():
            of_page, ordered = ordered[:_PAGE], ordered[_PAGE:]
            if not page.startswith(b'{"items":[%s],"next_after":' % b",".join(of_page)):
                return False
        return not ordered
