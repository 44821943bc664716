"""Send events again: everything since a number, or a range."""

import pytest

from apps.sites.models import Site
from apps.webhooks import services
from apps.webhooks.delivery.sending import send_due
from apps.webhooks.models import Delivery
from tests.api import ApiClient
from tests.webhooks.endpoints import PATH, created
from tests.webhooks.happening import happen
from tests.webhooks.receiver import Receiver

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("only_told_events")]


def test_events_are_sent_again(owner: ApiClient, site: Site, receiver: Receiver) -> None:
    path = f"{PATH}/{created(owner, url=receiver.url)['id']}"
    assert owner.user
    happen(owner.user, site, "order.pending", "order.paid")
    send_due()
    delivery = Delivery.objects.get(seq=2)
    assert owner.post(f"{path}/deliveries/{delivery.pk}/redeliver").json()["status"] == "waiting"
    send_due()
    assert owner.post(f"{path}/redeliver", {"after": 0}).status_code == 200
    send_due()

    assert receiver.seqs == [1, 2, 2, 1, 2]
    assert len({each.id for each in receiver.received}) == 2


def test_a_range_has_a_limit(owner: ApiClient, site: Site, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MAX_RANGE", 2)
    path = f"{PATH}/{created(owner, url=receiver.url)['id']}"
    assert owner.user
    happen(owner.user, site, *["order.paid"] * 3)
    answer = owner.post(f"{path}/redeliver", {"after": 0, "until": 3})

    assert (answer.status_code, answer.json()["code"]) == (422, "range_too_large")
    assert owner.post(f"{path}/redeliver", {"after": 1, "until": 3}).status_code == 200


def test_a_position_after_the_last_event_and_an_empty_range_are_refused(owner: ApiClient, site: Site) -> None:
    path = f"{PATH}/{created(owner)['id']}"
    assert owner.user
    happen(owner.user, site, "order.paid")
    for body, code in (
        ({"after": 2}, "unknown_position"),
        ({"after": 2, "until": 3}, "unknown_position"),
        ({"after": 1, "until": 1}, "empty_range"),
    ):
        answer = owner.post(f"{path}/redeliver", body)
        assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert owner.post(f"{path}/redeliver", {"after": 1}).status_code == 200
