"""The application that the server loads."""

import os

from django.core.wsgi import get_wsgi_application

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.benchmarks.peers.apps.django_peer.settings"
application = get_wsgi_application()
