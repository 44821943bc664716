import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('listings', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='StatisticsBatch',
            fields=[
                ('key', models.UUIDField(primary_key=True, serialize=False)),
                ('written_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name='DailyReferrer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('source', models.CharField(help_text='A registrable domain, or the value of ref= or utm_source=.', max_length=80)),
                ('views', models.PositiveIntegerField()),
                ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='daily_referrers', to='listings.listing')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('listing', 'day', 'source'), name='one_row_per_referrer_and_day')],
            },
        ),
        migrations.CreateModel(
            name='DailyStatistics',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('views', models.PositiveIntegerField(default=0)),
                ('visitors', models.PositiveIntegerField(default=0, help_text='Distinct visitors on this day.')),
                ('clicks', models.PositiveIntegerField(default=0, help_text='Clicks on the website link.')),
                ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='daily_statistics', to='listings.listing')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('listing', 'day'), name='one_row_of_statistics_per_day'), models.CheckConstraint(condition=models.Q(('visitors__lte', models.F('views'))), name='visitors_have_viewed_the_page')],
            },
        ),
    ]
