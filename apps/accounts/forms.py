"""Forms of the account area."""

from django import forms

from apps.accounts.models import FounderProfile

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
