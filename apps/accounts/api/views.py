"""Internal endpoint that /mcp calls to authenticate and count messages that are not tool calls."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.api.authentication import MessageAuthentication


class MessageView(APIView):
    """Count a message to /mcp and check its credential, if any.

    Only the process itself can call it: the web server sends every other request to /mcp to the adapter.
    """

    authentication_classes = (MessageAuthentication,)
    permission_classes = ()
    schema = None

    def post(self, request: Request) -> Response:
        return Response(status=204)
