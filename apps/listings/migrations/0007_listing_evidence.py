import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('listings', '0006_daily_statistics'),
    ]

    operations = [
        migrations.CreateModel(
            name='ListingEvidence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('website_key', models.CharField(help_text="The website that was read, as companies' websites are compared.", max_length=300)),
                ('facts', models.JSONField(blank=True, default=list)),
                ('listing', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='evidence', to='listings.listing')),
            ],
            options={
                'verbose_name_plural': 'listing evidence',
                'constraints': [models.CheckConstraint(condition=models.Q(('website_key', ''), _negated=True), name='evidence_has_its_website')],
            },
        ),
    ]
