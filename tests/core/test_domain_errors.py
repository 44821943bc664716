"""What an error says to programs, and what of it to people."""

from apps.core.errors import DomainError


def test_people_are_led_to_pages_and_programs_to_operations_too() -> None:
    steps = ["To cancel, call cancel_order or open https://a.example/1.", "Read the week with list_weeks.", "Wait."]
    error = DomainError("No.", next_steps=steps)
    assert error.next_steps == steps
    assert error.steps_for_people == ["To cancel, open https://a.example/1.", "Wait."]
