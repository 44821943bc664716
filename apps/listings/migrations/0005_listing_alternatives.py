from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    # Concurrently, an index is built outside of a transaction.
    atomic = False

    dependencies = [
        ("listings", "0004_alter_companypicture_alt"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="listing",
            index=models.Index(
                condition=models.Q(("status", "live"), models.Q(("alternatives", []), _negated=True)),
                fields=["site", "id"],
                name="listing_alternatives",
            ),
        ),
    ]
