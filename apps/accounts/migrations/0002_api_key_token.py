"""An API key's access token, which the toolkit can only create after our client model: hence not in the first one."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        migrations.swappable_dependency(settings.OAUTH2_PROVIDER_ACCESS_TOKEN_MODEL),
        # Before there are many tables with accounts: Django reads all of those again for each of these changes, which
        # makes a first migration take twice as long.
        ('mfa', '0003_authenticator_type_uniq'),
        ('oauth2_provider', '0022_refreshtoken_token_family_index'),
        ('socialaccount', '0006_alter_socialaccount_extra_data'),
    ]

    operations = [
        migrations.AddField(
            model_name='apikey',
            name='token',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='api_key', to=settings.OAUTH2_PROVIDER_ACCESS_TOKEN_MODEL),
        ),
        migrations.AddConstraint(
            model_name='apikey',
            constraint=models.CheckConstraint(condition=models.Q(('revoked_at__isnull', True), ('token__isnull', True), _connector='OR'), name='revoked_api_key_has_no_token'),
        ),
    ]
