"""Every task that the scheduler starts runs through, on a site without any content as well."""

import pytest
from django.conf import settings
from django.utils.module_loading import import_string

from apps.sites.models import Site


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(settings.CELERY_BEAT_SCHEDULE))
def test_a_periodic_task_runs_through(site: Site, name: str) -> None:
    import_string(settings.CELERY_BEAT_SCHEDULE[name]["task"]).apply(throw=True)
