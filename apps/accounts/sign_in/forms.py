"""allauth's forms in the site's own words. A new password is typed once: it can be reset."""

from typing import Any, ClassVar

from allauth.account import forms as allauth
from django import forms
from django.core.validators import MaxLengthValidator
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse

from apps.accounts.models import User

MAX_ADDRESS_LENGTH = 254
_PASSWORD_HELP = "8 characters or more, and not one that many people use."  # noqa: S105 - a text for people
_NEW_PASSWORD = {"password1": ("New password", _PASSWORD_HELP)}


class InOwnWords(forms.Form):
    """Labels and helps of our own, no placeholders that repeat them, and no second field for a new password."""

    words: ClassVar[dict[str, tuple[str, str]]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.pop("password2", None)
        for name, (label, help_text) in self.words.items():
            field = self.fields[name]
            field.label, field.help_text = label, help_text
            field.widget.attrs.pop("placeholder", None)
            if isinstance(field, forms.EmailField):
                # Django's own limit is longer than the column, and allauth would cut the address off.
                field.validators.append(MaxLengthValidator(MAX_ADDRESS_LENGTH))


class SignInForm(InOwnWords, allauth.LoginForm):  # type: ignore[misc]  # allauth is untyped
    words: ClassVar = {"login": ("Email", ""), "password": ("Password", "")}


class SignUpForm(InOwnWords, allauth.SignupForm):  # type: ignore[misc]  # allauth is untyped
    words: ClassVar = {"email": ("Email", ""), "password1": ("Password", _PASSWORD_HELP)}
    account_already_exists: bool

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Make the account; for an address that has one, answer alike, and let an email tell its owner.

        The answer takes as long as if a password had been stored, so that the time tells nothing either.
        """
        saved: tuple[User | None, HttpResponse | None]
        if not self.account_already_exists:
            try:
                with transaction.atomic():
                    saved = super().try_save(request)
            except IntegrityError:
                # The same form was sent twice, and the other one was faster.
                self.account_already_exists = True
            else:
                return saved
        else:
            User().set_password(self.cleaned_data["password1"])
        saved = super().try_save(request)
        return saved


class AddressForm(InOwnWords, allauth.AddEmailForm):  # type: ignore[misc]  # allauth is untyped
    words: ClassVar = {"email": ("New address", "We send it a code, and change nothing before you have typed it.")}


class PasswordForm(InOwnWords, allauth.ChangePasswordForm):  # type: ignore[misc]  # allauth is untyped
    words: ClassVar = {"oldpassword": ("Current password", ""), **_NEW_PASSWORD}


class FirstPasswordForm(InOwnWords, allauth.SetPasswordForm):  # type: ignore[misc]  # allauth is untyped
    words: ClassVar = _NEW_PASSWORD


class NewPasswordForm(InOwnWords, allauth.ResetPasswordKeyForm):  # type: ignore[misc]  # allauth is untyped
    words: ClassVar = _NEW_PASSWORD


class ResetForm(InOwnWords, allauth.ResetPasswordForm):  # type: ignore[misc]  # allauth is untyped
    words: ClassVar = {"email": ("Email", "")}


class EmailedCode(InOwnWords):
    words: ClassVar = {"code": ("Code from the mail", "")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs |= {"autocapitalize": "characters", "spellcheck": "false", "autofocus": True}


class VerificationCodeForm(EmailedCode, allauth.ConfirmEmailVerificationCodeForm):  # type: ignore[misc]  # allauth is untyped
    pass


class ResetCodeForm(EmailedCode, allauth.ConfirmPasswordResetCodeForm):  # type: ignore[misc]  # allauth is untyped
    pass


class PasswordAgainForm(InOwnWords, allauth.ReauthenticateForm):  # type: ignore[misc]  # allauth is untyped
    words: ClassVar = {"password": ("Your password", "")}
