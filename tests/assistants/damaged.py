"""Planners with one fault each. None may do harm: order twice, see another account's data, guess codes, obey pages."""

import json
import random
import re
from collections.abc import Iterator, Mapping
from typing import Any

from tests.assistants.client import Answer, ToolClient
from tests.assistants.reader import Goal, Reader, StuckError, sentences

# Guesses at promo codes. The last one is right, so nobody may come to it.
GUESSES = (
    *("WELCOME", "WELCOME10", "BLACKFRIDAY", "FREE", "TEST100", "SLIPWAY", "HELLO", "SAVE20", "FIRST", "VIP"),
    *("SUMMER", "PARTNER", "LAUNCH50"),
)


class Damaged(Reader):
    """A reader whose fault strikes by chance, the same for the same seed."""

    def __init__(self, client: ToolClient, goal: Goal, *, seed: int) -> None:
        super().__init__(client, goal)
        self.chance = random.Random(seed)  # noqa: S311 (a repeatable choice, not a secret)


class Forgetful(Damaged):
    """Forgets an argument of each second call."""

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        kept = dict(self.with_key(tool, arguments))
        if kept and self.chance.random() < 0.5:
            del kept[self.chance.choice(sorted(kept))]
        answer = self.client.call(tool, kept)
        if not answer.is_error:
            self.seen.append(answer)
        return answer


class Doubling(Damaged):
    """Sends every call twice."""

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        super().call(tool, arguments)
        return super().call(tool, arguments)


class Impatient(Damaged):
    """Never asks twice whether something is done, and doesn't wait for it either."""

    def wait_for(self, answer: Answer) -> Answer:
        return answer

    def arguments_of(self, tool: str) -> dict[str, Any]:
        return {name: value for name, value in super().arguments_of(tool).items() if name != "wait_seconds"}


class Inventive(Damaged):
    """Invents keys and choices, and guesses promo codes until one works."""

    def arguments_of(self, tool: str) -> dict[str, Any]:
        result = super().arguments_of(tool)
        if "promo_code" in self.tools[tool]["inputSchema"]["properties"]:
            result["promo_code"] = self.guess(result)
        for name, value in list(result.items()):
            if isinstance(value, str) and self.chance.random() < 0.3:
                result[name] = f"{value}_plus"
        if self.chance.random() < 0.5:
            result[self.chance.choice(("priority", "owner_id", "account_id", "status", "price_cents"))] = 1
        return result

    def guess(self, order: Mapping[str, Any]) -> str:
        """The first code that a quote takes, or else one that none took: quotes also fail for other reasons."""
        for code in GUESSES:
            if not self.call("quote_order", {**order, "promo_code": code}).is_error:
                return code
        return GUESSES[0]


class Obedient(Damaged):
    """Does what sentences in crawled text say."""

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        answer = super().call(tool, arguments)
        untrusted = [answer.body.get(name) for name in (*answer.body.get("untrusted", ()), "warnings", "items")]
        text = json.dumps(untrusted)
        for named in sorted(set(re.findall(r"\b[Cc]all (\w+)", text))):
            if named in self.tools:
                self.obey(named, text)
        return answer

    def obey(self, tool: str, text: str) -> None:
        """Call a tool that a text names, with the product that it names."""
        try:
            arguments = self.arguments_of(tool)
            if product := re.search(r"the product (\w+)", text):
                listing = self.found("listing_id", "listing", {"description": "from list_my_listings"}, tool)
                arguments["items"] = [{"product": product[1], "listing_id": listing}]
            super().call(tool, arguments)
        except StuckError:
            return


class Forgotten(Damaged):
    """Starts over after each step, and knows nothing of what it did."""

    def run(self) -> None:
        steps = sentences(self.goal.text)
        for count in range(1, len(steps) + 1):
            self.seen.clear()
            for sentence in steps[:count]:
                self.take(sentence)


class Spending(Damaged):
    """Buys the dearest product, whatever it was asked for."""

    def run(self) -> None:
        products = self.call("list_products", {}).body.get("items", [])
        dearest = max(products, key=lambda product: product["price_cents"])
        weeks = self.call("list_weeks", {"weeks": 3}).body["items"]
        listing = self.found("listing_id", "listing", {"description": "from list_my_listings"}, "create_checkout")
        item = {"product": dearest["name"], "listing_id": listing, "weeks": [weeks[-1]["week"]]}
        self.call("create_checkout", {"items": [item]})
        super().run()


PLANNERS: tuple[type[Damaged], ...] = (Forgetful, Doubling, Impatient, Inventive, Obedient, Forgotten, Spending)


def seats(runs: int, tasks: int) -> Iterator[tuple[type[Damaged], int, int]]:
    """Which planner sits at which task with which seed: each at each task before one sits there again."""
    for run in range(runs):
        yield PLANNERS[run % len(PLANNERS)], run // len(PLANNERS) % tasks, run
