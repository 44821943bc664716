"""Production settings pass Django's own deployment checks and the authorization server's."""

import pytest
from django.conf import settings

from tests.config.production import deploy_check

# One of the system checks asks the database.
pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_production_settings_pass_without_a_warning() -> None:
    checked = deploy_check()
    assert checked.returncode == 0, checked.stderr
    assert "no issues (2 silenced)" in checked.stderr + checked.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "warning"),
    [
        ({"HSTS_WHOLE_DOMAIN": "0"}, "HINT: If all of them use https, set HSTS_WHOLE_DOMAIN."),
        (
            {"PUBLIC_BASE_URL": "http://slipway.example", "ALLOW_HTTP": "1"},
            "HINT: Set PUBLIC_BASE_URL to an https address",
        ),
        ({"DEBUG": "1"}, "security.W018"),
        ({"SECRET_KEY_FALLBACKS": "short"}, "security.W025"),
        ({"SECRET_KEY": ""}, "core.E003"),
        ({"PUBLIC_BASE_URL": "http://slipway.example"}, "core.E002"),
        ({"EMAIL_URL": ""}, "core.E007"),
    ],
)
def test_the_check_can_fail(changes: dict[str, str], warning: str) -> None:
    checked = deploy_check(**changes)
    assert checked.returncode == 1
    assert warning in checked.stderr


def test_only_http_and_repeated_refreshes_are_silenced() -> None:
    http = [f"security.W{number}" for number in ("004", "005", "008", "012", "016", "021")]
    silenced = [*http, "oauth2_provider.W008", "oauth2_provider.E001"]
    assert silenced == settings.SILENCED_SYSTEM_CHECKS
