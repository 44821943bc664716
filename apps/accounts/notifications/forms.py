from django import forms

from apps.accounts.notification_kinds import MailKind


class WantedMailsForm(forms.Form):
    """Which mails come; none is a choice too."""

    wanted_mails = forms.MultipleChoiceField(
        label="Mails you get",
        choices=MailKind.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
