"""Forms of reports and appeals. The services validate them."""

from django import forms

from apps.core.editing.forms import TypedField, TypedForm, text_area
from apps.moderation.models import MAX_APPEAL, MAX_NOTE, Report


class ReportForm(TypedForm):
    """Why something is reported."""

    reason = forms.ChoiceField(choices=Report.Reason.choices, widget=forms.RadioSelect, label="What’s wrong with it?")
    note = TypedField(
        label="Details", widget=text_area(3), required=False, help_text=f"For moderators. Up to {MAX_NOTE} characters."
    )


class AppealForm(TypedForm):
    """Why an author disagrees."""

    text = TypedField(
        label="Why do you disagree?",
        widget=text_area(6),
        help_text=f"Up to {MAX_APPEAL:,} characters. You can appeal a decision once.",
    )
