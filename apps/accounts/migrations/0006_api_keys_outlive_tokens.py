import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

COPY = """
    UPDATE accounts_apikey AS entry SET user_id = token.user_id, scope = token.scope, expires_at = token.expires
    FROM oauth2_provider_accesstoken AS token WHERE token.id = entry.token_id;
    UPDATE accounts_apikey SET token_id = NULL WHERE revoked_at IS NOT NULL;
    -- The columns below cannot be changed while rows wait for their checks.
    SET CONSTRAINTS ALL IMMEDIATE;
    SET CONSTRAINTS ALL DEFERRED;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0005_oauth_clients'),
    ]

    operations = [
        migrations.AddField(
            model_name='apikey',
            name='user',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='api_keys', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='apikey',
            name='scope',
            field=models.CharField(default='', help_text='As the token has it: names with blanks between them.', max_length=200),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='apikey',
            name='expires_at',
            field=models.DateTimeField(null=True, help_text='As the token has it.'),
        ),
        migrations.AlterField(
            model_name='apikey',
            name='token',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='api_key', to=settings.OAUTH2_PROVIDER_ACCESS_TOKEN_MODEL),
        ),
        migrations.RunSQL(COPY, migrations.RunSQL.noop),
        migrations.AlterField(
            model_name='apikey',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_keys', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField(
            model_name='apikey',
            name='expires_at',
            field=models.DateTimeField(help_text='As the token has it.'),
        ),
        migrations.AddConstraint(
            model_name='apikey',
            constraint=models.CheckConstraint(condition=models.Q(('revoked_at__isnull', True), ('token__isnull', True), _connector='OR'), name='revoked_api_key_has_no_token'),
        ),
    ]
