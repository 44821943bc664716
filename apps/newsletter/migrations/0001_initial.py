import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('sites', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='NewsletterIssue',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('week', models.CharField(help_text='ISO week such as 2026-W46.', max_length=8)),
                ('sent_through', models.BigIntegerField(default=0, help_text='The last subscription whose email is in the outbox.')),
                ('sent_at', models.DateTimeField(blank=True, help_text="When all subscribers' emails were in the outbox.", null=True)),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='newsletter_issues', to='sites.site')),
            ],
            options={
                'ordering': ['site', '-week'],
                'indexes': [models.Index(condition=models.Q(('sent_at__isnull', True)), fields=['id'], name='newsletters_to_send')],
                'constraints': [models.UniqueConstraint(fields=('site', 'week'), name='one_newsletter_per_week'), models.CheckConstraint(condition=models.Q(('week__regex', '^\\d{4}-W\\d{2}$')), name='newsletter_has_its_week')],
            },
        ),
        migrations.CreateModel(
            name='NewsletterSubscription',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='newsletter_subscriptions', to='sites.site')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='newsletter_subscriptions', to=settings.AUTH_USER_MODEL)),
                ('email', models.EmailField(blank=True, help_text='In lower case. Empty for accounts, which use their own email address.', max_length=254)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('site', 'user'), name='one_subscription_per_person_and_site'), models.UniqueConstraint(condition=models.Q(('email', ''), _negated=True), fields=('site', 'email'), name='one_subscription_per_email_and_site'), models.CheckConstraint(condition=models.Q(('user__isnull', True), ('email', ''), _connector='XOR'), name='subscription_of_account_or_email')],
            },
        ),
    ]
