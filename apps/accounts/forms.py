"""Forms of the account area."""

from django import forms

from apps.accounts.models import FounderProfile


class FounderProfileForm(forms.ModelForm[FounderProfile]):
    """Who stands behind the company."""

    class Meta:
        model = FounderProfile
        fields = ("real_name", "role", "bio")
        labels = {"real_name": "Real name"}
        help_texts = {"role": "For example: founder, maker, engineer."}
