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
                ('email_notifications', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('launches', 'Launches and ranks'), ('badges', 'Badges'), ('orders', 'Orders and refunds'), ('reviews', 'Claims and reviews'), ('drafts', 'Drafts'), ('stories', 'Founder stories'), ('comments', 'Comments and replies'), ('followed', 'Listings and people you follow'), ('weekly_numbers', 'Weekly numbers'), ('digest', 'Daily digest')], max_length=20), blank=True, default=apps.accounts.models.users.default_kinds, help_text='Optional emails this person wants.', size=None)),
                ('in_app_notifications', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('launches', 'Launches and ranks'), ('badges', 'Badges'), ('orders', 'Orders and refunds'), ('reviews', 'Claims and reviews'), ('drafts', 'Drafts'), ('stories', 'Founder stories'), ('comments', 'Comments and replies'), ('followed', 'Listings and people you follow'), ('weekly_numbers', 'Weekly numbers'), ('digest', 'Daily digest')], max_length=20), blank=True, default=apps.accounts.models.users.default_in_app_kinds, help_text='Kinds that the notification center shows to this person.', size=None)),
                ('events_read', models.BigIntegerField(default=0, editable=False, help_text='The last event that was read, by seq.')),
                ('updates_read', models.BigIntegerField(default=0, editable=False, help_text='The last followed update that was read.')),
                ('launches_read', models.BigIntegerField(default=0, editable=False, help_text='The last launch by a followed founder that was read.')),
                ('needs_proof', models.BooleanField(default=False, editable=False, help_text="Signed up without proof of work, so the account's votes weigh less.")),
                ('sign_up_network', models.CharField(blank=True, editable=False, help_text='Keyed digest of the network of the sign-up, to tell crowds of accounts. Emptied after some days.', max_length=32)),
                ('deletion_due_at', models.DateTimeField(blank=True, db_index=True, editable=False, help_text='When the account will be deleted, unless its owner keeps it.', null=True)),
                ('erased_at', models.DateTimeField(blank=True, editable=False, help_text='When personal data was deleted. Orders still refer to this row.', null=True)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('email'), name='one_account_per_email'), models.CheckConstraint(condition=models.Q(('email', django.db.models.functions.text.Lower('email'))), name='email_in_lower_case'), models.CheckConstraint(condition=models.Q(('email_notifications__contained_by', ['launches', 'stories', 'comments', 'followed', 'weekly_numbers', 'digest'])), name='email_notifications_are_of_known_kinds'), models.CheckConstraint(condition=models.Q(('in_app_notifications__contained_by', ['launches', 'badges', 'orders', 'reviews', 'drafts', 'stories', 'comments', 'followed'])), name='in_app_notifications_are_of_known_kinds')],
            },
        ),
        migrations.CreateModel(
            name='DataExport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('requested_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('made_at', models.DateTimeField(blank=True, null=True)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('file', models.CharField(blank=True, help_text='File name in the storage.', max_length=80)),
                ('size', models.PositiveBigIntegerField(default=0, help_text='In bytes.')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='data_exports', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('expires_at__isnull', True), ('file', ''), ('made_at__isnull', True)), models.Q(('expires_at__isnull', False), ('made_at__isnull', False), models.Q(('file', ''), _negated=True)), _connector='OR'), name='data_export_is_made_whole'), models.UniqueConstraint(condition=models.Q(('made_at__isnull', True)), fields=('user',), name='one_data_export_in_preparation')],
            },
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
                ('is_active', models.BooleanField(default=True, help_text='Clear to block this client.')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='%(app_label)s_%(class)s', to=settings.AUTH_USER_MODEL, verbose_name='user')),
            ],
            options={
                'abstract': False,
                'swappable': 'OAUTH2_PROVIDER_APPLICATION_MODEL',
                'constraints': [models.CheckConstraint(condition=models.Q(('authorization_grant_type', 'authorization-code'), ('client_secret', ''), ('client_type', 'public'), ('skip_authorization', False)), name='clients_are_public_and_ask')],
            },
        ),
        migrations.CreateModel(
            name='ApiKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('scope', models.CharField(help_text='Scope names, separated by spaces.', max_length=200)),
                ('prefix', models.CharField(help_text='The first characters of the key.', max_length=16)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('expires_at', models.DateTimeField(help_text='When the key stops working.')),
                ('last_used_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, help_text='When the owner or a site admin revoked the key.', null=True)),
                ('form_token', models.UUIDField(blank=True, editable=False, help_text='The form that created the key. It can create only one.', null=True, unique=True)),
                ('warning_leased_at', models.DateTimeField(blank=True, help_text='When a worker started the expiry email.', null=True)),
                ('warned_at', models.DateTimeField(blank=True, help_text='When the expiry email was sent.', null=True)),
                ('replaced_by', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='replaces', to='accounts.apikey')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_keys', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('replaced_by__isnull', True), models.Q(('replaced_by', models.F('id')), _negated=True), _connector='OR'), name='api_key_does_not_replace_itself')],
            },
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
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'application'), name='one_connection_per_client')],
            },
        ),
        migrations.CreateModel(
            name='FounderProfile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(blank=True, max_length=90, null=True, unique=True)),
                ('real_name', models.CharField(blank=True, max_length=80)),
                ('role', models.CharField(blank=True, max_length=80)),
                ('bio', models.TextField(blank=True, max_length=1000)),
                ('links', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=300), blank=True, default=list, help_text='https URLs.', size=None)),
                ('photo_key', models.CharField(blank=True, help_text="Folder of the photo's files in the storage.", max_length=64)),
                ('photo_pixels', models.PositiveSmallIntegerField(default=0, help_text='Width and height in pixels of the cropped photo.')),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='founder_profile', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('slug__isnull', False)), fields=['-updated_at'], name='founder_changes')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('photo_key', ''), ('photo_pixels', 0)), models.Q(models.Q(('photo_key', ''), _negated=True), ('photo_pixels__gt', 0)), _connector='OR'), name='founder_photo_has_its_size'), models.CheckConstraint(condition=models.Q(('links__len__lte', 5)), name='founder_has_five_links_at_most'), models.CheckConstraint(condition=models.Q(('slug', ''), _negated=True), name='founder_page_has_an_address_or_none')],
            },
        ),
    ]
