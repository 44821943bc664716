from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _stores(media: Path) -> None:
    pass
