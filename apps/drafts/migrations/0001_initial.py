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
                ('url', models.URLField(help_text='Home page of the website asked for.', max_length=300)),
                ('website_key', models.CharField(help_text="The address as companies' websites are compared.", max_length=300)),
                ('domain', models.CharField(help_text='Of one domain only one crawl runs at a time.', max_length=260)),
                ('website', models.URLField(blank=True, help_text='Where the address led, once it was read.', max_length=300)),
                ('status', models.CharField(choices=[('crawling', 'Crawling'), ('drafting', 'Drafting'), ('ready', 'Ready'), ('submitted', 'Submitted'), ('failed', 'Failed'), ('expired', 'Expired'), ('cancelled', 'Canceled')], default='crawling', max_length=12)),
                ('attempt', models.PositiveSmallIntegerField(default=0, help_text='Counts leases; an older one may not write.')),
                ('leased_until', models.DateTimeField(blank=True, help_text='A worker has leased the draft until then.', null=True)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, help_text='When a worker was last asked to take it.')),
                ('pages_done', models.PositiveSmallIntegerField(default=0)),
                ('pages_planned', models.PositiveSmallIntegerField(default=0)),
                ('pages_read', models.JSONField(blank=True, default=list, help_text='Each page that was planned: address, kind, and why it was not used.')),
                ('proposal', models.JSONField(blank=True, default=dict, help_text='Value by field of the listing.')),
                ('evidence', models.JSONField(blank=True, default=list, help_text='For each value where it was read.')),
                ('missing', models.JSONField(blank=True, default=list, help_text='What was not found, and what to do.')),
                ('edited', models.JSONField(blank=True, default=list, help_text='Fields of the proposal that the owner wrote; their evidence is kept.')),
                ('error_code', models.CharField(blank=True, choices=[('unreachable', 'Unreachable'), ('robots', 'Robots'), ('blocked', 'Blocked'), ('private_address', 'Private Address'), ('too_thin', 'Too Thin'), ('duplicate', 'Duplicate')], max_length=16)),
                ('error_message', models.CharField(blank=True, max_length=300)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('finished_at', models.DateTimeField(blank=True, help_text='When the crawl ended, well or not.', null=True)),
                ('submitted_at', models.DateTimeField(blank=True, null=True)),
                ('listing', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='drafts', to='listings.listing')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='drafts', to=settings.AUTH_USER_MODEL)),
                ('rereads', models.ForeignKey(blank=True, help_text='The listing whose website is read again: the proposal is compared with it, and changes nothing.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='rereads', to='listings.listing')),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='drafts', to='sites.site')),
            ],
            options={
                'indexes': [models.Index(fields=['owner', '-created_at'], name='draft_owner'), models.Index(condition=models.Q(('status__in', ['crawling', 'drafting'])), fields=['domain'], name='draft_in_progress'), models.Index(condition=models.Q(('status', 'ready')), fields=['created_at'], name='draft_ready')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('status__in', ['crawling', 'drafting', 'ready'])), fields=('owner', 'site', 'website_key'), name='one_active_draft_per_address'), models.CheckConstraint(condition=models.Q(models.Q(('listing__isnull', False), ('status', 'submitted'), ('submitted_at__isnull', False)), models.Q(models.Q(('status', 'submitted'), _negated=True), ('listing__isnull', True), ('submitted_at__isnull', True)), _connector='OR'), name='submitted_draft_has_a_listing'), models.CheckConstraint(condition=models.Q(models.Q(('error_code__gt', ''), ('status', 'failed')), models.Q(models.Q(('status', 'failed'), _negated=True), ('error_code', '')), _connector='OR'), name='failed_draft_has_an_error'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'submitted'), _negated=True), ('rereads__isnull', True), ('rereads', models.F('listing')), _connector='OR'), name='rereading_ends_in_its_own_listing'), models.CheckConstraint(condition=models.Q(('leased_until__isnull', True), ('status__in', ['crawling', 'drafting', 'cancelled']), _connector='OR'), name='only_a_draft_being_read_is_leased'), models.CheckConstraint(condition=models.Q(models.Q(('finished_at__isnull', True), ('status__in', ['crawling', 'drafting'])), models.Q(models.Q(('status__in', ['crawling', 'drafting']), _negated=True), ('finished_at__isnull', False)), _connector='OR'), name='draft_is_finished_or_in_progress')],
            },
            bases=(apps.core.states.HasStates, models.Model),
        ),
    ]
