from typing import Any

import pytest
from django.db import IntegrityError, transaction

from apps.core.states import IllegalTransition
from apps.drafts.models import Draft
from tests.drafts.factories import DraftFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("start", Draft.Status.values)
@pytest.mark.parametrize("end", Draft.Status.values)
def test_every_transition_is_as_the_table_says(start: str, end: str) -> None:
    draft = Draft(status=start)
    if start == end or end in Draft.TRANSITIONS[start]:
        draft.check_move(end)
    else:
        with pytest.raises(IllegalTransition):
            draft.move_to(end)
        assert draft.status == start


def test_ends_cannot_be_left() -> None:
    ends = {status for status, following in Draft.TRANSITIONS.items() if not following}
    assert ends == {"submitted", "expired", "cancelled"}
    assert set(Draft.TRANSITIONS) == set(Draft.Status.values)


def test_an_address_has_one_active_draft_an_owner_and_site() -> None:
    draft = DraftFactory.create(ready=True)
    same: dict[str, Any] = {"owner": draft.owner, "site": draft.site, "url": draft.url}
    with pytest.raises(IntegrityError), transaction.atomic():
        DraftFactory.create(**same)
    DraftFactory.create(**same, failed=True)
    DraftFactory.create(url=draft.url)
    assert Draft.objects.count() == 3


@pytest.mark.parametrize(
    "values",
    [
        {"status": "submitted"},
        {"status": "failed", "error_code": ""},
        {"error_code": "robots"},
        {"finished_at": None},
        {"leased_until": "2026-11-21T00:00:00Z"},
    ],
)
def test_impossible_rows_are_refused(values: dict[str, Any]) -> None:
    draft = DraftFactory.create(ready=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        Draft.objects.filter(pk=draft.pk).update(**values)
