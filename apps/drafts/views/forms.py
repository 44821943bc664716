"""Forms of the draft pages."""

from django import forms


class AddressForm(forms.Form):
    """The website to draft from."""

    url = forms.CharField(
        label="Website",
        max_length=2000,
        help_text="Such as https://example.com.",
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "url", "placeholder": "https://"}),
    )
    refresh = forms.BooleanField(required=False, widget=forms.HiddenInput)
