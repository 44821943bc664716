"""Answers of the REST API as results of tools."""

import orjson
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, TextContent
from starlette.types import Scope

from apps.core.problems import problem
from apps.mcp.bridge import Answer

# In the range that the protocol leaves to implementations; -32000 and -32001 are the SDK's own.
AUTHORIZATION_NEEDED = -32010
# The key on the ASGI scope under which the status and WWW-Authenticate of the HTTP answer wait.
CHALLENGE = "slipway.challenge"
_VENDOR_CHALLENGE = "mcp/www_authenticate"


def result_of(answer: Answer) -> CallToolResult:
    """2xx as structured content and text, anything else as an error whose text is the problem body."""
    if answer.status == 204:
        return CallToolResult(content=[TextContent(type="text", text="Done.")])
    if not answer.is_json:
        return error_result(unexpected(answer.status))
    if not 200 <= answer.status < 300:
        return error_result(answer.body)
    return CallToolResult(
        content=[TextContent(type="text", text=answer.body.decode())],
        structured_content=orjson.loads(answer.body),
    )


def error_result(body: bytes) -> CallToolResult:
    """A problem body as text alone: a client may check structured content against the output schema."""
    return CallToolResult(content=[TextContent(type="text", text=body.decode())], is_error=True)


def unexpected(status: int = 500) -> bytes:
    """A problem body in place of an answer that is none of the API's own."""
    detail = "The error is logged under this request_id. Try again later."
    return orjson.dumps(problem(status if status >= 400 else 500, detail))


def challenge_of(answer: Answer) -> tuple[int, str] | None:
    """HTTP status and WWW-Authenticate of an answer that asks for another credential, otherwise None."""
    if answer.status == 401:
        return 401, answer.headers.get("www-authenticate", "Bearer")
    if answer.status == 403 and answer.is_json and orjson.loads(answer.body)["code"] == "insufficient_scope":
        return 403, answer.headers.get("www-authenticate", 'Bearer error="insufficient_scope"')
    return None


def demand(answer: Answer, *, challenge: tuple[int, str], scope: Scope) -> MCPError:
    """The JSON-RPC error for such an answer; leaves the challenge on the scope for the HTTP answer.

    Its data is the result that a tool error would have been, with the challenge once more for the client
    that looks for it there.
    """
    scope[CHALLENGE] = challenge
    result = error_result(answer.body)
    result.meta = {_VENDOR_CHALLENGE: [challenge[1]]}
    data = result.model_dump(by_alias=True, mode="json", exclude_none=True)
    return MCPError(AUTHORIZATION_NEEDED, str(orjson.loads(answer.body)["detail"]), data)
