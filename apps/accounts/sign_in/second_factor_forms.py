"""allauth's forms of passkeys, authenticator apps and recovery codes, in the site's own words."""

import json
from typing import Any, ClassVar

from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms as base
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.totp.internal.auth import TOTP
from allauth.mfa.webauthn import forms as webauthn
from django import forms

from apps.accounts.sign_in.forms import InOwnWords
from apps.core.web.forms import CleanTextField

MAX_PASSKEYS = 20
MAX_NAME_LENGTH = 60
MAX_CREDENTIAL_LENGTH = 16 * 1024
# What the reader of WebAuthn messages raises at nonsense; a stranger can send any.
_UNREADABLE = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)


class ShownCode(InOwnWords):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs |= {"inputmode": "numeric", "spellcheck": "false", "autofocus": True}


class CodeForm(ShownCode, base.AuthenticateForm):  # type: ignore[misc]  # allauth is untyped
    words: ClassVar = {"code": ("Code", "From your authenticator app, or one of your recovery codes.")}


class CodeAgainForm(ShownCode, base.ReauthenticateForm):  # type: ignore[misc]  # allauth is untyped
    words: ClassVar = CodeForm.words


class AppForm(ShownCode, ActivateTOTPForm):  # type: ignore[misc]  # allauth is untyped
    words: ClassVar = {"code": ("Code that the app shows", "")}

    def clean_code(self) -> str:
        code: str = super().clean_code()
        # allauth marks only codes that sign in: this one would do that too while the app still shows it.
        app = TOTP(Authenticator(user=self.user, type=Authenticator.Type.TOTP))
        if not app._mark_code_used(code):  # noqa: SLF001 - allauth offers nothing else
            raise get_adapter().validation_error("incorrect_code")
        return code


class CredentialField(forms.CharField):
    """What a browser's passkey answers: JSON of names and base64, so nothing long, deep or escaped."""

    def __init__(self) -> None:
        problem = get_adapter().error_messages["unknown_passkey"]
        super().__init__(widget=forms.HiddenInput, error_messages={"invalid": problem, "required": problem})

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        if not text:
            return None
        try:
            answer = json.loads(text)
            plain = json.dumps(answer)
        except (ValueError, RecursionError):
            plain = ""
        # PostgreSQL's JSON takes no NUL and no half of a character; both are escapes here.
        if not plain or "\\u" in plain or len(plain) > MAX_CREDENTIAL_LENGTH:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return answer


class NewPasskeyForm(webauthn.SignupWebAuthnForm):  # type: ignore[misc]  # allauth is untyped
    """A key that can sign in alone; allauth's other form leaves that to choose."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["credential"] = CredentialField()
        self.fields["name"] = CleanTextField(
            label="Name", required=False, max_length=MAX_NAME_LENGTH, help_text="For you to know it by."
        )

    def clean(self) -> dict[str, Any]:
        if Authenticator.objects.filter(user=self.user, type=Authenticator.Type.WEBAUTHN).count() >= MAX_PASSKEYS:
            raise forms.ValidationError(f"You have {MAX_PASSKEYS} passkeys. Remove one first.", code="too_many")
        try:
            cleaned: dict[str, Any] = super().clean()
        except _UNREADABLE:
            raise get_adapter().validation_error("incorrect_code") from None
        return cleaned


class PasskeyNameForm(webauthn.EditWebAuthnForm):  # type: ignore[misc]  # allauth is untyped
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"] = CleanTextField(label="Name", max_length=MAX_NAME_LENGTH)


class ReadableCredential(forms.Form):
    """Refuses what is no answer of a passkey, whatever it is."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["credential"] = CredentialField()

    def clean_credential(self) -> Authenticator:
        try:
            return super().clean_credential()  # type: ignore[misc]  # allauth's forms have it
        except _UNREADABLE:
            raise get_adapter().validation_error("unknown_passkey") from None


class PasskeySignInForm(ReadableCredential, webauthn.LoginWebAuthnForm):  # type: ignore[misc]  # allauth is untyped
    pass


class PasskeyForm(ReadableCredential, webauthn.AuthenticateWebAuthnForm):  # type: ignore[misc]  # allauth is untyped
    pass


class PasskeyAgainForm(ReadableCredential, webauthn.ReauthenticateWebAuthnForm):  # type: ignore[misc]  # allauth is untyped
    pass
