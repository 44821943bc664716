from django import forms

from apps.accounts.notification_kinds import NotificationKind


class EmailNotificationsForm(forms.Form):
    """Which emails come; none is a choice too."""

    email_notifications = forms.MultipleChoiceField(
        label="Mails you get",
        choices=NotificationKind.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
