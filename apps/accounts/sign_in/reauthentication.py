"""Confirm who is at the browser before sensitive actions, with a code by email if the account has nothing else.

allauth asks accounts that only sign in with a provider nothing.
"""

import time
from typing import Any

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.code_verification import AbstractCodeVerificationProcess
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.internal.flows.reauthentication import get_reauthentication_flows
from django.http import HttpRequest

from apps.accounts.actors import account_of
from apps.accounts.models import User
from apps.core.stores.valkey.counters import Limit

_CODES = Limit("reauthentication-codes", 10, 3600)
_MAX_ATTEMPTS = 10
_LIFETIME_SECONDS = 15 * 60
_SESSION_KEY = "reauthentication_code"


def has_confirmed_recently(request: HttpRequest) -> bool:
    """Return whether the person entered a password or a code, or used a passkey, in the last five minutes."""
    records = [each for each in get_authentication_records(request, request.user) if each.get("reauthenticated")]
    return bool(records) and time.time() - float(records[-1]["at"]) < app_settings.REAUTHENTICATION_TIMEOUT


def needs_code_by_email(user: User) -> bool:
    """Return whether an account has no password, passkey or app to confirm with."""
    return not get_reauthentication_flows(user)


class CodeByEmail(AbstractCodeVerificationProcess):
    """A code that was sent to an account's address, kept in the session."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request
        account = account_of(request)
        stored = request.session.get(_SESSION_KEY)
        state: dict[str, Any] = {"at": 0.0, "failed_attempts": 0}
        if stored and stored["email"] == account.email:
            state = stored
        super().__init__(max_attempts=_MAX_ATTEMPTS, timeout=_LIFETIME_SECONDS, state=state, user=account)

    def persist(self) -> None:
        self._request.session[_SESSION_KEY] = self.state

    def abort(self) -> None:
        self._request.session.pop(_SESSION_KEY, None)

    def try_send(self) -> bool:
        """Send a new code. Returns False after ten in an hour."""
        is_within = _CODES.try_take(str(self.user.pk)).is_within
        if is_within:
            self.send()
        return is_within

    def send(self) -> None:
        adapter = get_adapter()
        email = account_of(self._request).email
        self.state = {**self.initial_state(None, email), "code": adapter.generate_login_code()}
        adapter.send_mail("account/email/reauthentication_code", email, {"code": self.code})
        self.persist()
