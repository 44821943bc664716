"""What `/metrics` tells of drafts and crawls."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.core.operations.metrics import exposition
from tests.drafts.factories import DraftFactory

pytestmark = pytest.mark.django_db


def test_crawls_of_the_last_hour_are_counted_by_outcome() -> None:
    DraftFactory(ready=True)
    DraftFactory(failed=True, error_code="robots")
    DraftFactory(failed=True, error_code="robots", finished_at=timezone.now() - timedelta(hours=2))
    lines = exposition().decode().splitlines()
    assert 'slipway_crawls_last_hour{outcome="read"} 1.0' in lines
    assert 'slipway_crawls_last_hour{outcome="robots"} 1.0' in lines
    assert 'slipway_crawls_last_hour{outcome="unreachable"} 0.0' in lines
