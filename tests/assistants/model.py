"""A language model as planner, behind any API that speaks OpenAI's chat completions with tools."""

import json
import os
from typing import Any

import httpx2

from tests.assistants.client import ToolClient
from tests.assistants.reader import Goal, StuckError

_MOST_TURNS = 30
_SECONDS = 120


class Model:
    """Gives the model the goal and the tools, and makes the calls it asks for. Reads OPENAI_API_KEY, if set."""

    def __init__(self, client: ToolClient, goal: Goal, *, url: str, name: str) -> None:
        self._client = client
        self._url = url.rstrip("/") + "/chat/completions"
        self._name = name
        self._tools = [_function(tool) for tool in client.tools().values()]
        given = f"{goal.text}\n\nThe person gave these values:\n{json.dumps(dict(goal.facts))}"
        self._messages: list[dict[str, Any]] = [{"role": "user", "content": given}]

    def run(self) -> None:
        """Let it call tools until it says something without a call; raises StuckError after too many turns."""
        headers = {"Authorization": f"Bearer {os.environ.get('OPENAI_API_KEY', 'none')}"}
        with httpx2.Client(headers=headers, timeout=_SECONDS) as http:
            for _ in range(_MOST_TURNS):
                said = self._say(http)
                self._messages.append(said)
                if not said.get("tool_calls"):
                    return
                for wanted in said["tool_calls"]:
                    self._call(wanted)
        raise StuckError("no end after too many turns")

    def _say(self, http: httpx2.Client) -> dict[str, Any]:
        asked = {"model": self._name, "messages": self._messages, "tools": self._tools}
        try:
            answered = http.post(self._url, json=asked).raise_for_status()
            said: dict[str, Any] = answered.json()["choices"][0]["message"]
        except (httpx2.HTTPError, ValueError, KeyError, IndexError) as error:
            raise StuckError(f"no answer of the model: {error!r}") from None
        return said

    def _call(self, wanted: dict[str, Any]) -> None:
        function = wanted["function"]
        try:
            arguments = json.loads(function["arguments"] or "{}")
        except json.JSONDecodeError:
            arguments = None
        if isinstance(arguments, dict):
            content = json.dumps(self._client.call(function["name"], arguments).body)
        else:
            content = "The arguments are no JSON object."
        self._messages.append({"role": "tool", "tool_call_id": wanted["id"], "content": content})


def _function(tool: dict[str, Any]) -> dict[str, Any]:
    described = {"name": tool["name"], "description": tool["description"], "parameters": tool["inputSchema"]}
    return {"type": "function", "function": described}
