import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0002_api_keys_and_profiles'),
    ]

    operations = [
        migrations.AddField(
            model_name='apikey',
            name='revoked_at',
            field=models.DateTimeField(blank=True, help_text='Ended by the owner or the site team.', null=True),
        ),
        migrations.AddField(
            model_name='apikey',
            name='replaced_by',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='replaces', to='accounts.apikey'),
        ),
        migrations.AddField(
            model_name='apikey',
            name='form_token',
            field=models.UUIDField(blank=True, editable=False, help_text='The opened form that made the key.', null=True, unique=True),
        ),
        migrations.AddField(
            model_name='apikey',
            name='warning_claimed_at',
            field=models.DateTimeField(blank=True, help_text='A worker began to write the mail.', null=True),
        ),
        migrations.AddField(
            model_name='apikey',
            name='warned_at',
            field=models.DateTimeField(blank=True, help_text='The mail before the expiry has left.', null=True),
        ),
        migrations.AddConstraint(
            model_name='apikey',
            constraint=models.CheckConstraint(condition=models.Q(('replaced_by__isnull', True), models.Q(('replaced_by', models.F('id')), _negated=True), _connector='OR'), name='api_key_does_not_replace_itself'),
        ),
    ]
