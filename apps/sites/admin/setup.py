"""The site's steps of the setup page: name, look, contact and email."""

from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import parseaddr
from typing import Any, ClassVar

from django import forms
from django.conf import settings

from apps.core.errors import DomainError
from apps.core.pictures.reading import FORMAT_NAMES, MAX_BYTES, MEDIA_TYPES
from apps.core.web.colors import LEAST_CONTRAST, contrast
from apps.sites.models import Site, validate_brand_color
from apps.sites.setup import Step, StepForm, register_step
from apps.sites.views.brand import LEAST_PIXELS, read_mark, store_mark

_KEYS = {"logo": "logo_key", "favicon": "icon_key"}
_FILE_HELP = f"{FORMAT_NAMES}, up to {MAX_BYTES // 2**20} MB, at least {LEAST_PIXELS} × {LEAST_PIXELS} pixels."


class NameForm(StepForm):
    class Meta:
        model = Site
        fields = ("name", "tagline")
        help_texts: ClassVar = {"tagline": "Shown on the front page and in search results."}


class _MarkField(forms.FileField):
    """An optional image. The form reports what is wrong with it."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.FileInput(attrs={"accept": ",".join(sorted(MEDIA_TYPES))})
        super().__init__(required=False, allow_empty_file=True, widget=widget, **kwargs)


class LookForm(StepForm):
    """Logo, favicon and color. Files are stored only if everything is valid."""

    logo = _MarkField(help_text=f"{_FILE_HELP} Shown as a square.")
    remove_logo = forms.BooleanField(label="Remove logo", required=False)
    favicon = _MarkField(help_text=f"{_FILE_HELP} Without one, the logo is used.")
    remove_favicon = forms.BooleanField(label="Remove favicon", required=False)

    class Meta:
        model = Site
        fields = ("color",)
        widgets: ClassVar = {"color": forms.TextInput(attrs={"type": "color", "data-color": ""})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["color"] = self.instance.accent
        color = self.fields["color"]
        color.required = True
        color.help_text = f"White text on it needs a contrast of {LEAST_CONTRAST}:1."
        if not self.is_bound:
            ratio = int(contrast(self.instance.accent, "#ffffff") * 10) / 10
            color.help_text = f"White text on it: {ratio}:1 (minimum {LEAST_CONTRAST}:1)."
        for name, key in _KEYS.items():
            if not getattr(self.instance, key):
                del self.fields[f"remove_{name}"]
        self.order_fields(["logo", "remove_logo", "favicon", "remove_favicon", "color"])

    def clean_color(self) -> str:
        color = str(self.cleaned_data["color"]).lower()
        validate_brand_color(color)
        return color

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        images: dict[str, Any] = {}
        for name in _KEYS:
            if file := cleaned.get(name):
                with self._refusing(name):
                    # One byte more than allowed is enough to refuse it.
                    images[name] = read_mark(file.read(MAX_BYTES + 1))
        if self.errors:
            # Browsers forget it.
            for name in images:
                self.add_error(name, "Not saved. Choose the file again.")
            return cleaned
        for name, key in _KEYS.items():
            if name in images:
                with self._refusing(name):
                    setattr(self.instance, key, store_mark(images[name]))
            elif cleaned.get(f"remove_{name}"):
                setattr(self.instance, key, "")
        return cleaned

    @contextmanager
    def _refusing(self, name: str) -> Iterator[None]:
        try:
            yield
        except DomainError as error:
            self.add_error(name, error.detail)


class ContactForm(StepForm):
    class Meta:
        model = Site
        fields = ("contact_email",)
        labels: ClassVar = {"contact_email": "Contact email"}
        help_texts: ClassVar = {"contact_email": "Shown in the footer. Replies to the site’s emails go there."}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["contact_email"].required = True


class EmailForm(StepForm):
    class Meta:
        model = Site
        fields = ("sender_email",)
        labels: ClassVar = {"sender_email": "Sender"}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        address = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
        sender = self.fields["sender_email"]
        sender.help_text = f"Your email server must be allowed to send from it. Leave empty to use {address}."


def _email_note(site: Site) -> str:
    if settings.EMAIL_BACKEND.endswith("filebased.EmailBackend"):
        return f"Emails are saved to {settings.EMAIL_FILE_PATH}. Set EMAIL_URL to send them."
    return ""


register_step(
    Step(
        key="name",
        place=1,
        title="Name",
        text="What visitors see first.",
        permission="sites.change_site",
        form=NameForm,
        is_done=lambda site: site.name != "Slipway",
    )
)
register_step(
    Step(
        key="look",
        place=2,
        title="Logo and color",
        text="On pages, in emails, in the admin and on preview images.",
        permission="sites.change_site",
        form=LookForm,
        is_done=lambda site: bool(site.logo_key),
    )
)
register_step(
    Step(
        key="contact",
        place=3,
        title="Contact",
        text="Where people reach you.",
        permission="sites.change_site",
        form=ContactForm,
        is_done=lambda site: bool(site.contact_email),
    )
)
register_step(
    Step(
        key="email",
        place=5,
        title="Email",
        text="Who the site’s emails come from.",
        permission="sites.change_site",
        form=EmailForm,
        is_done=lambda site: bool(site.sender_email) or not _email_note(site),
        note=_email_note,
    )
)
