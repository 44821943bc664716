"""A planner that reads: it knows the words of tools/list, their schemas, `next_steps` and errors, and nothing else."""

import hashlib
import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.assistants.client import Answer, ToolClient

# Words that say nothing about which tool is meant.
_EMPTY = frozenset(
    ["a", "an", "and", "as", "at", "for", "from", "in", "is", "it", "its", "of", "on", "or", "s", "the", "to"]
)
_MOST_POLLS = 12
_MOST_MENDS = 3


@dataclass(frozen=True)
class Goal:
    """What a person asked for, a sentence for each step, and the values they gave by the names of fields."""

    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)


class StuckError(Exception):
    """What the planner was told doesn't say how to go on."""


class Reader:
    """Takes each sentence to the tool whose words fit best, and fills in its arguments from facts and answers."""

    def __init__(self, client: ToolClient, goal: Goal) -> None:
        self.client = client
        self.goal = goal
        self.tools = client.tools()
        self.seen: list[Answer] = []

    def run(self) -> None:
        """Work through the goal; raises StuckError."""
        for sentence in sentences(self.goal.text):
            self.take(sentence)

    def take(self, sentence: str) -> Answer:
        """Carry out one sentence, and wait for what its answer says to wait for."""
        return self.wait_for(self.do(self.tool_for(sentence)))

    def tool_for(self, sentence: str) -> str:
        """The tool whose name and first sentence share the most words with this sentence."""
        wanted = words(sentence)

        def fit(name: str) -> float:
            named = words(name.replace("_", " "))
            described = words(self.tools[name]["description"].split(". ")[0])
            return 3 * len(wanted & named) - 0.5 * len(named - wanted) + len(wanted & described)

        return max(self.tools, key=fit)

    def do(self, tool: str) -> Answer:
        """Call a tool, and call it again while its errors say what to send instead."""
        arguments = self.arguments_of(tool)
        answer = self.call(tool, arguments)
        for _ in range(_MOST_MENDS):
            if not answer.is_error:
                return answer
            mended = self.mended(answer)
            if mended == answer.arguments:
                break
            answer = self.call(tool, mended)
        if answer.is_error:
            raise StuckError(f"{tool}: {answer.body.get('detail')}")
        return answer

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        answer = self.client.call(tool, self.with_key(tool, arguments))
        if not answer.is_error:
            self.seen.append(answer)
        return answer

    def with_key(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Add a key where repeating the call would do something twice; the same arguments have the same key."""
        properties = self.tools[tool]["inputSchema"]["properties"]
        if "idempotency_key" not in properties or self.tools[tool]["annotations"]["idempotentHint"]:
            return arguments
        plain = json.dumps([tool, {**arguments, "idempotency_key": None}], sort_keys=True)
        return {**arguments, "idempotency_key": hashlib.sha256(plain.encode()).hexdigest()[:32]}

    # ---- arguments ----

    def arguments_of(self, tool: str) -> dict[str, Any]:
        schema = self.tools[tool]["inputSchema"]
        return self._filled(schema, tool)

    def _filled(self, schema: Mapping[str, Any], tool: str) -> dict[str, Any]:
        required = schema.get("required", ())
        result = {
            name: self._value(name, rule, tool, is_needed=name in required)
            for name, rule in schema["properties"].items()
        }
        return {name: value for name, value in result.items() if value is not None}

    def _value(self, name: str, rule: Mapping[str, Any], tool: str, *, is_needed: bool) -> Any:
        rule = self._resolved(name, rule)
        if name == "wait_seconds":
            return rule.get("maximum")
        if name in self.goal.facts:
            return self.goal.facts[name]
        if rule.get("type") == "object" and "properties" in rule:
            return self._filled(rule, tool) or None
        if is_needed and rule.get("type") == "array" and "properties" in rule["items"]:
            return [self._filled(rule["items"], tool)]
        noun = noun_of(name, tool)
        if noun and (is_needed or noun in self.goal.facts):
            return self.found(name, noun, rule, tool)
        return None

    def _resolved(self, name: str, rule: Mapping[str, Any]) -> Mapping[str, Any]:
        """The rule without `null`, and the other tool's rule where it says "As in that tool"."""
        if named := re.match(r"As in (\w+)\.", rule.get("description", "")):
            source = self.tools[named[1]]["inputSchema"]["properties"]
            return self._resolved(name, source.get(name) or source["fields"]["properties"][name])
        choices = [one for one in rule.get("anyOf", ()) if one.get("type") != "null"]
        return {**rule, **choices[0]} if choices else rule

    def found(self, name: str, noun: str, rule: Mapping[str, Any], tool: str) -> Any:
        """An ID from the answers so far, or from the tool that the texts say lists it."""
        for source in (None, *self._sources(noun, rule, tool)):
            if source:
                self.call(source, self.arguments_of(source))
            for answer in reversed(self.seen):
                if (value := self._id_in(answer, name, noun)) is not None:
                    return value
        raise StuckError(f"{tool}: no {name}")

    def _sources(self, noun: str, rule: Mapping[str, Any], tool: str) -> Iterator[str]:
        texts = (rule.get("description", ""), self.tools[tool]["description"])
        named = [word for text in texts for word in re.findall(r"\w+", text) if word in self.tools]
        listing = [name for name in self.tools if name.startswith("list_") and noun in words(name.replace("_", " "))]
        for source in dict.fromkeys([*named, *listing]):
            is_read_only = self.tools[source]["annotations"]["readOnlyHint"]
            if source != tool and is_read_only and noun in words(self.tools[source]["description"] + " " + source):
                yield source

    def _id_in(self, answer: Answer, name: str, noun: str) -> Any:
        key = name if name in ("number", "slug") else "id"
        body = answer.body
        if name.endswith("_id") and body.get(name) is not None:
            return body[name]
        about = words(answer.tool.replace("_", " ") + " " + self.tools[answer.tool]["description"].split(". ")[0])
        for rows in (body.get(f"{noun}s"), body.get("items") if noun in about else None):
            if isinstance(rows, list) and rows and key in rows[0]:
                return self._meant(rows)[key]
        return body.get(key) if noun in about else None

    def _meant(self, rows: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """The row that one of the person's values names, or the first one."""
        given = {value for value in self.goal.facts.values() if isinstance(value, str)}
        named = [row for row in rows if given & {value for value in row.values() if isinstance(value, str)}]
        return (named or rows)[0]

    # ---- answers ----

    def wait_for(self, answer: Answer) -> Answer:
        """Ask again while the answer says so."""
        for _ in range(_MOST_POLLS):
            tool = self._to_poll(answer)
            if not tool:
                return answer
            time.sleep(self._pause(answer))
            answer = self.do(tool)
        raise StuckError(f"{answer.tool}: waited in vain")

    def _to_poll(self, answer: Answer) -> str | None:
        for step in answer.body.get("next_steps", ()):
            if (named := re.search(r"(?:Poll|Call) (\w+) (?:with \w+ )?until", step)) and named[1] in self.tools:
                return named[1]
        said = re.search(r"If `(\w+)` is `(\w+)`, call (\w+) after", self.tools[answer.tool]["description"])
        state = answer.body.get(said[1]) if said else None
        return said[3] if said and isinstance(state, dict) and state.get("status") == said[2] else None

    def _pause(self, answer: Answer) -> float:
        nested = [value for value in answer.body.values() if isinstance(value, dict)]
        told = [one.get("retry_after_seconds") for one in (answer.body, *nested)]
        return float(next((seconds for seconds in told if seconds), 1))

    def mended(self, answer: Answer) -> Mapping[str, Any]:
        """The arguments with what the errors ask for; the same ones where they ask for nothing that is known."""
        arguments: dict[str, Any] = json.loads(json.dumps(answer.arguments))
        for error in answer.body.get("errors", ()):
            self._mend(answer.tool, arguments, error)
        return arguments

    def _mend(self, tool: str, arguments: dict[str, Any], error: Mapping[str, Any]) -> None:
        *parents, last = error["pointer"].strip("/").split("/")
        place: Any = arguments
        for part in parents:
            place = place[int(part) if isinstance(place, list) else part]
        if meant := re.search(r"Did you mean (\w+)\?", error["detail"]):
            place[meant[1]] = place.pop(last)
        elif error["code"] == "unknown_key":
            place.pop(last, None)
        elif (code := re.search(r"such as ([\w-]+)", error["detail"])) and last in place:
            place[last] = code[1]
        elif last in self.goal.facts:
            place[last] = self.goal.facts[last]
        elif noun := noun_of(last, tool):
            place[last] = self.found(last, noun, {"description": error["detail"]}, tool)


def sentences(text: str) -> list[str]:
    return [sentence for sentence in re.split(r"(?<=\.)\s+", text) if sentence]


def words(text: str) -> set[str]:
    """The words of a text in their short form, without those that say nothing."""
    result = set(re.findall(r"[a-z]+", text.lower())) - _EMPTY
    return {re.sub(r"(?<=\w{3})(ies|es|s)$", lambda end: "y" if end[1] == "ies" else "", word) for word in result}


def noun_of(name: str, tool: str) -> str:
    """What an argument names by its ID: a `listing_id` a listing; empty for one that is no ID."""
    if name.endswith("_id"):
        return name.removesuffix("_id")
    return {"id": tool.rsplit("_", 1)[-1], "number": "order", "slug": "listing"}.get(name, "")
