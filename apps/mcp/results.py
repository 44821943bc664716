"""Answers of the REST API as results and errors of the protocol."""

import secrets

import orjson
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, TextContent

from apps.core.api.idempotency import REPLAYED
from apps.core.api.problems import INTERNAL_ERROR, problem
from apps.mcp.bridge import Answer
from apps.mcp.paging import with_page_numbers

# In the range that the protocol leaves to implementations; -32000 and -32001 are the SDK's own.
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
    """2xx as structured content and text, anything else as an error whose text is the problem body.

    `_meta` repeats the headers on rate limits and replays, as `slipway/ratelimit` and so on. With `left_out` the text
    and content of a 2xx are marks, for `put_back` to replace: the SDK checks and writes a result several times over.
    """
    result = _result_of(answer, is_paged=is_paged, left_out=left_out)
    told = {f"{_META_PREFIX}{name}": answer.headers[name] for name in _TOLD_HEADERS if name in answer.headers}
    result.meta = told or None
    return result


def put_back(body: bytes, left_out: LeftOut) -> bytes:
    """Replace the marks in a written result with its text and content."""
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
    # An object's members, without its braces.
    left_out[f'"{_CONTENT_MARK}":1'.encode()] = body.strip()[1:-1]
    return CallToolResult(content=[TextContent(type="text", text=_TEXT_MARK)], structured_content={_CONTENT_MARK: 1})


def error_result(body: bytes) -> CallToolResult:
    """A problem body as text alone: a client may check structured content against the output schema."""
    return CallToolResult(content=[TextContent(type="text", text=body.decode())], is_error=True)


def unexpected(status: int = 500) -> bytes:
    """A problem body in place of an answer that is none of the API's own."""
    return orjson.dumps(problem(status if status >= 400 else 500, INTERNAL_ERROR))


def error_of(answer: Answer) -> MCPError:
    """The JSON-RPC error for an answer that asks for another credential, or for patience.

    Its data is the result that a tool error would have been, with the challenge once more for the client that
    looks for it there.
    """
    result = error_result(answer.body)
    if answer.challenge:
        result.meta = {_VENDOR_CHALLENGE: [answer.challenge]}
    code = AUTHORIZATION_NEEDED if answer.challenge else UNAVAILABLE if answer.status == 503 else RATE_LIMITED
    data = result.model_dump(by_alias=True, mode="json", exclude_none=True)
    return MCPError(code, str(orjson.loads(answer.body)["detail"]), data)
