"""Forms for API keys."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import uuid4

from django import forms
from django.utils import timezone

from apps.accounts.api_keys.services import DEFAULT_OVERLAP, MAX_NAME_LENGTH
from apps.core.api.scopes import SCOPE_TEXTS, Scope
from apps.core.web.forms import CleanTextField

CHOSEN_DATE = "date"
MAX_DAYS_AHEAD = 365
# Form values and how long the old key stays valid.
OVERLAPS = {
    "now": timedelta(0),
    "hour": timedelta(hours=1),
    "day": DEFAULT_OVERLAP,
    "week": timedelta(days=7),
}


class DayInput(forms.DateInput):
    """A date needed for only one choice, so the browser must not require it."""

    input_type = "date"

    def use_required_attribute(self, initial: object) -> bool:
        return False


class ApiKeyForm(forms.Form):
    """A new API key. Submitting the form twice creates only one key."""

    form_token = forms.UUIDField(required=False, initial=uuid4, widget=forms.HiddenInput)
    name = CleanTextField(
        max_length=MAX_NAME_LENGTH,
        help_text="For example: release script",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label="It may",
        choices=[(str(scope), text) for scope, text in SCOPE_TEXTS.items()],
        initial=[str(Scope.ACCOUNT_READ)],
        widget=forms.CheckboxSelectMultiple,
    )
    lifetime = forms.ChoiceField(
        label="It expires",
        choices=[
            ("1", "Tomorrow"),
            ("30", "In 30 days"),
            ("90", "In 90 days"),
            ("365", "In 1 year"),
            (CHOSEN_DATE, "Custom date"),
        ],
        initial="90",
        help_text="We'll email you a week before.",
    )
    last_date = forms.DateField(
        label="Last day",
        error_messages={"required": "Choose the last day."},
        help_text="Valid until the end of this day, UTC. Up to a year from now.",
        widget=DayInput,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        today = timezone.now().date()
        last = today + timedelta(days=MAX_DAYS_AHEAD)
        self.fields["last_date"].widget.attrs |= {"min": today.isoformat(), "max": last.isoformat()}

    def clean(self) -> dict[str, Any]:
        super().clean()
        if self.cleaned_data.get("lifetime") != CHOSEN_DATE:
            # Browsers that can't hide the field still send its content.
            self.cleaned_data["last_date"] = None
            self.errors.pop("last_date", None)
        elif last_date := self.cleaned_data.get("last_date"):
            self._check_last_date(last_date)
        if "form_token" in self.errors:
            self.add_error(None, "This form expired. Reload the page.")
        return self.cleaned_data

    def _check_last_date(self, last_date: date) -> None:
        today = timezone.now().date()
        if not today <= last_date <= today + timedelta(days=MAX_DAYS_AHEAD):
            problem = "Choose a date from today to a year from now."
            self.add_error("last_date", forms.ValidationError(problem, code="out_of_range"))

    @property
    def expires_at(self) -> datetime:
        """Return when the key expires. A chosen day counts in full, in UTC."""
        last_date: date | None = self.cleaned_data["last_date"]
        if last_date is not None:
            return datetime.combine(last_date + timedelta(days=1), time.min, tzinfo=UTC)
        return timezone.now() + timedelta(days=int(self.cleaned_data["lifetime"]))


class RotateForm(forms.Form):
    """How long the old key stays valid after rotation."""

    overlap = forms.ChoiceField(
        label="Old key expires",
        choices=[("now", "Immediately"), ("hour", "In 1 hour"), ("day", "In 24 hours"), ("week", "In 7 days")],
        initial="day",
        widget=forms.RadioSelect,
    )
