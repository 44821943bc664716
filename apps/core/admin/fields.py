"""Form fields for amounts and percentages that admins enter."""

from decimal import Decimal
from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminDecimalFieldWidget

HUNDREDTHS = Decimal(100)


class HundredthsField(forms.DecimalField):
    """A decimal number as people write it. Its value is the whole number of its hundredths."""

    options: dict[str, Any]
    shown: str

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"widget": UnfoldAdminDecimalFieldWidget, "decimal_places": 2, **self.options, **kwargs})

    def prepare_value(self, value: Any) -> Any:
        """Show invalid input unchanged, and a stored value as a decimal number."""
        return format(Decimal(value) / HUNDREDTHS, self.shown) if isinstance(value, int) else value

    def clean(self, value: Any) -> Any:
        result = super().clean(value)
        return None if result is None else int(result * HUNDREDTHS)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(self.prepare_value(initial), data)


class AmountField(HundredthsField):
    """An amount, stored in hundredths of its currency."""

    options = {"max_digits": 14}
    shown = ".2f"


class PercentField(HundredthsField):
    """A percentage with at most two decimals, stored in basis points."""

    options = {"min_value": 0, "max_value": 100, "max_digits": 5}
    shown = "f"
