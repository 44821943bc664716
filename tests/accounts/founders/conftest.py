from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: Path) -> Path:
    """A storage of the test's own: other tests store photos at the same time."""
    settings.MEDIA_ROOT = tmp_path / "media"
    return tmp_path / "media"
