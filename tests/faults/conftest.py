"""One installation for all tests here: starting one takes longer than most of them."""

from collections.abc import Iterator

import pytest

from tests.faults.shop import Shop, open_shop


@pytest.fixture(scope="session")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with open_shop(tmp_path_factory.mktemp("faults") / "data") as shop:
        yield shop


@pytest.fixture
def shop(installation: Shop) -> Iterator[Shop]:
    """The installation with a provider that behaves."""
    installation.calm()
    yield installation
    installation.calm()
