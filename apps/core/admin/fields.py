"""Form fields for amounts and percentages that admins enter."""

from decimal import Decimal
from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminDecimalFieldWidget

BASIS_POINTS = CENTS = Decimal(100)


class AmountField(forms.DecimalField):
    """An amount as people write it. Its value is in hundredths of the currency."""

    def __init__(self, **kwargs: Any) -> None:
        options = {"decimal_places": 2, "max_digits": 14}
        super().__init__(**{"widget": UnfoldAdminDecimalFieldWidget, **options, **kwargs})

    def prepare_value(self, value: Any) -> Any:
        """Show invalid input unchanged, and stored hundredths as an amount."""
        return f"{Decimal(value) / CENTS:.2f}" if isinstance(value, int) else value

    def clean(self, value: Any) -> Any:
        result = super().clean(value)
        return None if result is None else int(result * CENTS)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(self.prepare_value(initial), data)


class PercentField(forms.DecimalField):
    """A percentage with at most two decimals as people write it. Its value is in basis points."""

    def __init__(self, **kwargs: Any) -> None:
        options = {"min_value": 0, "max_value": 100, "decimal_places": 2, "max_digits": 5}
        super().__init__(**{"widget": UnfoldAdminDecimalFieldWidget, **options, **kwargs})

    def prepare_value(self, value: Any) -> Any:
        """Show invalid input unchanged, and stored basis points as a percentage."""
        return f"{Decimal(value) / BASIS_POINTS:f}" if isinstance(value, int) else value

    def clean(self, value: Any) -> Any:
        result = super().clean(value)
        return None if result is None else int(result * BASIS_POINTS)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(self.prepare_value(initial), data)
