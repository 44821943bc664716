from django.db import migrations, models


def note_listings(apps, schema_editor):
    lines = apps.get_model("orders", "OrderLine").objects
    lines.filter(models.Q(listing__isnull=False) | ~models.Q(listing_name="")).update(has_listing=True)


class Migration(migrations.Migration):

    dependencies = [
        ('orders', '0002_first_products'),
    ]

    operations = [
        migrations.AddField(
            model_name='order',
            name='tried_at',
            field=models.DateTimeField(blank=True, help_text='When the sweep last worked on it.', null=True),
        ),
        migrations.AddField(
            model_name='orderline',
            name='has_listing',
            field=models.BooleanField(default=False, help_text='Bought for a listing, also when that is gone.'),
        ),
        migrations.AddField(
            model_name='payment',
            name='polled_at',
            field=models.DateTimeField(blank=True, help_text='When the sweep last asked the provider.', null=True),
        ),
        migrations.AddField(
            model_name='refund',
            name='tried_at',
            field=models.DateTimeField(blank=True, help_text='When the sweep last tried to send it.', null=True),
        ),
        migrations.RunPython(note_listings, migrations.RunPython.noop),
    ]
