"""Form fields for what people type."""

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
