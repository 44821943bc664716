"""Reports and decisions from before apps.moderation are copied there."""

from importlib import import_module

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from apps.listings.models import Listing
from apps.moderation.models import Case
from tests.comments.people import comment_on
from tests.factories import UserFactory

pytestmark = pytest.mark.db


def test_reports_and_decisions_get_their_case(listing: Listing) -> None:
    reported, _ = comment_on(listing, "Spam"), comment_on(listing, "Ham")
    reporters, moderator, now = UserFactory.create_batch(2), UserFactory.create(), timezone.now()
    before = [("comments", "0001_initial"), ("moderation", "0001_initial")]
    apps = MigrationLoader(connection).project_state(before).apps
    reports = apps.get_model("comments", "CommentReport").objects
    about = {"comment_id": reported.pk, "reason": "spam", "note": "An ad."}
    reports.create(**about, reporter_id=reporters[0].pk, closed_at=now)
    reports.create(**about, reporter_id=reporters[1].pk)
    decisions = apps.get_model("comments", "CommentDecision").objects
    decisions.create(comment_id=reported.pk, action="removed", reason="Ads.", note="Again", by_id=moderator.pk)
    import_module("apps.comments.migrations.0002_reports_to_moderation").copy(apps, None)
    case = Case.objects.get()
    assert (case.kind, case.object_id, case.author, case.site) == (
        "comment",
        reported.pk,
        reported.author,
        listing.site,
    )
    assert (case.title, case.text) == ("Comment on Acme", "Spam")
    assert [(one.reporter, one.note, one.closed_at) for one in case.reports.all()] == [
        (reporters[0], "An ad.", now),
        (reporters[1], "An ad.", None),
    ]
    [decision] = case.decisions.all()
    assert (decision.action, decision.reason, decision.note, decision.by) == ("removed", "Ads.", "Again", moderator)
    assert decision.author == reported.author
