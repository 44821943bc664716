"""Internal endpoint that /mcp calls to authenticate and count messages that are not tool calls."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.api.authentication import MessageAuthentication


class MessageView(APIView):
    """Counts a message to /mcp and looks at its credential, if there is one; nothing else.

    The web server hands /mcp to the adapter, so only calls from inside the process come here.
    """

    authentication_classes = (MessageAuthentication,)
    permission_classes = ()
    schema = None

    def post(self, request: Request) -> Response:
        return Response(status=204)
