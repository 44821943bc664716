"""The project's settings, with a few operations more."""

from config.settings import *  # noqa: F403 - the same server in everything else

ROOT_URLCONF = "tests.conformance.fixture_app.urls"
