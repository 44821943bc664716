import apps.core.states
import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.core.serializers.json
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('listings', '0003_review_counts'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Review',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('removed_reason', models.CharField(blank=True, help_text='Why a moderator removed it. Emailed to its author.', max_length=300)),
                ('hosts', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=253), blank=True, default=list, editable=False, size=None)),
                ('fingerprint', models.CharField(blank=True, editable=False, max_length=64)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('edited_at', models.DateTimeField(blank=True, null=True)),
                ('rating', models.PositiveSmallIntegerField(help_text='1 to 5 stars. Empty once deleted.', null=True)),
                ('text', models.TextField(blank=True, max_length=4000)),
                ('status', models.CharField(choices=[('in_review', 'In review'), ('posted', 'Posted'), ('removed', 'Removed'), ('deleted', 'Deleted')], default='in_review', max_length=10)),
                ('review_reason', models.CharField(blank=True, choices=[('first', 'First review of the account'), ('links', 'Links to a website that many reviews link to'), ('copies', 'Same text as other reviews'), ('crowd', 'One of many reviews by new accounts'), ('removed', 'A review of the account was removed'), ('blocked', 'Matches the block list')], max_length=10)),
                ('is_verified', models.BooleanField(default=False)),
                ('proof', models.CharField(blank=True, choices=[('link', 'Link or code of the owner'), ('domain', 'Email domain of a customer')], max_length=10)),
                ('answer', models.TextField(blank=True, help_text="Of the listing's owner.", max_length=2000)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('answer_edited_at', models.DateTimeField(blank=True, null=True)),
                ('author', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='reviews', to=settings.AUTH_USER_MODEL)),
                ('listing', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='reviews', to='listings.listing')),
            ],
            options={
                'ordering': ['-id'],
            },
            bases=(apps.core.states.HasStates, models.Model),
        ),
        migrations.CreateModel(
            name='ReviewLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(editable=False, max_length=10, unique=True)),
                ('label', models.CharField(blank=True, help_text="The owner's own note.", max_length=60)),
                ('max_uses', models.PositiveIntegerField(blank=True, null=True)),
                ('uses', models.PositiveIntegerField(default=0)),
                ('network', models.CharField(blank=True, editable=False, help_text="Keyed digest of the owner's network. Reviews from the same one stay unverified.", max_length=32)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='review_links', to='listings.listing')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.AddField(
            model_name='review',
            name='link',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='reviews.reviewlink'),
        ),
        migrations.CreateModel(
            name='ReviewVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('via', models.CharField(choices=[('browser', 'Browser'), ('key', 'Key'), ('assistant', 'Assistant'), ('admin', 'Admin'), ('system', 'System')], max_length=12)),
                ('credential', models.CharField(blank=True, help_text='Name of the API key or of the client.', max_length=255)),
                ('changes', models.JSONField(default=list, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('snapshot', models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('author', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('restored_from', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='reviews.reviewversion')),
                ('review', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='reviews.review')),
            ],
            options={
                'ordering': ['-id'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='CustomerDomain',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('domain', models.CharField(max_length=253)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='customer_domains', to='listings.listing')),
            ],
            options={
                'ordering': ['domain'],
                'constraints': [models.UniqueConstraint(fields=('listing', 'domain'), name='one_customer_domain_per_listing')],
            },
        ),
        migrations.AddConstraint(
            model_name='reviewlink',
            constraint=models.CheckConstraint(condition=models.Q(('max_uses__isnull', True), ('uses__lte', models.F('max_uses')), _connector='OR'), name='review_link_is_not_overused'),
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(fields=['listing', '-is_verified', '-id'], name='reviews_of_listing'),
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(fields=['author', '-id'], name='reviews_of_author'),
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(fields=['fingerprint', 'created_at'], name='reviews_by_text'),
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(condition=models.Q(('status', 'in_review')), fields=['id'], name='reviews_waiting'),
        ),
        migrations.AddIndex(
            model_name='review',
            index=django.contrib.postgres.indexes.GinIndex(fields=['hosts'], name='reviews_by_link'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.UniqueConstraint(condition=models.Q(('status', 'deleted'), _negated=True), fields=('listing', 'author'), name='one_review_per_person_and_listing'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('answer', ''), ('rating__isnull', True), ('status', 'deleted'), ('text', '')), models.Q(models.Q(('status', 'deleted'), _negated=True), ('rating__gte', 1), ('rating__lte', 5)), _connector='OR'), name='review_has_1_to_5_stars'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('is_verified', True), models.Q(('proof', ''), _negated=True)), models.Q(('is_verified', False), ('proof', '')), _connector='OR'), name='verified_review_has_a_proof'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('status', 'removed'), models.Q(('removed_reason', ''), _negated=True)), models.Q(models.Q(('status', 'removed'), _negated=True), ('removed_reason', '')), _connector='OR'), name='review_is_removed_for_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('answer', ''), ('answered_at__isnull', True)), models.Q(models.Q(('answer', ''), _negated=True), ('answered_at__isnull', False)), _connector='OR'), name='answer_of_review_has_a_time'),
        ),
    ]
