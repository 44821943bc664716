import django.core.serializers.json
import apps.sites.models
import apps.sites.rule_choices
import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models



def create_default_site(apps, schema_editor):
    Site = apps.get_model("sites", "Site")
    if not Site.objects.exists():
        Site.objects.create(
            key="main",
            host=settings.PUBLIC_HOST,
            name="Slipway",
            tagline="Discover new products every week. Vote for your favorites.",
            is_default=True,
        )


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Site',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.SlugField(help_text='Short name in the API, for example in apply_to.', max_length=32, unique=True)),
                ('host', models.CharField(help_text='Host name this site is served on.', max_length=253, unique=True, validators=[django.core.validators.RegexValidator('^[a-z0-9.-]+$', 'A host name in lower case, without port.')])),
                ('name', models.CharField(max_length=40)),
                ('tagline', models.CharField(blank=True, max_length=160)),
                ('hue', models.PositiveSmallIntegerField(default=265, help_text='Angle of the shades on the color wheel. Follows the brand color.', validators=[django.core.validators.MaxValueValidator(359)])),
                ('color', models.CharField(blank=True, help_text='Buttons and links. White text on it needs a contrast of 4.5:1.', max_length=7, validators=[apps.sites.models.validate_brand_color], verbose_name='brand color')),
                ('logo_key', models.CharField(blank=True, editable=False, help_text="Folder of the logo's files.", max_length=80)),
                ('icon_key', models.CharField(blank=True, editable=False, help_text="Folder of the favicon's files. Empty for the logo.", max_length=80)),
                ('contact_email', models.EmailField(blank=True, help_text='Shown on pages. Replies to emails go there.', max_length=254)),
                ('sender_email', models.EmailField(blank=True, help_text='Sender of emails. Empty for DEFAULT_FROM_EMAIL.', max_length=254)),
                ('set_up_at', models.DateTimeField(blank=True, editable=False, help_text='When setup was finished.', null=True)),
                ('is_default', models.BooleanField(default=False, help_text='Also serves host names that belong to no other site.')),
                ('free_queue_weeks', models.PositiveSmallIntegerField(default=4, help_text='Minimum number of weeks until a free launch.')),
                ('free_places_per_week', models.PositiveSmallIntegerField(default=20, help_text='Free spots per week.', verbose_name='free spots per week')),
                ('paid_places_per_week', models.PositiveSmallIntegerField(default=10, help_text='Paid spots per week.', verbose_name='paid spots per week')),
                ('closing_days', models.PositiveSmallIntegerField(default=3, help_text='In the last days of a week, purchases go to a later week unless the buyer chooses the current one. 0 turns this off.', validators=[django.core.validators.MaxValueValidator(7)])),
                ('drafts_per_hour', models.PositiveSmallIntegerField(default=10, help_text='Drafts per account and hour.', validators=[django.core.validators.MinValueValidator(1)])),
                ('badge_checks_per_hour', models.PositiveSmallIntegerField(default=10, help_text='Badge checks per listing and hour that owners can request.')),
                ('badge_check_hours', models.PositiveSmallIntegerField(default=24, help_text='Hours between automatic badge checks of a queued listing.', validators=[django.core.validators.MinValueValidator(1)])),
                ('badge_failed_checks', models.PositiveSmallIntegerField(default=2, help_text='Failed checks in a row before the badge counts as missing.', validators=[django.core.validators.MinValueValidator(1)])),
                ('badge_grace_days', models.PositiveSmallIntegerField(default=7, help_text='Days a badge can be missing before a queued listing loses its week.')),
                ('vote_new_account_days', models.PositiveSmallIntegerField(default=7, help_text='Younger accounts count as new. Applies from the next launch week.')),
                ('vote_new_account_percent', models.PositiveSmallIntegerField(default=50, help_text="Weight of a new account's vote. Applies from the next launch week.", validators=[django.core.validators.MaxValueValidator(100)])),
                ('updates_per_day', models.PositiveSmallIntegerField(default=10, help_text='Updates per listing in 24 hours.', validators=[django.core.validators.MinValueValidator(1)])),
                ('team_email', models.EmailField(blank=True, help_text='Gets a copy of every edit. If empty, all site admins get one.', max_length=254)),
                ('story_min_words', models.PositiveSmallIntegerField(default=300, help_text='Total of all sections.')),
                ('story_min_sections', models.PositiveSmallIntegerField(default=4, help_text='Sections that need the minimum number of words.', validators=[django.core.validators.MaxValueValidator(6)])),
                ('story_min_section_words', models.PositiveSmallIntegerField(default=40)),
                ('story_required_sections', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('how_started', 'How it started'), ('problem', 'The problem'), ('what_built', 'What we built'), ('hard_parts', 'The hard parts'), ('milestones', 'Milestones'), ('whats_next', 'What’s next')], max_length=20), blank=True, default=apps.sites.rule_choices.default_story_sections, help_text='Sections that must have the minimum number of words.', size=None)),
                ('story_title_min_characters', models.PositiveSmallIntegerField(default=10)),
                ('story_title_max_characters', models.PositiveSmallIntegerField(default=90, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(200)])),
                ('story_max_links', models.PositiveSmallIntegerField(default=3, help_text='Links in a story, and in one interview answer.')),
                ('profile_required_parts', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('real_name', 'Real name'), ('role', 'Role'), ('bio', 'Bio'), ('photo', 'Photo'), ('links', 'A link')], max_length=20), blank=True, default=apps.sites.rule_choices.default_profile_parts, help_text='Required for stories and free launches.', size=None)),
                ('profile_min_bio_characters', models.PositiveSmallIntegerField(default=80)),
                ('profile_min_photo_pixels', models.PositiveSmallIntegerField(default=256, help_text='Width and height of the cropped photo.', validators=[django.core.validators.MinValueValidator(64), django.core.validators.MaxValueValidator(512)])),
                ('is_moderated', models.BooleanField(default=False, help_text='Review new listings before they can launch.')),
                ('updated_at', models.DateTimeField(auto_now=True, help_text='When a setting was last changed.')),
            ],
            options={
                'ordering': ['key'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('is_default', True)), fields=('is_default',), name='at_most_one_default_site'), models.CheckConstraint(condition=models.Q(('hue__lt', 360)), name='site_hue_is_an_angle'), models.CheckConstraint(condition=models.Q(('vote_new_account_percent__lte', 100)), name='new_account_weighs_at_most_a_whole_vote'), models.CheckConstraint(condition=models.Q(('story_title_min_characters__lte', models.F('story_title_max_characters')), ('story_title_max_characters__range', (1, 200))), name='story_title_can_be_long_enough'), models.CheckConstraint(condition=models.Q(('story_min_sections__lte', 6)), name='story_has_sections_enough'), models.CheckConstraint(condition=models.Q(('profile_min_photo_pixels__range', (64, 512))), name='profile_photo_can_be_large_enough')],
            },
        ),
        migrations.CreateModel(
            name='SitePage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('terms', 'Terms of use'), ('privacy', 'Privacy'), ('imprint', 'Imprint')], max_length=8, verbose_name='page')),
                ('title', models.CharField(max_length=80)),
                ('text', models.TextField(help_text='Markdown: ## for a heading, - for a list item, [text](URL) for a link. Separate paragraphs with a blank line.', max_length=100000)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pages', to='sites.site')),
            ],
            options={
                'ordering': ['site', 'kind'],
                'constraints': [models.UniqueConstraint(fields=('site', 'kind'), name='one_page_per_site_and_kind', violation_error_message='This site already has this page.')],
            },
        ),
        migrations.CreateModel(
            name='SitePageVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('via', models.CharField(choices=[('browser', 'Browser'), ('key', 'Key'), ('assistant', 'Assistant'), ('admin', 'Admin'), ('system', 'System')], max_length=12)),
                ('credential', models.CharField(blank=True, help_text='Name of the API key or of the client.', max_length=255)),
                ('changes', models.JSONField(default=list, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('snapshot', models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('author', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('page', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='sites.sitepage')),
                ('restored_from', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='sites.sitepageversion')),
            ],
            options={
                'verbose_name': 'page version',
                'ordering': ['-id'],
                'abstract': False,
            },
        ),
        migrations.RunPython(create_default_site, migrations.RunPython.noop),
    ]
