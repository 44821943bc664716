"""An installation with a real replica: what is read from it, what never is, and what readers get without it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from tests.faults.cluster import Cluster, running_cluster
from tests.running import UNKEPT, Running, copy_demo, running
from tests.waiting import PATIENCE_SECONDS, wait_for

pytestmark = pytest.mark.processes

SEARCH = "/api/v1/listings"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with running_cluster() as made:
        yield made


@pytest.fixture(scope="module")
def started(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with installed_on(cluster, tmp_path_factory.mktemp("replica") / "data") as installation:
        yield installation


@contextmanager
def installed_on(cluster: Cluster, data_dir: Path) -> Iterator[Running]:
    settings = {
        "DATABASE_URL": cluster.primary_url,
        "DATABASE_REPLICA_URL": cluster.replica_url,
        "RATE_LIMIT_PER_KEY": "0",
        "RATE_LIMIT_PER_ADDRESS": "0",
    }
    copy_demo(data_dir)
    with running(data_dir, private_hosts=[], settings=settings) as installation:
        yield installation


def reads_of_replica(cluster: Cluster) -> int:
    """How many rows the replica has returned of listings."""
    query = (
        "SELECT coalesce(idx_tup_fetch, 0) + seq_tup_read FROM pg_stat_user_tables WHERE relname = 'listings_listing'"
    )
    [[count]] = cluster.replica.sql(query)
    return int(count)


def search(started: Running) -> list[str]:
    answer = httpx2.get(started.base_url + SEARCH, cookies=UNKEPT, timeout=PATIENCE_SECONDS).raise_for_status()
    return [item["headline"] for item in answer.json()["items"]]


def rename(started: Running, headline: str) -> None:
    key = {"Authorization": f"Bearer {started.api_key}"}
    with httpx2.Client(base_url=started.base_url + "/api/v1/", headers=key, timeout=PATIENCE_SECONDS) as client:
        owned = client.get("me/listings").json()["items"]
        live = next(item["id"] for item in owned if item["status"] == "live")
        client.patch(f"me/listings/{live}", json={"fields": {"headline": headline}}).raise_for_status()


def test_anonymous_reads_come_from_the_replica(cluster: Cluster, started: Running) -> None:
    before = reads_of_replica(cluster)

    def comes_from_replica() -> bool:
        search(started)
        return reads_of_replica(cluster) > before

    wait_for(comes_from_replica)


def test_nobody_reads_less_than_was_acknowledged(cluster: Cluster, started: Running) -> None:
    cluster.replica.sql("SELECT pg_wal_replay_pause()")
    try:
        rename(started, "Acknowledged before the replica had it")
        assert "Acknowledged before the replica had it" in search(started)
    finally:
        cluster.replica.sql("SELECT pg_wal_replay_resume()")


def test_a_replica_that_dies_and_comes_back_breaks_no_answer(cluster: Cluster, started: Running) -> None:
    cluster.replica.child.kill_group()
    for path in ("/", SEARCH, "/launches.rss", "/sitemap.xml"):
        assert httpx2.get(started.base_url + path, cookies=UNKEPT, timeout=PATIENCE_SECONDS).status_code == 200
    cluster.replica.child.wait(PATIENCE_SECONDS)
    cluster.replica.start()
    test_anonymous_reads_come_from_the_replica(cluster, started)


def test_a_promoted_replica_takes_the_writes(tmp_path: Path) -> None:
    with running_cluster() as cluster, installed_on(cluster, tmp_path / "data") as started:
        cluster.commit_on_both()
        rename(started, "Acknowledged by both")
        cluster.primary.child.kill_group()
        # Nobody can write now, and everybody can read.
        assert "Acknowledged by both" in search(started)
        cluster.promote()
        rename(started, "Written after the failover")
        assert "Written after the failover" in search(started)
