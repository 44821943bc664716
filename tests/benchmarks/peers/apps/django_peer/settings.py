"""No more than the peers need."""

import os
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

_url = urlsplit(os.environ["DATABASE_URL"])
SECRET_KEY = "only-for-benchmarks"
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "tests.benchmarks.peers.apps.django_peer.urls"
WSGI_APPLICATION = "tests.benchmarks.peers.apps.django_peer.wsgi.application"
INSTALLED_APPS = ["rest_framework", "tests.benchmarks.peers.apps.django_peer"]
MIDDLEWARE: list[str] = []
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": _url.path[1:],
        "USER": _url.username,
        "HOST": parse_qs(_url.query)["host"][0],
        "CONN_MAX_AGE": None,
    }
}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": os.environ["REDIS_URL"]}}
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [Path(__file__).with_name("templates")],
    }
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "UNAUTHENTICATED_USER": None,
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination",
    "PAGE_SIZE": 20,
}
