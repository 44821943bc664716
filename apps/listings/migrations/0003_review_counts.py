"""Count reviews."""

import apps.listings.models.listings
import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('listings', '0002_replaced_pictures'),
    ]

    operations = [
        migrations.AddField(
            model_name='listing',
            name='review_count',
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False, help_text='Number of posted reviews, changed in their transactions.'),
        ),
        migrations.AddField(
            model_name='listing',
            name='star_counts',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.PositiveIntegerField(), db_default=[0, 0, 0, 0, 0], default=apps.listings.models.listings.no_stars, editable=False, help_text='How many verified reviews give 1 to 5 stars, changed likewise.', size=None),
        ),
    ]
