import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models



# Entries of a ledger can be added, never changed or deleted.
KEEP_LEDGERS = """
CREATE FUNCTION launches_refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'entries of a vote ledger are never changed or deleted' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER ledger_entries_stay BEFORE UPDATE OR DELETE ON launches_ledgerentry
    FOR EACH ROW EXECUTE FUNCTION launches_refuse_ledger_change();
"""
RELEASE_LEDGERS = """
DROP TRIGGER ledger_entries_stay ON launches_ledgerentry;
DROP FUNCTION launches_refuse_ledger_change();
"""

# Leaderboards read standings alone. A close locks the listings first, so this waits for nobody but a close.
FOLLOW_LISTINGS = """
CREATE FUNCTION launches_follow_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE launches_standing SET left_at = CASE WHEN NEW.status = 'live' THEN NULL ELSE NEW.updated_at END
    WHERE listing_id = NEW.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER standings_follow_listings AFTER UPDATE OF status ON listings_listing
    FOR EACH ROW WHEN ((OLD.status = 'live') <> (NEW.status = 'live')) EXECUTE FUNCTION launches_follow_listing();
"""
LEAVE_LISTINGS = """
DROP TRIGGER standings_follow_listings ON listings_listing;
DROP FUNCTION launches_follow_listing();
"""


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('listings', '0001_initial'),
        ('sites', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='VoteLedger',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('iso_week', models.CharField(max_length=8)),
                ('salt', models.CharField(blank=True, help_text='Hides who voted. Deleted when the week closes.', max_length=64)),
                ('head', models.CharField(blank=True, help_text='Hash of the last entry.', max_length=64)),
                ('length', models.PositiveIntegerField(default=0, help_text='Number of entries.')),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('launches', models.PositiveIntegerField(default=0, help_text='Number of listings ranked at the close.')),
                ('votes', models.PositiveIntegerField(default=0, help_text='Number of votes for them.')),
                ('launches_by_category', models.JSONField(blank=True, default=dict, help_text='Number of ranked listings by category slug.')),
                ('vote_counts', models.JSONField(blank=True, default=dict, help_text='Votes by class, and how many shared, were reviewed or were dismissed.')),
                ('decisions', models.JSONField(blank=True, default=list, help_text='How votes under review were decided, and why.')),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='vote_ledgers', to='sites.site')),
            ],
            options={
                'ordering': ['-iso_week', 'site'],
                'constraints': [models.UniqueConstraint(fields=('site', 'iso_week'), name='one_ledger_per_week'), models.CheckConstraint(condition=models.Q(('iso_week__regex', '^\\d{4}-W\\d{2}$')), name='ledger_has_its_week'), models.CheckConstraint(condition=models.Q(('closed_at__isnull', True), ('salt', ''), _connector='OR'), name='closed_ledger_has_no_salt')],
            },
        ),
        migrations.CreateModel(
            name='VoteGroup',
            fields=[
                ('name', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('members', models.PositiveIntegerField()),
                ('ledger', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='groups', to='launches.voteledger')),
            ],
        ),
        migrations.CreateModel(
            name='LedgerEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text='Starts at 1, without gaps.')),
                ('kind', models.CharField(choices=[('open', 'Open'), ('launch', 'Launch'), ('cast', 'Cast'), ('withdraw', 'Withdraw'), ('decide', 'Decide'), ('leave', 'Leave'), ('close', 'Close')], max_length=8)),
                ('body', models.JSONField()),
                ('hash', models.CharField(help_text='SHA-256 of the previous hash and this body.', max_length=64)),
                ('ledger', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='launches.voteledger')),
            ],
            options={
                'verbose_name_plural': 'ledger entries',
                'ordering': ['ledger', 'number'],
                'constraints': [models.UniqueConstraint(fields=('ledger', 'number'), name='one_entry_per_number')],
            },
        ),
        migrations.CreateModel(
            name='LaunchWeek',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('iso_week', models.CharField(help_text='ISO week such as 2026-W46.', max_length=8)),
                ('free_places', models.PositiveSmallIntegerField(verbose_name='free spots')),
                ('paid_places', models.PositiveSmallIntegerField(verbose_name='paid spots')),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='launch_weeks', to='sites.site')),
            ],
            options={
                'ordering': ['site', 'iso_week'],
                'constraints': [models.UniqueConstraint(fields=('site', 'iso_week'), name='one_launch_week_per_site'), models.CheckConstraint(condition=models.Q(('iso_week__regex', '^\\d{4}-W\\d{2}$')), name='launch_week_has_its_year')],
            },
        ),
        migrations.CreateModel(
            name='SpotReservation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('product', models.CharField(help_text='Product the spot is for, such as launch or billboard.', max_length=20)),
                ('week', models.CharField(help_text='ISO week such as 2026-W46.', max_length=8)),
                ('categories', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), blank=True, default=list, size=None)),
                ('holder', models.CharField(help_text='What holds the spot, such as an order line.', max_length=40)),
                ('expires_at', models.DateTimeField(blank=True, help_text='When the reservation ends. Empty once paid.', null=True)),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='spot_reservations', to='sites.site')),
            ],
            options={
                'indexes': [models.Index(fields=['site', 'product', 'week'], name='reserved_spots')],
                'constraints': [models.UniqueConstraint(fields=('holder', 'week'), name='one_reservation_per_holder_and_week'), models.CheckConstraint(condition=models.Q(('week__regex', '^\\d{4}-W\\d{2}$')), name='reserved_week_has_its_year')],
            },
        ),
        migrations.CreateModel(
            name='Standing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('iso_week', models.CharField(max_length=8)),
                ('votes', models.PositiveIntegerField(default=0, help_text='Number of people who voted.')),
                ('points', models.PositiveIntegerField(default=0, help_text="Sum of the votes' weights. It decides the rank.")),
                ('held', models.PositiveIntegerField(default=0, help_text="Votes under review, whose weight isn't in the sum yet.")),
                ('launched_at', models.DateTimeField(help_text='If points are equal, the earlier launch ranks higher.')),
                ('rank', models.PositiveIntegerField(blank=True, null=True)),
                ('categories', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), blank=True, default=list, size=None)),
                ('is_final', models.BooleanField(default=False)),
                ('left_at', models.DateTimeField(blank=True, editable=False, help_text='When the listing left the site. Empty while it is live.', null=True)),
                ('listing', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='standing', to='listings.listing')),
                ('site', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='standings', to='sites.site')),
            ],
            options={
                'indexes': [models.Index(fields=['site', 'iso_week', '-points', 'launched_at', 'listing'], include=('rank', 'is_final', 'left_at'), name='standings_of_week'), models.Index(fields=['site', '-points', 'launched_at', 'listing'], include=('rank', 'is_final', 'left_at'), name='standings_of_all_time'), models.Index(condition=models.Q(('left_at__isnull', False), ('rank__isnull', False)), fields=['site', 'iso_week'], include=('votes', 'categories', 'left_at'), name='standings_that_left'), models.Index(condition=models.Q(('rank', 1)), fields=['site', 'iso_week'], name='winners_of_weeks'), django.contrib.postgres.indexes.GinIndex(condition=models.Q(('rank__isnull', False)), fields=['categories'], name='standings_by_category')],
                'constraints': [models.CheckConstraint(condition=models.Q(('iso_week__regex', '^\\d{4}-W\\d{2}$')), name='standing_has_its_week'), models.CheckConstraint(condition=models.Q(('rank__isnull', True), ('is_final', True), _connector='OR'), name='ranks_are_given_at_the_close'), models.UniqueConstraint(condition=models.Q(('rank__isnull', False)), fields=('site', 'iso_week', 'rank'), name='one_listing_per_rank')],
            },
        ),
        migrations.CreateModel(
            name='LaunchReminder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('email', models.EmailField(blank=True, help_text='In lower case. Empty for accounts, which use their own email address.', max_length=254)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='launch_reminders', to='listings.listing')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='launch_reminders', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('listing', 'user'), name='one_reminder_per_person_and_listing'), models.UniqueConstraint(condition=models.Q(('email', ''), _negated=True), fields=('listing', 'email'), name='one_reminder_per_email_and_listing'), models.CheckConstraint(condition=models.Q(('user__isnull', True), ('email', ''), _connector='XOR'), name='reminder_of_account_or_email')],
            },
        ),
        migrations.CreateModel(
            name='Vote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('trust', models.CharField(choices=[('owner', 'Owner'), ('disposable', 'Disposable'), ('new', 'New'), ('verified', 'Verified'), ('settled', 'Settled'), ('contributor', 'Contributor')], default='settled', max_length=12)),
                ('state', models.CharField(choices=[('counted', 'Counted'), ('held', 'Held'), ('dismissed', 'Dismissed')], default='counted', max_length=9)),
                ('groups', models.JSONField(blank=True, default=dict, help_text='Names of the groups where the vote has a place, by kind. Empty once closed.')),
                ('points', models.PositiveSmallIntegerField(default=100, help_text='Weight of the vote. A whole vote is 100.')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('listing', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='cast_votes', to='listings.listing')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['listing', 'created_at'], name='votes_over_time'), models.Index(condition=models.Q(('state', 'held')), fields=['listing'], name='votes_under_review')],
                'constraints': [models.UniqueConstraint(fields=('listing', 'user'), name='one_vote_per_person_and_listing'), models.CheckConstraint(condition=models.Q(('points__lte', 100)), name='no_vote_weighs_more_than_one')],
            },
        ),
        migrations.RunSQL(KEEP_LEDGERS, RELEASE_LEDGERS),
        migrations.RunSQL(FOLLOW_LISTINGS, LEAVE_LISTINGS),
    ]
