"""Write an operation's example call in each language."""

import json
from dataclasses import dataclass
from shlex import quote
from typing import Any
from urllib.parse import urlencode

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
    """An example call.

    `address` is absolute, with the names of path parameters in braces, and `url` has their values and the query.
    `body` is None if the operation takes none.
    """

    name: str
    method: str
    address: str
    in_path: dict[str, Any]
    in_query: dict[str, Any]
    body: dict[str, Any] | None
    needs_key: bool

    @property
    def url(self) -> str:
        url = self.address.format(**self.in_path)
        return f"{url}?{urlencode(self.in_query)}" if self.in_query else url

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of the tool of the same name."""
        return self.in_path | self.in_query | (self.body or {})


def example_call(spec: dict[str, Any], *, method: str, path: str, origin: str) -> Call:
    """Return an operation's example call on the site at `origin`."""
    return Call(
        name=spec["operationId"],
        method=method.upper(),
        address=origin + path,
        in_path=parameters_of(spec, "path"),
        in_query=parameters_of(spec, "query"),
        body=body_example(spec),
        needs_key=bool(spec[EXTENSION]["scope"]),
    )


def snippets(call: Call, *, addresses: Addresses, with_mcp: bool = True) -> list[Snippet]:
    """Return the call with curl, in Python, in TypeScript and by MCP, in display order."""
    ways = [
        Snippet("curl", _curl(call)),
        Snippet("Python", _python(call)),
        Snippet("TypeScript", _typescript(call)),
    ]
    if with_mcp:
        ways += [Snippet("MCP", _mcp(call)), Snippet("MCP in Python", _mcp_python(call, addresses.mcp))]
    return ways


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


def _typescript(call: Call) -> str:
    options = [] if call.method == "GET" else [f'  method: "{call.method}",']
    headers = [f"Authorization: `Bearer ${{process.env.{KEY_VARIABLE}}}`"] if call.needs_key else []
    headers += ['"Content-Type": "application/json"'] if call.body is not None else []
    if headers:
        options.append(f"  headers: {{ {', '.join(headers)} }},")
    if call.body is not None:
        body = _json(call.body).replace("\n", "\n  ")
        options.append(f"  body: JSON.stringify({body}),")
    sent = ", {\n" + "\n".join(options) + "\n}" if options else ""
    read = "response.status" if call.method == "DELETE" else "await response.json()"
    return (
        f'const response = await fetch("{call.url}"{sent});\n'
        f"if (!response.ok) throw new Error(await response.text());\n"
        f"console.log({read});"
    )


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
