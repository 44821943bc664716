"""Form fields for what people type, and the form of visitors without an account."""

from typing import Any

from django import forms
from django.http import HttpRequest

from apps.core.api.serializers import clean_text
from apps.core.errors import TooManyRequests
from apps.core.request.client_ip import client_network
from apps.core.stores.valkey.counters import Limit


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

    def count(self, limit: Limit, request: HttpRequest) -> None:
        """Count a valid form for the visitor's network. Above the limit, the form gets an error."""
        if self.is_valid():
            try:
                limit.take(client_network(request))
            except TooManyRequests as error:
                self.add_error("email", error.detail)
