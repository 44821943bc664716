"""Forms of moderators' decisions."""

from django import forms
from unfold.widgets import UnfoldAdminTextareaWidget

from apps.core.web.forms import CleanTextField
from apps.moderation.models import MAX_REASON


class NoteForm(forms.Form):
    note = CleanTextField(
        max_length=MAX_REASON,
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
        help_text="For moderators only. Kept in the history.",
    )


class RemoveForm(NoteForm):
    reason = CleanTextField(
        max_length=MAX_REASON,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Sent to the author by email, with a link to appeal.",
    )
    field_order = ("reason", "note")


class AnswerForm(forms.Form):
    answer = CleanTextField(
        max_length=MAX_REASON,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Sent to the author by email.",
    )
