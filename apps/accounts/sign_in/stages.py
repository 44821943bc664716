"""Steps of a sign-in that allauth does not have."""

from allauth.account.stages import LoginStage
from allauth.account.utils import get_next_redirect_url


class KeepNext(LoginStage):  # type: ignore[misc]  # allauth is untyped
    """Remembers `next` with the sign-in: after a reset or with a passkey, the second step would lose it."""

    key = "keep_next"

    def handle(self) -> tuple[None, bool]:
        self.login.redirect_url = self.login.redirect_url or get_next_redirect_url(self.request)
        return None, True
