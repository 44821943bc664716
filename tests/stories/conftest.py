import pytest

from apps.sites.models import Site
from apps.stories.models import InterviewQuestion
from tests.factories import SiteFactory


@pytest.fixture
def asked(site: Site) -> list[int]:
    """The ids of what the default site asks, in order."""
    return [question.pk for question in InterviewQuestion.objects.asked(site)]


@pytest.fixture
def elsewhere(db: None) -> InterviewQuestion:
    """A question of another site."""
    return InterviewQuestion.objects.create(site=SiteFactory.create(), text="What else?", position=1)
