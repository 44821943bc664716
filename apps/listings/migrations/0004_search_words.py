import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
from django.db import migrations, models

from apps.listings.search.indexing import reindex_all


def reindex(apps, schema_editor):
    for _ in reindex_all():
        pass


class Migration(migrations.Migration):

    # Listings that are there already are indexed in many short transactions.
    atomic = False

    dependencies = [
        ('listings', '0003_history_follows_and_badge_checks'),
        ('sites', '0003_badge_and_vote_rules'),
    ]

    operations = [
        migrations.CreateModel(
            name='SearchWord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('word', models.TextField()),
                ('deletions', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), help_text='The word, and the word without each of its letters.', size=None)),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='sites.site')),
            ],
            options={
                'indexes': [django.contrib.postgres.indexes.GinIndex(fields=['deletions'], name='search_word_deletions'), django.contrib.postgres.indexes.GinIndex(django.contrib.postgres.indexes.OpClass('word', name='gin_trgm_ops'), name='search_word_trigrams')],
                'constraints': [models.UniqueConstraint(fields=('site', 'word'), name='one_search_word_per_site')],
            },
        ),
        # With the usual number of words in its statistics the planner takes most words for rare ones, or rare for
        # common, and walks all listings by votes.
        migrations.RunSQL(
            "ALTER TABLE listings_listing ALTER COLUMN search_vector SET STATISTICS 300",
            "ALTER TABLE listings_listing ALTER COLUMN search_vector SET STATISTICS -1",
        ),
        migrations.RunPython(reindex, migrations.RunPython.noop),
    ]
