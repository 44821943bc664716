import apps.core.states
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('listings', '0001_initial'),
        ('sites', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Draft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.URLField(help_text='Home page of the requested website.', max_length=300, verbose_name='URL')),
                ('website_key', models.CharField(help_text='The key that identifies the website.', max_length=300)),
                ('domain', models.CharField(help_text='Only one crawl per domain runs at a time.', max_length=260)),
                ('website', models.URLField(blank=True, help_text='The URL it redirected to.', max_length=300)),
                ('status', models.CharField(choices=[('crawling', 'Crawling'), ('drafting', 'Drafting'), ('ready', 'Ready'), ('submitted', 'Submitted'), ('failed', 'Failed'), ('expired', 'Expired'), ('cancelled', 'Canceled')], default='crawling', max_length=12)),
                ('attempt', models.PositiveSmallIntegerField(default=0, help_text='Number of leases. Only the latest may write.')),
                ('leased_until', models.DateTimeField(blank=True, help_text="When the worker's lease ends.", null=True)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, help_text='When it was last queued.')),
                ('pages_done', models.PositiveSmallIntegerField(default=0)),
                ('pages_planned', models.PositiveSmallIntegerField(default=0)),
                ('pages_read', models.JSONField(blank=True, default=list, help_text="Each planned page: URL, kind, and why it wasn't used.")),
                ('proposal', models.JSONField(blank=True, default=dict, help_text='Proposed value by listing field.')),
                ('evidence', models.JSONField(blank=True, default=list, help_text='Where each value was read.')),
                ('missing', models.JSONField(blank=True, default=list, help_text="What wasn't found, and what to do.")),
                ('warnings', models.JSONField(blank=True, default=list, help_text='Text on the website that is addressed to assistants, with its page.')),
                ('edited', models.JSONField(blank=True, default=list, help_text='Fields the owner changed. Their evidence is kept.')),
                ('confirmed', models.JSONField(blank=True, default=list, help_text='Fields the owner confirmed without a change.')),
                ('error_code', models.CharField(blank=True, choices=[('unreachable', 'Unreachable'), ('robots', 'robots.txt'), ('blocked', 'Blocked'), ('private_address', 'Private address'), ('too_thin', 'Too thin'), ('duplicate', 'Duplicate')], max_length=16)),
                ('error_message', models.CharField(blank=True, max_length=300)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('finished_at', models.DateTimeField(blank=True, help_text='When the crawl succeeded or failed.', null=True)),
                ('submitted_at', models.DateTimeField(blank=True, null=True)),
                ('listing', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='drafts', to='listings.listing')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='drafts', to=settings.AUTH_USER_MODEL)),
                ('rereads', models.ForeignKey(blank=True, help_text='The listing to compare with, when its website is read again.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='rereads', to='listings.listing')),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='drafts', to='sites.site')),
            ],
            options={
                'indexes': [models.Index(fields=['owner', '-created_at'], name='draft_owner'), models.Index(condition=models.Q(('status__in', ['crawling', 'drafting'])), fields=['domain'], name='draft_in_progress'), models.Index(condition=models.Q(('status', 'ready')), fields=['created_at'], name='draft_ready')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('status__in', ['crawling', 'drafting', 'ready'])), fields=('owner', 'site', 'website_key'), name='one_active_draft_per_address'), models.CheckConstraint(condition=models.Q(models.Q(('listing__isnull', False), ('status', 'submitted'), ('submitted_at__isnull', False)), models.Q(models.Q(('status', 'submitted'), _negated=True), ('listing__isnull', True), ('submitted_at__isnull', True)), _connector='OR'), name='submitted_draft_has_a_listing'), models.CheckConstraint(condition=models.Q(models.Q(('error_code__gt', ''), ('status', 'failed')), ('status', 'cancelled'), models.Q(models.Q(('status__in', ['failed', 'cancelled']), _negated=True), ('error_code', '')), _connector='OR'), name='failed_draft_has_an_error'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'submitted'), _negated=True), ('rereads__isnull', True), ('rereads', models.F('listing')), _connector='OR'), name='rereading_ends_in_its_own_listing'), models.CheckConstraint(condition=models.Q(('leased_until__isnull', True), ('status__in', ['crawling', 'drafting', 'cancelled']), _connector='OR'), name='only_a_draft_being_read_is_leased'), models.CheckConstraint(condition=models.Q(models.Q(('finished_at__isnull', True), ('status__in', ['crawling', 'drafting'])), models.Q(models.Q(('status__in', ['crawling', 'drafting']), _negated=True), ('finished_at__isnull', False)), _connector='OR'), name='draft_is_finished_or_in_progress')],
            },
            bases=(apps.core.states.HasStates, models.Model),
        ),
        migrations.CreateModel(
            name='DraftPicture',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('field', models.CharField(choices=[('logo_url', 'Logo'), ('screenshots', 'Screenshots')], max_length=12)),
                ('url', models.CharField(max_length=500)),
                ('key', models.CharField(blank=True, help_text='Folder with the files in the storage.', max_length=50)),
                ('width', models.PositiveSmallIntegerField(default=0, help_text='Width of the largest file in pixels.')),
                ('height', models.PositiveSmallIntegerField(default=0)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('draft', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pictures', to='drafts.draft')),
            ],
            options={
                'abstract': False,
            },
        ),
    ]
