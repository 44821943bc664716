"""Allow an operation only if the credential carries its scope."""

from typing import TYPE_CHECKING, Any

from rest_framework import exceptions
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from apps.core.api.operation import operation_of
from apps.core.api.www_authenticate import scope_challenge, steps_to_a_key

if TYPE_CHECKING:
    from rest_framework.views import APIView


class InsufficientScope(exceptions.PermissionDenied):
    """403: the credential is valid but lacks the operation's scope."""

    default_code = "insufficient_scope"

    def __init__(self, request: Request, required: str, granted: frozenset[str]) -> None:
        super().__init__(
            f"This call needs the scope {required}. Your credential has: {' '.join(sorted(granted)) or 'none'}."
        )
        # DRF uses the same name for the challenge of a 401.
        self.auth_header = scope_challenge(request, required=required, granted=granted)
        self.extra: dict[str, Any] = {"next_steps": steps_to_a_key(request, scope=required)}


class CredentialMissing(exceptions.NotAuthenticated):
    """401: the operation needs a credential, and the request has none."""

    def __init__(self, request: Request) -> None:
        super().__init__("Send the header Authorization: Bearer <API key or access token>.")
        self.extra: dict[str, Any] = {"next_steps": steps_to_a_key(request)}


class HasOperationScope(BasePermission):
    """Refuses by default: a viewset method that is not a declared operation can't be called."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        operation = operation_of(view)
        if operation is None:
            # DRF answers 405 after this when the method is not mapped at all.
            return request.method is not None and request.method.lower() not in getattr(view, "action_map", {})
        if operation.scope is None:
            return True
        if request.auth is None:
            raise CredentialMissing(request)
        credential: Any = request.auth
        granted: frozenset[str] = credential.scopes
        if granted.isdisjoint(operation.scopes):
            raise InsufficientScope(request, str(operation.scope), granted)
        return True
