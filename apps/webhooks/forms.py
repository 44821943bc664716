"""Forms for webhook endpoints."""

from collections.abc import Iterator
from typing import Any

from django import forms

from apps.core.fetch.configuration import MAX_ADDRESS_CHARACTERS
from apps.core.web.forms import CleanTextField
from apps.events.types import TYPES, named_types
from apps.webhooks.models import MAX_NAME_LENGTH, Endpoint

ALL, CHOSEN = "all", "chosen"


class EndpointForm(forms.Form):
    """An endpoint's settings. Types count only if `events` says so."""

    url = forms.CharField(
        label="URL",
        max_length=MAX_ADDRESS_CHARACTERS,
        help_text="A public https address that takes POST requests.",
        widget=forms.URLInput(attrs={"placeholder": "https://", "autocomplete": "off", "spellcheck": "false"}),
    )
    name = CleanTextField(max_length=MAX_NAME_LENGTH, required=False, help_text="For example: accounting")
    format = forms.ChoiceField(
        choices=Endpoint.Format.choices,
        initial=Endpoint.Format.STANDARD,
        help_text="Slack and Discord take the URL of their incoming webhooks.",
    )
    events = forms.ChoiceField(
        choices=[(ALL, "All events"), (CHOSEN, "Only these")],
        initial=ALL,
        widget=forms.RadioSelect,
    )
    types = forms.MultipleChoiceField(
        required=False,
        choices=[(name, name) for name in TYPES],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one type."},
    )

    def clean(self) -> dict[str, Any]:
        super().clean()
        if self.cleaned_data.get("events") == ALL:
            self.cleaned_data["types"] = []
        elif not self.cleaned_data.get("types") and "types" not in self.errors:
            self.add_error("types", forms.ValidationError("Choose at least one type.", code="required"))
        return self.cleaned_data

    def type_groups(self) -> Iterator[tuple[str, list[Any], bool]]:
        """Return the checkboxes of each group of types, and whether one is checked."""
        chosen = set(self["types"].value() or ())
        groups: dict[str, list[Any]] = {}
        for box in self["types"]:
            groups.setdefault(TYPES[box.data["value"]].group, []).append(box)
        for group, result in groups.items():
            yield group, result, any(box.data["value"] in chosen for box in result)

    def plain_fields(self) -> list[Any]:
        """Return all fields but the types, which are shown in groups after the choice that needs them."""
        return sorted((field for field in self if field.name != "types"), key=lambda field: field.name == "events")


class NewEndpointForm(EndpointForm):
    """A new endpoint, with a way of signing that stays."""

    signature = forms.ChoiceField(
        choices=Endpoint.Signature.choices,
        initial=Endpoint.Signature.V1,
        help_text="With v1a, receivers need only a public key.",
    )


def values_of(endpoint: Endpoint) -> dict[str, Any]:
    """Return what the form shows of an endpoint."""
    return {
        "url": endpoint.url,
        "name": endpoint.name,
        "format": endpoint.format,
        "events": CHOSEN if endpoint.types else ALL,
        "types": list(named_types(endpoint.types)),
    }


class RedeliverForm(forms.Form):
    """The numbers of events to send again."""

    after = forms.IntegerField(label="After number", min_value=0, max_value=2**62)
    until = forms.IntegerField(label="Up to", required=False, min_value=1, max_value=2**62)
