"""What opens this machine to fetches is for local mode alone."""

import pytest

from tests.config.test_deploy_check import deploy_check


@pytest.mark.parametrize("name", ["CRAWL_ALLOW_PRIVATE_HOSTS", "CRAWL_EXTRA_CA_FILE"])
def test_production_does_not_start_with_it(name: str) -> None:
    checked = deploy_check(**{name: "127.0.0.1:8001"})

    assert checked.returncode == 1
    assert f"ImproperlyConfigured: {name}" in checked.stderr
