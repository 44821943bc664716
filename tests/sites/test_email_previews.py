"""Every email, for developers to look at in local mode."""

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from apps.core.email.samples import all_samples
from apps.sites.models import Site

pytestmark = pytest.mark.db


@pytest.mark.django_db
def test_developers_see_all_of_them_in_local_mode(settings: Any, site: Site) -> None:
    samples = list(all_samples(site))
    client = Client(headers={"host": "testserver.localhost"})
    page = client.get("/about/design/emails").content.decode()
    for sample in samples:
        assert f'href="/about/design/emails/{sample.key}.html"' in page
    answer = client.get(f"/about/design/emails/{samples[0].key}.html")
    assert "unsafe-inline" in answer["Content-Security-Policy"]
    assert "unsafe-inline" not in answer["Content-Security-Policy"].partition("script-src")[2].partition(";")[0]
    assert client.get(f"/about/design/emails/{samples[0].key}.txt")["Content-Type"] == "text/plain; charset=utf-8"
    assert client.get("/about/design/emails/no-such-email.html").status_code == 404
    settings.LOCAL = False
    cache.clear()
    for path in ("", f"/{samples[0].key}.html", f"/{samples[0].key}.txt"):
        assert client.get(f"/about/design/emails{path}").status_code == 404
