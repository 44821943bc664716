"""Say what is wrong with a request to /mcp, and what to send instead."""

from collections.abc import Mapping
from typing import Any

import mcp_types as types
from django.http.request import MediaType
from mcp_types.methods import validate_client_request
from mcp_types.version import KNOWN_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError
from starlette.datastructures import Headers, MutableHeaders

# The newest first. The oldest that is known had another transport.
VERSIONS = KNOWN_PROTOCOL_VERSIONS[:0:-1]
# What the SDK says, at best, of an Accept header and of parameters that it can't use.
NOT_ACCEPTABLE = "Send the header Accept: application/json, text/event-stream."
UNEXPLAINED = b'"Invalid request parameters"'
_JSON = "application/json"
_FAULTS_TOLD = 3
# Fewer than the SDK and orjson manage, and more than the API takes.
_MAX_LEVELS = 100
# Above it, a float is no exact integer.
_MAX_EXACT = 2**53
_KINDS = {"dict": " as an object", "model": " as an object", "list": " as an array", "string": " as a string"}


def media_type_fault(headers: MutableHeaders) -> tuple[int, str] | None:
    """Return the HTTP status and what to send, unless plain JSON is sent and JSON accepted.

    Leaves both media types as the SDK compares them, in lower case.
    """
    if _JSON not in _media_types(headers, "content-type"):
        return 415, f"Send the header Content-Type: {_JSON}."
    if headers.get("content-encoding", "").strip().lower() not in {"", "identity"}:
        return 415, "Send the body without Content-Encoding."
    # Without the header, everything is accepted (RFC 9110, section 12.5.1).
    accepted = _media_types(headers, "accept") or {"*/*": 1.0}
    # The most specific one counts.
    if not next((accepted[name] for name in (_JSON, "application/*", "*/*") if name in accepted), 0):
        return 406, NOT_ACCEPTABLE
    headers["content-type"], headers["accept"] = _JSON, ", ".join(accepted)
    return None


def version_fault(version: str) -> tuple[str, dict[str, Any]] | None:
    """Return what to send instead of an unknown protocol version, and the error's data."""
    if version in KNOWN_PROTOCOL_VERSIONS:
        return None
    rule = f"Send the header MCP-Protocol-Version with one of {', '.join(VERSIONS)}."
    # As server/discover lists them: those that need no handshake.
    return rule, {"supported": MODERN_PROTOCOL_VERSIONS, "requested": version[:80]}


def id_of(message: Any) -> str | int | None:
    """Return a message's ID, or None if it has no valid one."""
    id_ = message.get("id") if isinstance(message, dict) else None
    return id_ if isinstance(id_, str | int) and not isinstance(id_, bool) else None


def as_meant(message: Any) -> Any:
    """Return a message as the SDK reads it. It refuses what the libraries of some clients write.

    That is an integer such as 1.0 as the ID, and a progress token of null for none.
    """
    if not isinstance(message, dict):
        return message
    if isinstance(id_ := message.get("id"), float) and id_.is_integer() and abs(id_) < _MAX_EXACT:
        message = {**message, "id": int(id_)}
    params = message.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    if isinstance(meta, dict) and "progressToken" in meta and meta["progressToken"] is None:
        rest = {name: value for name, value in meta.items() if name != "progressToken"}
        message = {**message, "params": {**message["params"], "_meta": rest}}
    return message


def message_fault(message: Any) -> tuple[int, str] | None:
    """Return the code of what is wrong with a JSON-RPC message, and what to send."""
    if not isinstance(message, dict):
        return types.INVALID_REQUEST, "Send one JSON-RPC message, as an object."
    if message.get("jsonrpc") != "2.0":
        return types.INVALID_REQUEST, 'Send "jsonrpc": "2.0" in the message.'
    # The SDK overlooks a malformed ID and would never answer.
    if {"id", "method"} <= message.keys() and id_of(message) is None:
        return types.INVALID_REQUEST, "Send id as a string or an integer. Leave it out for a notification."
    if not isinstance(message.get("params"), dict | None):
        return types.INVALID_PARAMS, "Send params as an object, such as {}."
    if _is_deeper(message, _MAX_LEVELS):
        return types.INVALID_PARAMS, f"Send a message with up to {_MAX_LEVELS} levels."
    if not isinstance(message.get("method"), str) and message.keys().isdisjoint({"result", "error"}):
        return types.INVALID_REQUEST, "Send method as a string, such as tools/list."
    try:
        types.jsonrpc_message_adapter.validate_python(message, by_name=False)
    except ValidationError:
        return types.INVALID_REQUEST, "Send one JSON-RPC request or notification."
    return None


def params_fault(message: Mapping[str, Any], *, version: str) -> str | None:
    """Return what to send instead of a request's parameters, or None if they have the form of its method."""
    try:
        validate_client_request(message.get("method", ""), version, message.get("params"))
    except ValidationError as error:
        result = error.errors(include_url=False, include_context=False, include_input=False)[:_FAULTS_TOLD]
        wanted = [".".join(map(str, one["loc"])) + _KINDS.get(one["type"].partition("_")[0], "") for one in result]
        return f"Send {', '.join(wanted)}."
    except KeyError:
        # The version has no such method.
        return None
    return None


def _is_deeper(value: Any, levels: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels < 1 or any(_is_deeper(one, levels - 1) for one in inner)


def _media_types(headers: Headers, name: str) -> dict[str, float]:
    """Return the media types of a header in lower case, with their quality values."""
    parts = [part.strip() for value in headers.getlist(name) for part in value.split(",")]
    return {f"{one.main_type}/{one.sub_type}": one.quality for one in map(MediaType, filter(None, parts))}
