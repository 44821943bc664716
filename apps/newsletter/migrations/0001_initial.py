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
                ('sent_through', models.BigIntegerField(default=0, help_text='Subscriptions up to this one have their email in the outbox.')),
                ('sent_at', models.DateTimeField(blank=True, help_text="When the last subscriber's email was put into the outbox.", null=True)),
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
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='newsletter_subscriptions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('site', 'user'), name='one_subscription_per_person_and_site')],
            },
        ),
    ]
