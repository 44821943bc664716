"""Convert REST responses to results and errors of the protocol."""

import secrets

import orjson
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, TextContent

from apps.core.api.idempotency import REPLAYED
from apps.core.api.problems import INTERNAL_ERROR, problem
from apps.mcp.bridge import Answer
from apps.mcp.paging import with_page_numbers

# In the range for implementations. The SDK uses -32000 and -32001.
AUTHORIZATION_NEEDED = -32010
RATE_LIMITED = -32011
UNAVAILABLE = -32012
_VENDOR_CHALLENGE = "mcp/www_authenticate"
# What the API returns in headers, which tool callers don't see.
_TOLD_HEADERS = (REPLAYED.lower(), "retry-after", "ratelimit", "ratelimit-policy")
_META_PREFIX = "slipway/"


# Placeholders for a result's text and content until the SDK has written it. Nobody can guess them.
_TEXT_MARK, _CONTENT_MARK = (f"slipway-{secrets.token_hex(16)}" for _ in range(2))

LeftOut = dict[bytes, bytes]


def result_of(answer: Answer, *, is_paged: bool = False, left_out: LeftOut | None = None) -> CallToolResult:
    """Return structured content and text for 2xx, otherwise an error whose text is the problem body.

    `_meta` repeats headers about rate limits and replays, as `slipway/ratelimit` and so on. With `left_out`, text and
    content of a 2xx are placeholders for `put_back`, because the SDK validates and serializes a result several times.
    """
    result = _result_of(answer, is_paged=is_paged, left_out=left_out)
    meta = {f"{_META_PREFIX}{name}": answer.headers[name] for name in _TOLD_HEADERS if name in answer.headers}
    result.meta = meta or None
    return result


def put_back(body: bytes, left_out: LeftOut) -> bytes:
    """Replace the placeholders in a serialized result with its text and content."""
    for mark, content in left_out.items():
        if body.count(mark) != 1:
            raise RuntimeError("the SDK changed a mark")
        body = body.replace(mark, content)
    return body


def _result_of(answer: Answer, *, is_paged: bool, left_out: LeftOut | None) -> CallToolResult:
    if answer.status == 204:
        return CallToolResult(content=[TextContent(type="text", text="Done.")])
    if not answer.is_json:
        return error_result(unexpected(answer.status))
    if not 200 <= answer.status < 300:
        return error_result(answer.body)
    body = orjson.dumps(with_page_numbers(orjson.loads(answer.body))) if is_paged else answer.body
    if left_out is None:
        return CallToolResult(
            content=[TextContent(type="text", text=body.decode())], structured_content=orjson.loads(body)
        )
    left_out[f'"{_TEXT_MARK}"'.encode()] = orjson.dumps(body.decode())
    # An object's members without the braces.
    left_out[f'"{_CONTENT_MARK}":1'.encode()] = body.strip()[1:-1]
    return CallToolResult(content=[TextContent(type="text", text=_TEXT_MARK)], structured_content={_CONTENT_MARK: 1})


def error_result(body: bytes) -> CallToolResult:
    """Return a problem body as text only, because clients may validate structured content against the output schema."""
    return CallToolResult(content=[TextContent(type="text", text=body.decode())], is_error=True)


def unexpected(status: int = 500) -> bytes:
    """Return a problem body in place of a non-API response."""
    return orjson.dumps(problem(status if status >= 400 else 500, INTERNAL_ERROR))


def error_of(answer: Answer) -> MCPError:
    """Return the JSON-RPC error for a response about credentials or rate limits.

    Its data is what a tool error would contain, and the challenge for clients that look for it there.
    """
    result = error_result(answer.body)
    if answer.challenge:
        result.meta = {_VENDOR_CHALLENGE: [answer.challenge]}
    code = AUTHORIZATION_NEEDED if answer.challenge else UNAVAILABLE if answer.status == 503 else RATE_LIMITED
    data = result.model_dump(by_alias=True, mode="json", exclude_none=True)
    return MCPError(code, str(orjson.loads(answer.body)["detail"]), data)
