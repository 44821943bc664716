from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("comments", "0001_initial"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="comment",
            index=models.Index(condition=models.Q(("status", "in_review")), fields=["id"], name="comments_in_review"),
        ),
        RemoveIndexConcurrently(model_name="comment", name="comments_waiting"),
    ]
