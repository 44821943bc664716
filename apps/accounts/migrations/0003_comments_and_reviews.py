import apps.accounts.models.users
import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0002_api_key_token'),
    ]

    operations = [
        migrations.AlterField(
            model_name='user',
            name='email_notifications',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('launches', 'Launches and ranks'), ('badges', 'Badges'), ('orders', 'Orders and refunds'), ('reviews', 'Claims and reviews'), ('drafts', 'Drafts'), ('stories', 'Founder stories'), ('comments', 'Comments and reviews'), ('followed', 'Listings and people you follow'), ('weekly_numbers', 'Weekly numbers'), ('digest', 'Daily digest')], max_length=20), blank=True, default=apps.accounts.models.users.default_kinds, help_text='Optional emails this person wants.', size=None),
        ),
        migrations.AlterField(
            model_name='user',
            name='in_app_notifications',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('launches', 'Launches and ranks'), ('badges', 'Badges'), ('orders', 'Orders and refunds'), ('reviews', 'Claims and reviews'), ('drafts', 'Drafts'), ('stories', 'Founder stories'), ('comments', 'Comments and reviews'), ('followed', 'Listings and people you follow'), ('weekly_numbers', 'Weekly numbers'), ('digest', 'Daily digest')], max_length=20), blank=True, default=apps.accounts.models.users.default_in_app_kinds, help_text='Kinds that the notification center shows to this person.', size=None),
        ),
    ]
