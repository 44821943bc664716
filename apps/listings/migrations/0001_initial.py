import apps.core.states
import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.core.serializers.json
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from apps.listings.services.categories import seed_categories



def create_categories(apps, schema_editor):
    for site in apps.get_model("sites", "Site").objects.all():
        seed_categories(apps.get_model("listings", "Category"), site)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
        ('sites', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Category',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=40)),
                ('name', models.CharField(max_length=40)),
                ('synonyms', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), blank=True, default=list, help_text='Words and phrases that put a draft into this category. End one with ? if it only counts together with others, or with * to match the start of words. Start one with - to exclude it.', size=None)),
                ('position', models.PositiveSmallIntegerField(default=0)),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='categories', to='sites.site')),
            ],
            options={
                'verbose_name_plural': 'categories',
                'ordering': ['position', 'name'],
                'constraints': [models.UniqueConstraint(fields=('site', 'slug'), name='one_category_per_slug')],
            },
        ),
        migrations.CreateModel(
            name='Company',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80)),
                ('website', models.URLField(max_length=300)),
                ('website_key', models.CharField(help_text='The host without www. On shared hosts, also the first part of the path.', max_length=300, unique=True)),
                ('logo_url', models.URLField(blank=True, max_length=500)),
                ('logo_key', models.CharField(blank=True, editable=False, help_text="The `key` of the logo's picture, copied so that lists need no join.", max_length=50)),
                ('founded_year', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('country', models.CharField(blank=True, max_length=2)),
                ('city', models.CharField(blank=True, max_length=80)),
                ('team_size', models.PositiveIntegerField(blank=True, null=True)),
                ('stage', models.CharField(blank=True, max_length=40)),
                ('funding', models.CharField(blank=True, max_length=80)),
                ('legal_name', models.CharField(blank=True, max_length=120)),
                ('contact_email', models.EmailField(blank=True, max_length=254)),
                ('pricing_model', models.CharField(blank=True, choices=[('free', 'Free'), ('freemium', 'Freemium'), ('paid', 'Paid'), ('open_source', 'Open source')], max_length=12)),
                ('price_from_cents', models.BigIntegerField(blank=True, help_text='In hundredths of its currency.', null=True)),
                ('price_currency', models.CharField(choices=[('AED', 'UAE dirham'), ('ARS', 'Argentine peso'), ('AUD', 'Australian dollar'), ('BRL', 'Brazilian real'), ('CAD', 'Canadian dollar'), ('CHF', 'Swiss franc'), ('CLP', 'Chilean peso'), ('CNY', 'Chinese yuan'), ('COP', 'Colombian peso'), ('CZK', 'Czech koruna'), ('DKK', 'Danish krone'), ('EGP', 'Egyptian pound'), ('EUR', 'Euro'), ('GBP', 'British pound'), ('HKD', 'Hong Kong dollar'), ('HUF', 'Hungarian forint'), ('IDR', 'Indonesian rupiah'), ('ILS', 'Israeli shekel'), ('INR', 'Indian rupee'), ('JOD', 'Jordanian dinar'), ('JPY', 'Japanese yen'), ('KRW', 'South Korean won'), ('MXN', 'Mexican peso'), ('NOK', 'Norwegian krone'), ('NZD', 'New Zealand dollar'), ('PLN', 'Polish złoty'), ('RON', 'Romanian leu'), ('RUB', 'Russian ruble'), ('SAR', 'Saudi riyal'), ('SEK', 'Swedish krona'), ('SGD', 'Singapore dollar'), ('THB', 'Thai baht'), ('TRY', 'Turkish lira'), ('TWD', 'New Taiwan dollar'), ('UAH', 'Ukrainian hryvnia'), ('USD', 'US dollar'), ('UYU', 'Uruguayan peso'), ('VND', 'Vietnamese đồng'), ('ZAR', 'South African rand')], default='USD', max_length=3)),
                ('price_period', models.CharField(blank=True, choices=[('day', 'Day'), ('week', 'Week'), ('month', 'Month'), ('year', 'Year'), ('once', 'Once')], max_length=5)),
                ('platforms', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), blank=True, default=list, size=None)),
                ('tech_stack', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), blank=True, default=list, size=None)),
                ('audience', models.CharField(blank=True, max_length=160)),
                ('screenshots', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=500), blank=True, default=list, size=None)),
                ('video_url', models.URLField(blank=True, max_length=500)),
                ('docs_url', models.URLField(blank=True, max_length=500)),
                ('openapi_url', models.URLField(blank=True, max_length=500)),
                ('mcp_url', models.URLField(blank=True, max_length=500)),
                ('llms_url', models.URLField(blank=True, max_length=500)),
                ('socials', models.JSONField(blank=True, default=dict, help_text='URL by platform.')),
                ('verified_at', models.DateTimeField(blank=True, help_text='When the current owner last verified the website.', null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('merged_into', models.ForeignKey(blank=True, editable=False, help_text='The company this one was merged into.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='merged', to='listings.company')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='companies', to=settings.AUTH_USER_MODEL)),
                ('same_website_as', models.ForeignKey(blank=True, editable=False, help_text='An older company with the same website. Merge the two.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='twins', to='listings.company')),
            ],
            options={
                'verbose_name_plural': 'companies',
                'indexes': [django.contrib.postgres.indexes.GinIndex(django.contrib.postgres.indexes.OpClass(django.db.models.functions.text.Upper('name'), name='gin_trgm_ops'), name='company_name_trigrams'), models.Index(fields=['-updated_at'], name='company_changes')],
                'constraints': [models.CheckConstraint(condition=models.Q(('price_from_cents__isnull', True), ('price_from_cents__gte', 0), _connector='OR'), name='company_price_is_not_negative'), models.CheckConstraint(condition=models.Q(('merged_into__isnull', True), models.Q(('merged_into', models.F('id')), _negated=True), _connector='OR'), name='company_is_not_merged_into_itself')],
            },
        ),
        migrations.CreateModel(
            name='Claim',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('website', models.URLField(help_text='The claimed website, which must have the proof.', max_length=300)),
                ('token', models.CharField(help_text='The token that proves the claim.', max_length=64, unique=True)),
                ('status', models.CharField(choices=[('open', 'Open'), ('proven', 'Proven'), ('refused', 'Refused'), ('expired', 'Expired')], default='open', max_length=8)),
                ('method', models.CharField(blank=True, choices=[('dns', 'DNS TXT record'), ('meta', 'meta tag'), ('file', 'file')], help_text='Where the token was found.', max_length=4)),
                ('result', models.CharField(blank=True, help_text='Result of the last check.', max_length=300)),
                ('checked_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('claimant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='claims', to=settings.AUTH_USER_MODEL)),
                ('previous_owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('site', models.ForeignKey(help_text='The site where the claim was made.', on_delete=django.db.models.deletion.CASCADE, related_name='+', to='sites.site')),
                ('company', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='claims', to='listings.company')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('status', 'open')), fields=['created_at'], name='claims_open')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('status', 'open')), fields=('company', 'claimant'), name='one_open_claim_per_account_and_company'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('status', 'open')), models.Q(models.Q(('status', 'open'), _negated=True), ('ended_at__isnull', False)), _connector='OR'), name='claim_is_open_or_ended'), models.CheckConstraint(condition=models.Q(models.Q(('method__gt', ''), ('status', 'proven')), models.Q(models.Q(('status', 'proven'), _negated=True), ('method', '')), _connector='OR'), name='proven_claim_says_how')],
            },
            bases=(apps.core.states.HasStates, models.Model),
        ),
        migrations.CreateModel(
            name='Listing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=90)),
                ('status', models.CharField(choices=[('draft', 'Draft'), ('in_review', 'In review'), ('rejected', 'Rejected'), ('awaiting_badge', 'Awaiting badge'), ('scheduled', 'Scheduled'), ('live', 'Live'), ('archived', 'Archived'), ('suspended', 'Suspended')], default='draft', max_length=16)),
                ('plan', models.CharField(choices=[('none', 'None'), ('free', 'Free'), ('paid', 'Paid')], default='none', max_length=8)),
                ('launch_week', models.CharField(blank=True, help_text='ISO week such as 2026-W46.', max_length=8)),
                ('unlocked_sections', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), blank=True, default=list, size=None)),
                ('headline', models.CharField(blank=True, max_length=80)),
                ('summary', models.TextField(blank=True, max_length=600)),
                ('description', models.TextField(blank=True, max_length=6000)),
                ('tags', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=30), blank=True, default=list, size=None)),
                ('alternatives', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=80), blank=True, default=list, size=None)),
                ('faqs', models.JSONField(blank=True, default=list)),
                ('seo_title', models.CharField(blank=True, max_length=60)),
                ('seo_description', models.CharField(blank=True, max_length=160)),
                ('seo_keywords', models.CharField(blank=True, max_length=200)),
                ('status_reason', models.CharField(blank=True, help_text='Why a site admin suspended or rejected the listing. Shown to its owner.', max_length=300)),
                ('suspended_from', models.CharField(blank=True, choices=[('draft', 'Draft'), ('in_review', 'In review'), ('rejected', 'Rejected'), ('awaiting_badge', 'Awaiting badge'), ('scheduled', 'Scheduled'), ('live', 'Live'), ('archived', 'Archived'), ('suspended', 'Suspended')], editable=False, help_text='The status to restore when the suspension ends.', max_length=16)),
                ('votes', models.PositiveIntegerField(default=0, help_text='Number of votes in its launch week.')),
                ('comment_count', models.PositiveIntegerField(default=0, editable=False, help_text='Number of posted comments, changed in their transactions.')),
                ('badge_state', models.CharField(choices=[('unchecked', 'Unchecked'), ('found', 'Found'), ('absent', 'Absent'), ('unknown', 'Unknown')], default='unchecked', max_length=10)),
                ('badge_seen_at', models.DateTimeField(blank=True, help_text='When the badge was last found.', null=True)),
                ('badge_checked_at', models.DateTimeField(blank=True, null=True)),
                ('badge_result', models.CharField(blank=True, help_text='Result of the last badge check.', max_length=200)),
                ('badge_evidence', models.JSONField(blank=True, default=dict, help_text='Page, status, link and time of the last completed check.')),
                ('badge_failed_checks', models.PositiveSmallIntegerField(default=0, help_text='Failed badge checks in a row.')),
                ('badge_missing_since', models.DateTimeField(blank=True, help_text='When the first of them failed.', null=True)),
                ('badge_check_at', models.DateTimeField(blank=True, help_text='When the next check is due.', null=True)),
                ('badge_check_requested_at', models.DateTimeField(blank=True, editable=False, help_text='When a check was requested. Empty once it is done.', null=True)),
                ('submitted_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('launched_at', models.DateTimeField(blank=True, null=True)),
                ('upgraded_at', models.DateTimeField(blank=True, help_text='When it moved from the free to the paid plan after its launch.', null=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('search_vector', django.contrib.postgres.search.SearchVectorField(editable=False, null=True)),
                ('indexed_texts', models.BigIntegerField(editable=False, help_text='Hash of the indexed texts and the version of the word splitter.', null=True)),
                ('categories', models.ManyToManyField(blank=True, related_name='listings', to='listings.category')),
                ('company', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='listings', to='listings.company')),
                ('merged_into', models.ForeignKey(blank=True, editable=False, help_text='The listing this one redirects to since their companies were merged.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='merged', to='listings.listing')),
                ('site', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='listings', to='sites.site')),
            ],
            options={
                'indexes': [django.contrib.postgres.indexes.GinIndex(fields=['search_vector'], name='listing_search'), models.Index(fields=['site', 'status', 'launch_week', '-votes'], name='listing_board'), models.Index(fields=['site', 'status', '-votes', 'id'], name='listing_votes'), models.Index(fields=['site', 'status', '-launched_at', '-id'], name='listing_newest'), models.Index(fields=['site', 'status', 'id'], name='listing_sitemap'), models.Index(fields=['site', 'launch_week'], include=('status', 'plan', 'upgraded_at'), name='listing_calendar'), models.Index(condition=models.Q(('launched_at__isnull', False)), fields=['site', '-updated_at'], name='listing_changes'), models.Index(condition=models.Q(('status__in', ['awaiting_badge', 'scheduled'])), fields=['badge_check_at'], name='badges_to_check')],
                'constraints': [models.UniqueConstraint(fields=('company', 'site'), name='one_listing_per_company_and_site'), models.UniqueConstraint(fields=('site', 'slug'), name='one_listing_per_slug'), models.CheckConstraint(condition=models.Q(models.Q(('status__in', ['scheduled', 'live']), _negated=True), models.Q(('launch_week', ''), _negated=True), _connector='OR'), name='launched_listing_has_a_week'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'live'), _negated=True), ('launched_at__isnull', False), _connector='OR'), name='live_listing_has_launched'), models.CheckConstraint(condition=models.Q(('launch_week', ''), ('launch_week__regex', '^\\d{4}-W\\d{2}$'), _connector='OR'), name='launch_week_is_an_iso_week'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'suspended'), ('suspended_from__in', ['scheduled', 'live', 'archived'])), models.Q(models.Q(('status', 'suspended'), _negated=True), ('suspended_from', '')), _connector='OR'), name='suspended_listing_knows_where_from'), models.CheckConstraint(condition=models.Q(('upgraded_at__isnull', True), models.Q(('launched_at__isnull', False), ('plan', 'paid')), _connector='OR'), name='upgraded_listing_is_paid_and_launched'), models.CheckConstraint(condition=models.Q(('badge_missing_since__isnull', True), ('badge_failed_checks__gte', 1), _connector='OR'), name='missing_badge_was_looked_for'), models.CheckConstraint(condition=models.Q(('merged_into__isnull', True), models.Q(('merged_into', models.F('id')), _negated=True), _connector='OR'), name='listing_is_not_merged_into_itself')],
            },
            bases=(apps.core.states.HasStates, models.Model),
        ),
        migrations.CreateModel(
            name='Follow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='follows', to=settings.AUTH_USER_MODEL)),
                ('founder', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='follows', to='accounts.founderprofile')),
                ('listing', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='follows', to='listings.listing')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('listing', 'user'), name='one_follow_per_person_and_listing'), models.UniqueConstraint(fields=('founder', 'user'), name='one_follow_per_person_and_founder'), models.CheckConstraint(condition=models.Q(models.Q(('founder__isnull', True), ('listing__isnull', False)), models.Q(('founder__isnull', False), ('listing__isnull', True)), _connector='OR'), name='follow_is_of_a_listing_or_a_founder')],
            },
        ),
        migrations.CreateModel(
            name='ListingEvidence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('website_key', models.CharField(help_text='The key of the website that was read.', max_length=300)),
                ('facts', models.JSONField(blank=True, default=list)),
                ('listing', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='evidence', to='listings.listing')),
            ],
            options={
                'verbose_name_plural': 'listing evidence',
                'constraints': [models.CheckConstraint(condition=models.Q(('website_key', ''), _negated=True), name='evidence_has_its_website')],
            },
        ),
        migrations.CreateModel(
            name='ListingVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('via', models.CharField(choices=[('browser', 'Browser'), ('key', 'Key'), ('assistant', 'Assistant'), ('admin', 'Admin'), ('system', 'System')], max_length=12)),
                ('credential', models.CharField(blank=True, help_text='Name of the API key or of the client.', max_length=255)),
                ('changes', models.JSONField(default=list, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('snapshot', models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('edit_id', models.UUIDField(db_index=True)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ('author', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('company', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='listings.company')),
                ('listing', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='listings.listing')),
                ('restored_from', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='listings.listingversion')),
            ],
            options={
                'ordering': ['-id'],
                'abstract': False,
                'indexes': [models.Index(fields=['company', '-id'], name='versions_of_company'), models.Index(fields=['listing', '-id'], name='versions_of_listing')],
            },
        ),
        migrations.CreateModel(
            name='Milestone',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('date', models.DateField()),
                ('title', models.CharField(max_length=120)),
                ('description', models.TextField(blank=True, max_length=1000)),
                ('url', models.URLField(blank=True, max_length=500, verbose_name='URL')),
                ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='milestones', to='listings.listing')),
            ],
            options={
                'ordering': ['-date', '-id'],
            },
        ),
        migrations.CreateModel(
            name='SearchWord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('word', models.TextField()),
                ('deletions', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), help_text='The word itself, and the word without each one of its letters.', size=None)),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='sites.site')),
            ],
            options={
                'indexes': [django.contrib.postgres.indexes.GinIndex(fields=['deletions'], name='search_word_deletions'), django.contrib.postgres.indexes.GinIndex(django.contrib.postgres.indexes.OpClass('word', name='gin_trgm_ops'), name='search_word_trigrams')],
                'constraints': [models.UniqueConstraint(fields=('site', 'word'), name='one_search_word_per_site')],
            },
        ),
        migrations.CreateModel(
            name='Update',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(max_length=120)),
                ('body', models.TextField(max_length=4000)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ('notified_through', models.BigIntegerField(default=0, editable=False, help_text='The last follower whose email is in the outbox.')),
                ('notified_at', models.DateTimeField(blank=True, editable=False, help_text="When all followers' emails were in the outbox.", null=True)),
                ('deleted_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='updates', to='listings.listing')),
            ],
            options={
                'ordering': ['-created_at', '-id'],
                'indexes': [models.Index(condition=models.Q(('notified_at__isnull', True)), fields=['id'], name='updates_to_notify')],
            },
        ),
        migrations.CreateModel(
            name='CompanyPicture',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('field', models.CharField(choices=[('logo_url', 'Logo'), ('screenshots', 'Screenshots')], max_length=12)),
                ('url', models.CharField(max_length=500)),
                ('key', models.CharField(blank=True, help_text='Folder with the files in the storage.', max_length=50)),
                ('width', models.PositiveSmallIntegerField(default=0, help_text='Width of the largest file in pixels.')),
                ('height', models.PositiveSmallIntegerField(default=0)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('problem', models.CharField(blank=True, help_text="Why the picture can't be shown yet.", max_length=200)),
                ('alt', models.CharField(blank=True, help_text="Description for people who can't see the picture.", max_length=160)),
                ('is_upload', models.BooleanField(default=False)),
                ('is_listed', models.BooleanField(default=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0, editable=False)),
                ('download_at', models.DateTimeField(blank=True, editable=False, help_text='When to download it.', null=True)),
                ('company', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='pictures', to='listings.company')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('download_at__isnull', False)), fields=['download_at'], name='pictures_to_download')],
                'constraints': [models.UniqueConstraint(fields=('company', 'field', 'url'), name='one_picture_per_url'), models.CheckConstraint(condition=models.Q(('download_at__isnull', True), ('key', ''), _connector='OR'), name='only_pending_pictures_are_downloaded')],
            },
        ),
        # With the usual number of words in its statistics the planner takes most words for rare ones, or rare for
        # common, and walks all listings by votes.
        migrations.RunSQL(
            "ALTER TABLE listings_listing ALTER COLUMN search_vector SET STATISTICS 300",
            "ALTER TABLE listings_listing ALTER COLUMN search_vector SET STATISTICS -1",
        ),
        migrations.RunPython(create_categories, migrations.RunPython.noop),
    ]
