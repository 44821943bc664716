"""Copy reports and decisions to apps.moderation. The next release drops the old tables and the column."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

_MOVED = ("action", "by_id", "reason", "note", "at")


def copy(apps: Any, schema_editor: Any) -> None:
    """Give each comment with reports or decisions its case."""
    comments, moderation = (lambda name: apps.get_model("comments", name)), (lambda name: apps.get_model("moderation", name))
    reports, decisions = comments("CommentReport").objects, comments("CommentDecision").objects
    ids = {*reports.values_list("comment_id", flat=True), *decisions.values_list("comment_id", flat=True)}
    cases = {}
    for comment in comments("Comment").objects.filter(pk__in=ids).select_related("listing__company").order_by("pk"):
        cases[comment.pk] = moderation("Case").objects.create(
            kind="comment",
            object_id=comment.pk,
            author_id=comment.author_id,
            site_id=comment.listing.site_id,
            title=f"Comment on {comment.listing.company.name}",
            text=comment.text,
        )
    for old in decisions.order_by("pk"):
        case = cases[old.comment_id]
        values = {name: getattr(old, name) for name in _MOVED}
        moderation("Decision").objects.create(case=case, author_id=case.author_id, **values)
    moderation("Report").objects.bulk_create(
        moderation("Report")(
            case=cases[old.comment_id],
            reporter_id=old.reporter_id,
            reason=old.reason,
            note=old.note,
            created_at=old.created_at,
            closed_at=old.closed_at,
        )
        for old in reports.order_by("pk").iterator()
    )


def _key(name: str, **options: Any) -> models.ForeignKey:
    return models.ForeignKey(to=name, db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, **options)


class Migration(migrations.Migration):
    dependencies = [
        ("comments", "0001_initial"),
        ("moderation", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(copy, migrations.RunPython.noop),
        # Rows that are left in the old tables must not keep a comment or an account from being deleted.
        migrations.AlterField("commentreport", "comment", _key("comments.comment", db_index=False)),
        migrations.AlterField("commentreport", "reporter", _key(settings.AUTH_USER_MODEL)),
        migrations.AlterField("commentdecision", "comment", _key("comments.comment")),
        migrations.AlterField("commentdecision", "by", _key(settings.AUTH_USER_MODEL, null=True)),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel("CommentReport"),
                migrations.DeleteModel("CommentDecision"),
            ],
        ),
        migrations.AlterField(
            "comment",
            "open_reports",
            models.PositiveIntegerField(default=0, editable=False, help_text="Unused. The next release drops it."),
        ),
    ]
