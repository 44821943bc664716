"""Every email, for developers to look at in local mode."""

import pytest
from django.test import Client

from apps.developers.emails import all_samples
from apps.sites.models import Site

pytestmark = pytest.mark.db


@pytest.mark.django_db
def test_developers_see_all_of_them_in_local_mode(site: Site) -> None:
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
