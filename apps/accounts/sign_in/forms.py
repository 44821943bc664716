"""allauth's forms in the site's own words. A new password is typed once, because it can be reset."""

import json
import unicodedata
from typing import Any, ClassVar

from allauth.account import forms as allauth
from allauth.core import context as allauth_context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms as base
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.totp.internal.auth import TOTP
from allauth.mfa.webauthn import forms as webauthn
from allauth.socialaccount.forms import SignupForm as ProviderSignUpForm
from django import forms
from django.core.validators import MaxLengthValidator
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse

from apps.accounts.models import User
from apps.accounts.sign_in.proof_of_work import is_proof, new_challenge
from apps.blocklists.sign_ups import why_not_sign_up
from apps.core.web.forms import CleanTextField

MAX_ADDRESS_LENGTH = 254
_LENGTH_HELP = "At least 8 characters."
_NEW_PASSWORD = {"password1": ("New password", _LENGTH_HELP)}


class InOwnWords(forms.Form):
    """Use the site's labels and help texts, no placeholders, and a single field for a new password."""

    words: ClassVar[dict[str, tuple[str, str]]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.pop("password2", None)
        for name, (label, help_text) in self.words.items():
            field = self.fields[name]
            field.label, field.help_text = label, help_text
            field.widget.attrs.pop("placeholder", None)
            if isinstance(field, forms.EmailField):
                # Django's own limit exceeds the column, and allauth would truncate the email.
                field.validators.append(MaxLengthValidator(MAX_ADDRESS_LENGTH))


class SignInForm(InOwnWords, allauth.LoginForm):
    words: ClassVar = {"login": ("Email", ""), "password": ("Password", "")}


class ChecksSender(forms.Form):
    """Refuse sign-ups that the block list names."""

    def clean(self) -> Any:
        cleaned = super().clean()
        email = self.cleaned_data.get("email", "")
        if problem := why_not_sign_up(allauth_context.request, email):
            self.add_error(None, problem)
        return cleaned


class SignUpForm(ChecksSender, InOwnWords, allauth.SignupForm):
    words: ClassVar = {"email": ("Email", ""), "password1": ("Password", _LENGTH_HELP)}
    account_already_exists: bool

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if challenge := new_challenge():
            field = forms.CharField(required=False, widget=forms.HiddenInput({"data-challenge": challenge}))
            self.fields["proof"] = field

    def save(self, request: HttpRequest) -> User:
        user: User = super().save(request)
        if not is_proof(self.cleaned_data.get("proof", "")):
            user.needs_proof = True
            user.save(update_fields=["needs_proof"])
        return user

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Create the account. For a known email, respond the same way and inform its owner by email.

        The response takes as long as hashing a password, so that timing reveals nothing either.
        """
        saved: tuple[User | None, HttpResponse | None]
        if not self.account_already_exists:
            try:
                with transaction.atomic():
                    saved = super().try_save(request)
            except IntegrityError:
                # The form was sent twice, and the other request was faster.
                self.account_already_exists = True
            else:
                return saved
        else:
            User().set_password(self.cleaned_data["password1"])
        saved = super().try_save(request)
        return saved


class EmailForm(ChecksSender, InOwnWords, ProviderSignUpForm):
    """Asks for the email address if the provider sent none."""

    words: ClassVar = {"email": ("Email", "We'll send a code to this address.")}


class AddressForm(InOwnWords, allauth.AddEmailForm):
    words: ClassVar = {"email": ("New address", "We'll send a code to this address.")}


class PasswordForm(InOwnWords, allauth.ChangePasswordForm):
    words: ClassVar = {"oldpassword": ("Current password", ""), **_NEW_PASSWORD}


class FirstPasswordForm(InOwnWords, allauth.SetPasswordForm):
    words: ClassVar = _NEW_PASSWORD


class NewPasswordForm(InOwnWords, allauth.ResetPasswordKeyForm):
    words: ClassVar = _NEW_PASSWORD


class ResetForm(InOwnWords, allauth.ResetPasswordForm):
    words: ClassVar = {"email": ("Email", "")}


class TypedCode(InOwnWords):
    """Take a code as people type and paste it: in groups, full-width, or in another script's digits."""

    def clean_code(self) -> str:
        typed = unicodedata.normalize("NFKC", self.cleaned_data["code"])
        plain = "".join(str(unicodedata.decimal(char, char)) for char in typed if char.isalnum())
        self.cleaned_data["code"] = plain
        code: str = super().clean_code()  # type: ignore[misc]  # allauth's forms have it
        return code


class EmailedCode(TypedCode):
    words: ClassVar = {"code": ("Code from the email", "")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs |= {"autocapitalize": "characters", "spellcheck": "false", "autofocus": True}


class VerificationCodeForm(EmailedCode, allauth.ConfirmEmailVerificationCodeForm):
    pass


class ResetCodeForm(EmailedCode, allauth.ConfirmPasswordResetCodeForm):
    pass


class CodeByEmailAgainForm(EmailedCode, allauth.BaseConfirmCodeForm):
    pass


class PasswordAgainForm(InOwnWords, allauth.ReauthenticateForm):
    words: ClassVar = {"password": ("Your password", "")}


MAX_PASSKEYS = 20
MAX_NAME_LENGTH = 60
MAX_CREDENTIAL_LENGTH = 16 * 1024
# The WebAuthn parser's errors for invalid input, which anyone can send.
_UNREADABLE = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)


class ShownCode(TypedCode):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs |= {"inputmode": "numeric", "spellcheck": "false", "autofocus": True}


class CodeForm(ShownCode, base.AuthenticateForm):
    words: ClassVar = {"code": ("Code", "From your authenticator app, or a recovery code.")}


class CodeAgainForm(ShownCode, base.ReauthenticateForm):
    words: ClassVar = CodeForm.words


class AppForm(ShownCode, ActivateTOTPForm):
    words: ClassVar = {"code": ("Code from the app", "")}

    def clean_code(self) -> str:
        code: str = super().clean_code()
        # allauth remembers only sign-in codes, but this one stays valid for signing in as long as the app shows it.
        app = TOTP(Authenticator(user=self.user, type=Authenticator.Type.TOTP))
        if not app._mark_code_used(code):  # noqa: SLF001 - allauth offers nothing else
            raise get_adapter().validation_error("incorrect_code")
        return code


class CredentialField(forms.CharField):
    """A browser's passkey response: JSON of names and base64. Refuses anything long, nested or escaped."""

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
        # PostgreSQL's JSON takes no NUL and no half surrogates, which are both escapes here.
        if not plain or "\\u" in plain or len(plain) > MAX_CREDENTIAL_LENGTH:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return answer


class NewPasskeyForm(webauthn.SignupWebAuthnForm):
    """A key that can sign in alone. allauth's own form makes that optional."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["credential"] = CredentialField()
        self.fields["name"] = CleanTextField(
            label="Name", required=False, max_length=MAX_NAME_LENGTH, help_text="For example: MacBook"
        )

    def clean(self) -> dict[str, Any]:
        if Authenticator.objects.filter(user=self.user, type=Authenticator.Type.WEBAUTHN).count() >= MAX_PASSKEYS:
            raise forms.ValidationError(f"You have {MAX_PASSKEYS} passkeys. Remove one first.", code="too_many")
        try:
            cleaned: dict[str, Any] = super().clean()
        except _UNREADABLE:
            raise get_adapter().validation_error("incorrect_code") from None
        return cleaned


class PasskeyNameForm(webauthn.EditWebAuthnForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"] = CleanTextField(label="Name", max_length=MAX_NAME_LENGTH)


class ReadableCredential(forms.Form):
    """Refuse anything that isn't a passkey response."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["credential"] = CredentialField()

    def clean_credential(self) -> Authenticator:
        try:
            return super().clean_credential()  # type: ignore[misc]  # allauth's forms have it
        except _UNREADABLE:
            raise get_adapter().validation_error("unknown_passkey") from None


class PasskeySignInForm(ReadableCredential, webauthn.LoginWebAuthnForm):
    pass


class PasskeyForm(ReadableCredential, webauthn.AuthenticateWebAuthnForm):
    pass


class PasskeyAgainForm(ReadableCredential, webauthn.ReauthenticateWebAuthnForm):
    pass
