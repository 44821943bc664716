"""One REDIS_URL becomes the broker's, the cache's and the limits' addresses."""

import pytest
from django.core.exceptions import ImproperlyConfigured
from redis import ConnectionPool

from config.redis_urls import redis_urls


@pytest.mark.parametrize(
    ("url", "broker", "cache", "limits"),
    [
        (
            "redis://cache.example:6379",
            "redis://cache.example:6379/0",
            "redis://cache.example:6379/1",
            "redis://cache.example:6379/2",
        ),
        (
            "redis://user:p%40ss@cache.example:6379/4",
            "redis://user:p%40ss@cache.example:6379/4",
            "redis://user:p%40ss@cache.example:6379/5",
            "redis://user:p%40ss@cache.example:6379/6",
        ),
        (
            "rediss://cache.example/0",
            "rediss://cache.example/0?ssl_cert_reqs=CERT_REQUIRED",
            "rediss://cache.example/1",
            "rediss://cache.example/2",
        ),
        (
            "unix:///tmp/x/valkey.sock",
            "redis+socket:///tmp/x/valkey.sock?virtual_host=0",
            "unix:///tmp/x/valkey.sock?db=1",
            "unix:///tmp/x/valkey.sock?db=2",
        ),
        (
            "unix:///tmp/x/valkey.sock?db=6",
            "redis+socket:///tmp/x/valkey.sock?virtual_host=6",
            "unix:///tmp/x/valkey.sock?db=7",
            "unix:///tmp/x/valkey.sock?db=8",
        ),
    ],
)
def test_addresses(url: str, broker: str, cache: str, limits: str) -> None:
    result = redis_urls(url)

    assert (result.broker, result.cache, result.limits) == (broker, cache, limits)


@pytest.mark.parametrize("url", ["redis://host:6379/3", "rediss://host/3", "unix:///tmp/x/v.sock?db=3"])
def test_the_client_reads_the_database_from_them(url: str) -> None:
    result = redis_urls(url)

    assert ConnectionPool.from_url(result.cache).connection_kwargs["db"] == 4
    assert ConnectionPool.from_url(result.limits).connection_kwargs["db"] == 5


@pytest.mark.parametrize(
    "url",
    [
        "",
        "memory://",
        "redis://",
        "unix://",
        "redis://host/x",
        "unix:///a?db=-1",
        "redis://host:port",
        "redis://h:99999",
        "redis://[::1/0",
    ],
)
def test_others_are_refused(url: str) -> None:
    with pytest.raises(ImproperlyConfigured):
        redis_urls(url)
