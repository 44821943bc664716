"""An owner's webhook endpoint, and whether its receiver got each event once it happened."""

from collections import Counter
from typing import Any

import httpx2
import orjson

from tests.faults.shop import Owner, Shop
from tests.webhooks.receiver import Received, Receiver, is_signed


class Subscriber:
    """An owner's endpoint, and what its receiver got."""

    def __init__(self, shop: Shop, owner: Owner, receiver: Receiver) -> None:
        self._path = f"/{owner.account_id}"
        self._receiver = receiver
        key = shop.team.do("make_key", account_id=owner.account_id, is_full=True)
        self._address, self._headers = owner.rest.base_url, {"Authorization": f"Bearer {key}"}
        self._begins_after = 0
        self._begins_after, _ = self._read()
        self._secret = self._ask("POST", "me/webhook-endpoints", json={"url": receiver.url + self._path})["secret"]

    def _ask(self, method: str, path: str, **sent: Any) -> dict[str, Any]:
        address = self._address.join(path)
        response = httpx2.request(method, address, headers=self._headers, timeout=120, **sent).raise_for_status()
        answer: dict[str, Any] = response.json()
        return answer

    def received(self) -> list[Received]:
        return [each for each in list(self._receiver.received) if each.path.endswith(self._path)]

    def arrived(self) -> int:
        """How many different events came."""
        return len({each.id for each in self.received()})

    def _read(self) -> tuple[int, dict[str, bytes]]:
        """The number of the account's last event, and those since the endpoint was created as list_events has them."""
        found: dict[str, bytes] = {}
        after = self._begins_after
        while items := (body := self._ask("GET", "events", params={"after": after, "limit": 500}))["items"]:
            found |= {item["id"]: orjson.dumps(item) for item in items}
            after = body["next_after"]
        return after, found

    def compare(self) -> Counter[str]:
        (_, events), got = self._read(), self.received()
        ids = {each.id for each in got}
        return Counter(
            {
                "events that did not arrive": len(events.keys() - ids),
                "deliveries without an event": len(ids - events.keys()),
                "deliveries that differ from list_events": sum(each.body != events.get(each.id) for each in got),
                "deliveries with a wrong signature": sum(not self._is_signed(each) for each in got),
            }
        )

    def _is_signed(self, each: Received) -> bool:
        return is_signed(each, self._secret, now=float(each.headers["webhook-timestamp"]))
