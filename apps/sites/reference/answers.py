"""What the example calls were answered: recorded by the tests that make these calls, which keep the shape true."""

from pathlib import Path

FOLDER = Path(__file__).with_name("answers")


def recorded_answer(name: str) -> str:
    """The answer to the example call of an operation as JSON to read; empty for one that answers nothing."""
    path = FOLDER / f"{name}.json"
    return path.read_text(encoding="utf-8").rstrip() if path.exists() else ""
