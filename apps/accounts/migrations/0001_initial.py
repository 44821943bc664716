import apps.accounts.models.users
import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import oauth2_provider.generators
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('email', models.EmailField(max_length=254, unique=True)),
                ('name', models.CharField(blank=True, max_length=80)),
                ('is_staff', models.BooleanField(default=False)),
                ('is_active', models.BooleanField(default=True)),
                ('joined_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('email_notifications', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('launches', 'Your launches'), ('stories', 'Your founder stories'), ('followed', 'Listings you follow'), ('weekly_numbers', 'Weekly numbers')], max_length=20), blank=True, default=apps.accounts.models.users.default_kinds, help_text='Emails that are not always sent, as the person chose them.', size=None)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
        ),
        migrations.CreateModel(
            name='Application',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('client_id', models.CharField(db_index=True, default=oauth2_provider.generators.generate_client_id, max_length=255, unique=True, verbose_name='client ID')),
                ('redirect_uris', models.TextField(blank=True, help_text='Allowed URIs list, space separated', verbose_name='redirect URIs')),
                ('post_logout_redirect_uris', models.TextField(blank=True, default='', help_text='Allowed Post Logout URIs list, space separated', verbose_name='post logout redirect URIs')),
                ('skip_authorization', models.BooleanField(default=False, verbose_name='skip authorization')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated', models.DateTimeField(auto_now=True, verbose_name='updated')),
                ('algorithm', models.CharField(blank=True, choices=[('', 'No OIDC support'), ('RS256', 'RSA with SHA-2 256'), ('HS256', 'HMAC with SHA-2 256')], default='', max_length=5, verbose_name='algorithm')),
                ('allowed_origins', models.TextField(blank=True, default='', help_text='Allowed origins list to enable CORS, space separated', verbose_name='allowed origins')),
                ('registration_source', models.CharField(choices=[('manual', 'Manual'), ('dcr', 'Dynamic Client Registration'), ('cimd', 'Client ID Metadata Document')], default='manual', help_text='How this application was registered (manual, DCR per RFC 7591, or CIMD)', max_length=32, verbose_name='registration source')),
                ('cimd_expires_at', models.DateTimeField(blank=True, default=None, help_text='When the cached Client ID Metadata Document should be re-fetched', null=True, verbose_name='CIMD expires at')),
                ('name', models.CharField(blank=True, max_length=255, verbose_name='name')),
                ('client_type', models.CharField(default='public', max_length=32)),
                ('authorization_grant_type', models.CharField(default='authorization-code', max_length=44)),
                ('client_secret', models.CharField(blank=True, default='', max_length=255)),
                ('hash_client_secret', models.BooleanField(default=False)),
                ('is_active', models.BooleanField(default=True, help_text='Without it, nobody can connect by this client.')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='%(app_label)s_%(class)s', to=settings.AUTH_USER_MODEL, verbose_name='user')),
            ],
            options={
                'abstract': False,
                'swappable': 'OAUTH2_PROVIDER_APPLICATION_MODEL',
            },
        ),
        migrations.CreateModel(
            name='ApiKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('scope', models.CharField(help_text='As the token has it: names with blanks between them.', max_length=200)),
                ('prefix', models.CharField(help_text='The visible beginning of the key.', max_length=16)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('expires_at', models.DateTimeField(help_text='As the token has it.')),
                ('last_used_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, help_text='When the owner or a site admin revoked it.', null=True)),
                ('form_token', models.UUIDField(blank=True, editable=False, help_text='The opened form that made the key.', null=True, unique=True)),
                ('warning_leased_at', models.DateTimeField(blank=True, help_text='A worker began to write the email.', null=True)),
                ('warned_at', models.DateTimeField(blank=True, help_text='The email before the expiry has left.', null=True)),
                ('replaced_by', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='replaces', to='accounts.apikey')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_keys', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Connection',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('connected_at', models.DateTimeField(default=django.utils.timezone.now, help_text='When access was first allowed.')),
                ('last_used_at', models.DateTimeField(blank=True, null=True)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='connections', to=settings.OAUTH2_PROVIDER_APPLICATION_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='connections', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='FounderProfile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(blank=True, max_length=90, null=True, unique=True)),
                ('real_name', models.CharField(blank=True, max_length=80)),
                ('role', models.CharField(blank=True, max_length=80)),
                ('bio', models.TextField(blank=True, max_length=1000)),
                ('links', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=300), blank=True, default=list, help_text='Addresses by https.', size=None)),
                ('photo_key', models.CharField(blank=True, help_text="Folder of the photo's files in the storage.", max_length=64)),
                ('photo_pixels', models.PositiveSmallIntegerField(default=0, help_text='Width and height of the square that was cut out of the upload.')),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='founder_profile', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('email'), name='one_account_per_email'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('email', django.db.models.functions.text.Lower('email'))), name='email_in_lower_case'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('email_notifications__contained_by', ['launches', 'stories', 'followed', 'weekly_numbers'])), name='email_notifications_are_of_known_kinds'),
        ),
        migrations.AddConstraint(
            model_name='application',
            constraint=models.CheckConstraint(condition=models.Q(('authorization_grant_type', 'authorization-code'), ('client_secret', ''), ('client_type', 'public'), ('skip_authorization', False)), name='clients_are_public_and_ask'),
        ),
        migrations.AddConstraint(
            model_name='apikey',
            constraint=models.CheckConstraint(condition=models.Q(('replaced_by__isnull', True), models.Q(('replaced_by', models.F('id')), _negated=True), _connector='OR'), name='api_key_does_not_replace_itself'),
        ),
        migrations.AddConstraint(
            model_name='connection',
            constraint=models.UniqueConstraint(fields=('user', 'application'), name='one_connection_per_client'),
        ),
        migrations.AddConstraint(
            model_name='founderprofile',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('photo_key', ''), ('photo_pixels', 0)), models.Q(models.Q(('photo_key', ''), _negated=True), ('photo_pixels__gt', 0)), _connector='OR'), name='founder_photo_has_its_size'),
        ),
        migrations.AddConstraint(
            model_name='founderprofile',
            constraint=models.CheckConstraint(condition=models.Q(('links__len__lte', 5)), name='founder_has_five_links_at_most'),
        ),
        migrations.AddConstraint(
            model_name='founderprofile',
            constraint=models.CheckConstraint(condition=models.Q(('slug', ''), _negated=True), name='founder_page_has_an_address_or_none'),
        ),
    ]
