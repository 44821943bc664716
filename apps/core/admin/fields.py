"""Form fields of admin pages."""

from collections.abc import Iterable
from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget


class ChecksField(forms.MultipleChoiceField):
    """Known choices as boxes to tick, in the order in which they are shown."""

    widget = UnfoldAdminCheckboxSelectMultipleWidget

    def __init__(self, *, choices: Iterable[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(choices=list(choices), required=False, **kwargs)
