"""Forms of the account area."""

from datetime import timedelta
from typing import Any

from django import forms

from apps.accounts.models import FounderProfile, User
from apps.core.errors import TooManyRequests
from apps.core.limits import Limit
from apps.core.scopes import OWNER_SCOPES, SCOPE_TEXTS

MAX_PHOTO_BYTES = 5 * 1024 * 1024
MIN_PHOTO_PIXELS = 256
MAX_PHOTO_PIXELS = 8000
PHOTO_FORMATS = {"JPEG", "PNG", "WEBP"}


class FounderProfileForm(forms.ModelForm[FounderProfile]):
    """Who stands behind the company."""

    class Meta:
        model = FounderProfile
        fields = ("real_name", "role", "bio", "photo")
        labels = {"real_name": "Real name"}
        help_texts = {
            "role": "For example: founder, maker, engineer.",
            "photo": "JPEG, PNG or WebP, 256 pixels or more each way, at most 5 MB.",
        }
        widgets = {"photo": forms.FileInput}

    def clean_photo(self) -> object:
        photo = self.cleaned_data["photo"]
        image = getattr(photo, "image", None)
        if image is None:
            return photo
        if photo.size > MAX_PHOTO_BYTES:
            raise forms.ValidationError("The photo is larger than 5 MB.", code="too_large")
        if image.format not in PHOTO_FORMATS:
            raise forms.ValidationError("The photo must be a JPEG, PNG or WebP file.", code="wrong_format")
        if min(image.size) < MIN_PHOTO_PIXELS or max(image.size) > MAX_PHOTO_PIXELS:
            raise forms.ValidationError("The photo must have 256 to 8000 pixels each way.", code="wrong_size")
        return photo


# Whoever has found an open session must not be able to try passwords with it.
PASSWORD_LIMIT = Limit("password-again", count=5, window_seconds=15 * 60)


class ApiKeyForm(forms.Form):
    """A new API key; the password is asked again, because a key outlives the session."""

    name = forms.CharField(max_length=60, help_text="What it is for, such as: release script.")
    scopes = forms.MultipleChoiceField(
        label="It may",
        choices=[(str(scope), text) for scope, text in SCOPE_TEXTS.items()],
        initial=[str(scope) for scope in OWNER_SCOPES],
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.TypedChoiceField(
        label="It expires after",
        coerce=int,
        choices=[(30, "30 days"), (90, "90 days"), (365, "a year")],
        initial=90,
    )
    password = forms.CharField(
        label="Your password", widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        try:
            PASSWORD_LIMIT.take(str(self.user.pk))
        except TooManyRequests as error:
            raise forms.ValidationError(error.detail, code="rate_limited") from None
        if not self.user.check_password(password):
            raise forms.ValidationError("This is not your password.", code="wrong_password")
        PASSWORD_LIMIT.give_back(str(self.user.pk))
        return password

    @property
    def lifetime(self) -> timedelta:
        return timedelta(days=self.cleaned_data["days"])
