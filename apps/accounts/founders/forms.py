"""Forms for the founder profile's texts and photo."""

from typing import Any

from django import forms

from apps.accounts.founders.completeness import ProfileRules
from apps.accounts.founders.services import MAX_NAME, MAX_ROLE
from apps.accounts.models import FounderProfile
from apps.core.errors import DomainError
from apps.core.pictures.reading import FORMAT_NAMES, MAX_BYTES, MEDIA_TYPES
from apps.core.web.forms import CleanTextField
from apps.sites.rule_choices import ProfilePart

# Five links of the greatest length. The service measures each.
_MAX_LINKS_TEXT = 4000


class ProfileForm(forms.Form):
    """Name, role, bio and links of a founder."""

    # The service has the limits and reports all problems together. A browser would cut single lines at the limit, which
    # is visible, but a cut text would lose its end unseen.
    real_name = CleanTextField(label="Real name", required=False, widget=forms.TextInput(attrs={"maxlength": MAX_NAME}))
    role = CleanTextField(
        required=False,
        widget=forms.TextInput(attrs={"maxlength": MAX_ROLE}),
        help_text="For example: founder",
    )
    bio = CleanTextField(required=False, multiline=True, widget=forms.Textarea(attrs={"rows": 5}))
    links = CleanTextField(
        max_length=_MAX_LINKS_TEXT,
        required=False,
        multiline=True,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "placeholder": "https://example.com/me"}),
        help_text=f"One https URL per line, up to {FounderProfile.MAX_LINKS}.",
    )

    def __init__(self, *args: Any, profile: FounderProfile, rules: ProfileRules, **kwargs: Any) -> None:
        saved = {name: getattr(profile, name) for name in ("real_name", "role", "bio")}
        kwargs["initial"] = {**saved, "links": "\n".join(profile.links)}
        super().__init__(*args, **kwargs)
        self.fields["real_name"].widget.attrs["autocomplete"] = "name"
        self.fields["role"].widget.attrs["autocomplete"] = "organization-title"
        for name, field in self.fields.items():
            # It can be saved empty but isn't optional where the site requires it.
            vars(field)["is_asked"] = name in rules.parts

    def texts(self) -> dict[str, Any]:
        """Return a valid form's data for `update_profile`."""
        return {**self.cleaned_data, "links": self.cleaned_data["links"].splitlines()}

    def refuse(self, error: DomainError) -> None:
        """Show an error at the fields it names, otherwise above the form."""
        for problem in error.errors:
            shown = forms.ValidationError(problem.detail, code=problem.code)
            self.add_error(problem.pointer.removeprefix("/"), shown)
        if not error.errors:
            self.add_error(None, forms.ValidationError(error.detail, code=error.error_code))


class PhotoForm(forms.Form):
    """Upload a photo alone. The text fields don't affect it."""

    photo = forms.FileField(
        label="Photo file",
        required=False,
        # The service reports problems.
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ",".join(sorted(MEDIA_TYPES))}),
    )

    def __init__(self, *args: Any, rules: ProfileRules, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["photo"]
        vars(field)["is_asked"] = ProfilePart.PHOTO in rules.parts
        field.help_text = (
            f"{FORMAT_NAMES}, up to {MAX_BYTES // 2**20} MB, "
            f"at least {rules.min_photo_pixels} × {rules.min_photo_pixels} pixels. "
            "Cropped to a square. Location data is removed."
        )
        field.widget.attrs["data-most-bytes"] = MAX_BYTES

    @property
    def has_file(self) -> bool:
        """Return whether a file was chosen, even an empty one."""
        return "photo" in self.files

    def content(self) -> bytes:
        """Return the chosen file's content, or nothing."""
        upload = self.files.get("photo")
        return upload.read() if upload else b""

    def refuse(self, reason: str, *, code: str) -> None:
        """Show why the photo was refused."""
        self.add_error("photo", forms.ValidationError(reason, code=code))
