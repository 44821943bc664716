"""The tools of a running Slipway as an assistant sees them, with a record of what it called."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2

_VERSION = "2025-11-25"
# Reading a website may be waited for.
_SECONDS = 60


@dataclass(frozen=True)
class Answer:
    """What one call got: the JSON body, of the result or of the problem."""

    tool: str
    arguments: Mapping[str, Any]
    is_error: bool
    body: Mapping[str, Any]


@dataclass
class ToolClient:
    """Calls tools with one account's key, and keeps every answer."""

    url: str
    key: str
    answers: list[Answer] = field(default_factory=list)

    def __post_init__(self) -> None:
        headers = {
            "Authorization": f"Bearer {self.key}",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": _VERSION,
        }
        self._http = httpx2.Client(headers=headers, timeout=_SECONDS)

    def close(self) -> None:
        self._http.close()

    def tools(self) -> dict[str, dict[str, Any]]:
        """Each tool of tools/list by its name."""
        return {tool["name"]: tool for tool in self._send("tools/list", {})["result"]["tools"]}

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Call it once. Of a refusal of the protocol without a result, the body is its message."""
        answered = self._send("tools/call", {"name": tool, "arguments": dict(arguments)})
        error = answered.get("error", {})
        result = answered.get("result") or error.get("data") or {}
        body = _body(result) if result else {"detail": error["message"]}
        answer = Answer(tool, arguments, bool(error or result.get("isError")), body)
        self.answers.append(answer)
        return answer

    def _send(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answered: dict[str, Any] = self._http.post(self.url, json=message).json()
        return answered


def _body(result: Mapping[str, Any]) -> Mapping[str, Any]:
    texts = [part["text"] for part in result.get("content", ()) if part.get("type") == "text"]
    try:
        found = json.loads(texts[0]) if texts else {}
    except json.JSONDecodeError:
        return {"text": texts[0]}
    return found if isinstance(found, dict) else {"value": found}
