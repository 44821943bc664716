import pytest

from apps.sites.models import Site
from tests.moderation.world import World, make_world


@pytest.fixture
def world(site: Site) -> World:
    return make_world(site)
