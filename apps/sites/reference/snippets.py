"""Write an operation's example call in four forms."""

import json
from dataclasses import dataclass
from shlex import quote
from typing import Any
from urllib.parse import urlencode, urlsplit

from apps.core.api.operation import EXTENSION
from apps.sites.guide import KEY_VARIABLE, Addresses
from apps.sites.reference.examples import body_example, parameters_of

_ACCESS = f"Bearer ${KEY_VARIABLE}"
# Shorter dictionaries and lists fit on one line.
_SHORT = 60


@dataclass(frozen=True, slots=True)
class Snippet:
    """Lines to copy, with a name such as curl."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """An example call. `url` is absolute, `arguments` are the tool's, and `body` is None if there is none."""

    name: str
    method: str
    url: str
    body: dict[str, Any] | None
    arguments: dict[str, Any]
    needs_key: bool


def example_call(spec: dict[str, Any], *, method: str, path: str, origin: str) -> Call:
    """Return an operation's example call on the site at `origin`."""
    in_path, in_query = parameters_of(spec, "path"), parameters_of(spec, "query")
    body = body_example(spec)
    url = origin + path.format(**in_path)
    return Call(
        name=spec["operationId"],
        method=method.upper(),
        url=f"{url}?{urlencode(in_query)}" if in_query else url,
        body=body,
        arguments=in_path | in_query | (body or {}),
        needs_key=bool(spec[EXTENSION]["scope"]),
    )


def snippets(call: Call, *, addresses: Addresses) -> list[Snippet]:
    """Return the call as HTTP, curl, Python and MCP, in display order."""
    return [
        Snippet("REST", _http(call)),
        Snippet("curl", _curl(call)),
        Snippet("Python", _python(call)),
        Snippet("MCP", _mcp(call)),
        Snippet("MCP in Python", _mcp_python(call, addresses.mcp)),
    ]


def _http(call: Call) -> str:
    parts = urlsplit(call.url)
    target = f"{parts.path}?{parts.query}" if parts.query else parts.path
    lines = [f"{call.method} {target} HTTP/1.1", f"Host: {parts.netloc}"]
    if call.needs_key:
        lines.append("Authorization: Bearer YOUR_KEY")
    if call.body is not None:
        lines += ["Content-Type: application/json", "", _json(call.body)]
    return "\n".join(lines)


def _curl(call: Call) -> str:
    words = ["curl"]
    if call.method not in {"GET", "POST"} or (call.method == "POST" and call.body is None):
        words[0] += f" -X {call.method}"
    words[0] += f" {quote(call.url)}"
    if call.needs_key:
        words.append(f'-H "Authorization: {_ACCESS}"')
    if call.body is not None:
        words += ["-H 'Content-Type: application/json'", f"-d {quote(_json(call.body))}"]
    return " \\\n  ".join(words)


def _python(call: Call) -> str:
    lines = ["import os", "", "import httpx2", ""] if call.needs_key else ["import httpx2", ""]
    arguments = [f'    "{call.url}",']
    if call.needs_key:
        arguments.append(f'    headers={{"Authorization": f"Bearer {{os.environ[\'{KEY_VARIABLE}\']}}"}},')
    if call.body is not None:
        arguments.append(f"    json={_literal(call.body, indent=4)},")
    lines += [f"answer = httpx2.{call.method.lower()}(", *arguments, ")", "answer.raise_for_status()"]
    lines.append("print(answer.status_code)" if call.method == "DELETE" else "print(answer.json())")
    return "\n".join(lines)


def _mcp(call: Call) -> str:
    params = {"name": call.name, "arguments": call.arguments}
    return _json({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})


def _mcp_python(call: Call, address: str) -> str:
    lines = ["import asyncio", *(["import os"] if call.needs_key else []), ""]
    lines += [
        "import httpx2",
        "from mcp import Client",
        "from mcp.client.streamable_http import streamable_http_client",
    ]
    lines += ["", "", "async def main():"]
    headers = f'headers={{"Authorization": f"Bearer {{os.environ[\'{KEY_VARIABLE}\']}}"}}' if call.needs_key else ""
    lines += [
        f"    async with httpx2.AsyncClient({headers}) as http:",
        f'        transport = streamable_http_client("{address}", http_client=http)',
        "        async with Client(transport) as client:",
        f'            result = await client.call_tool("{call.name}", {_literal(call.arguments, indent=12)})',
        "            print(result.structured_content)",
        "",
        "",
        "asyncio.run(main())",
    ]
    return "\n".join(lines)


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _literal(value: Any, *, indent: int) -> str:
    """Return a Python literal, with its further lines indented."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list):
        return repr(value)
    deeper = indent + 4
    if isinstance(value, dict):
        brackets = "{}"
        parts = [f'"{key}": {_literal(inner, indent=deeper)}' for key, inner in value.items()]
    else:
        brackets = "[]"
        parts = [_literal(inner, indent=deeper) for inner in value]
    line = ", ".join(parts)
    if len(line) < _SHORT and "\n" not in line:
        return f"{brackets[0]}{line}{brackets[1]}"
    rows = "".join(f"\n{' ' * deeper}{part}," for part in parts)
    return f"{brackets[0]}{rows}\n{' ' * indent}{brackets[1]}"
