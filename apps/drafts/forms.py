"""Forms of the draft pages."""

from typing import Any, cast

from django import forms

from apps.core.forms import CleanTextField
from apps.drafts.models import Draft
from apps.listings.models import Category

MAX_CATEGORIES = 3


class AddressForm(forms.Form):
    """The website to draft from."""

    url = forms.CharField(
        label="Website",
        max_length=2000,
        help_text="Such as https://example.com.",
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "url", "placeholder": "https://"}),
    )
    refresh = forms.BooleanField(required=False, widget=forms.HiddenInput)


class ProposalForm(forms.Form):
    """The texts of a proposal, to be corrected before they are submitted."""

    name = CleanTextField(max_length=80)
    headline = CleanTextField(max_length=80, help_text="What it does, in a line.")
    summary = CleanTextField(multiline=True, max_length=600, widget=forms.Textarea(attrs={"rows": 5}))
    categories = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple)
    logo_url = forms.URLField(label="Logo", max_length=500, required=False, assume_scheme="https")
    seo_title = CleanTextField(label="Title for search engines", max_length=60, required=False)
    seo_description = CleanTextField(
        label="Description for search engines",
        max_length=160,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, draft: Draft, data: Any = None) -> None:
        super().__init__(data, initial={name: draft.proposal.get(name) for name in self.base_fields})
        choices = list(Category.objects.filter(site=draft.site).values_list("slug", "name"))
        cast("forms.MultipleChoiceField", self.fields["categories"]).choices = choices

    def clean_categories(self) -> list[str]:
        chosen: list[str] = self.cleaned_data["categories"]
        if len(chosen) > MAX_CATEGORIES:
            raise forms.ValidationError(f"Choose at most {MAX_CATEGORIES}.", code="too_many")
        return chosen
