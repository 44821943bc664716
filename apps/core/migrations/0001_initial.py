import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.contrib.postgres.operations import TrigramExtension, UnaccentExtension
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        TrigramExtension(),
        UnaccentExtension(),
        # Words as they are, without accents: names are no English, and stemming would mangle them.
        migrations.RunSQL(
            """
            CREATE TEXT SEARCH CONFIGURATION slipway (COPY = simple);
            ALTER TEXT SEARCH CONFIGURATION slipway
                ALTER MAPPING FOR hword, hword_part, word WITH unaccent, simple;
            """,
            "DROP TEXT SEARCH CONFIGURATION slipway",
        ),
        migrations.CreateModel(
            name='OutgoingEmail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=120, unique=True)),
                ('to', models.EmailField(max_length=254)),
                ('subject', models.CharField(max_length=200)),
                ('text', models.TextField(blank=True)),
                ('blocks', models.JSONField(blank=True, default=list, help_text='Buttons, tables and other blocks of the text. Deleted when sent.')),
                ('kind', models.CharField(blank=True, help_text='The kind of an optional email.', max_length=20)),
                ('attachment', models.BinaryField(blank=True, help_text='The attached file. Deleted when sent.', null=True)),
                ('attachment_name', models.CharField(blank=True, help_text='The file name. Its extension sets the type.', max_length=120)),
                ('headers', models.JSONField(blank=True, default=dict)),
                ('site_name', models.CharField(max_length=40)),
                ('site_url', models.URLField(max_length=300)),
                ('site_hue', models.PositiveSmallIntegerField(default=265)),
                ('site_color', models.CharField(blank=True, max_length=7)),
                ('site_logo_url', models.URLField(blank=True, max_length=400)),
                ('site_sender', models.CharField(blank=True, help_text='The From header. Empty for the default.', max_length=320)),
                ('site_contact', models.EmailField(blank=True, help_text='The Reply-To header.', max_length=254)),
                ('is_bulk', models.BooleanField(default=False, help_text='One of many, such as an update for followers. Single emails are sent first.')),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ('send_at', models.DateTimeField(default=django.utils.timezone.now, help_text='The earliest time to send it. Each failed attempt moves it.')),
                ('leased_at', models.DateTimeField(blank=True, help_text='When a worker started to send it.', null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('last_error', models.CharField(blank=True, max_length=300)),
                ('sent_at', models.DateTimeField(blank=True, null=True)),
                ('failed_at', models.DateTimeField(blank=True, help_text='When sending was given up.', null=True)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('failed_at__isnull', True), ('sent_at__isnull', True)), fields=['is_bulk', 'send_at', 'id'], name='eemails_to_send')],
                'constraints': [models.CheckConstraint(condition=models.Q(('sent_at__isnull', True), ('failed_at__isnull', True), _connector='OR'), name='email_is_sent_or_given_up')],
            },
        ),
        migrations.CreateModel(
            name='IdempotencyRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=255)),
                ('fingerprint', models.CharField(max_length=64)),
                ('status', models.PositiveSmallIntegerField(null=True)),
                ('body', models.TextField(help_text='The response exactly as sent.', null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True, db_index=True)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('account', 'key'), name='one_record_per_account_and_key')],
            },
        ),
    ]
