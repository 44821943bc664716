"""Form fields for what people type, and the form of visitors without an account."""

from typing import Any

from django import forms

from apps.core.api.serializers import clean_text


class CleanTextField(forms.CharField):
    """Text from people, normalized before it is measured, because NFC can be longer than what was typed."""

    def __init__(self, *, multiline: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.multiline = multiline

    def to_python(self, value: Any) -> str:
        text = clean_text(value, multiline=self.multiline) if isinstance(value, str) else value
        return super().to_python(text) or ""


class WebsiteField(CleanTextField):
    """The address of a website as people type and paste it. The command that takes it checks it."""

    def __init__(self, **kwargs: Any) -> None:
        hints = {"inputmode": "url", "autocomplete": "url", "autocapitalize": "none", "spellcheck": "false"}
        widget = forms.TextInput(attrs={**hints, "placeholder": "https://"})
        super().__init__(label="Website", max_length=2000, widget=widget, **kwargs)


class EmailForm(forms.Form):
    """The address of a visitor without an account."""

    email = forms.EmailField(
        label="Email",
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email", "placeholder": "you@example.com"}),
        error_messages={
            "required": "Enter your email address.",
            "invalid": "Enter an address such as you@example.com.",
        },
    )
