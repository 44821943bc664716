import django.core.serializers.json
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from apps.stories.services.first_questions import seed_questions



def create_questions(apps, schema_editor):
    for site in apps.get_model("sites", "Site").objects.all():
        seed_questions(apps.get_model("stories", "InterviewQuestion"), site)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('listings', '0001_initial'),
        ('sites', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='FounderStory',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(blank=True, max_length=200)),
                ('sections', models.JSONField(blank=True, default=dict, help_text='Text by section name, without empty sections.')),
                ('publish_when_ready', models.BooleanField(default=True, help_text='Publish automatically once it meets the rules.')),
                ('published_at', models.DateTimeField(blank=True, null=True)),
                ('first_published_at', models.DateTimeField(blank=True, editable=False, help_text='Date of first publication, which a republished story keeps.', null=True)),
                ('published_rules', models.JSONField(blank=True, default=dict, editable=False)),
                ('taken_down_at', models.DateTimeField(blank=True, help_text='When a site admin took the story down.', null=True)),
                ('taken_down_reason', models.CharField(blank=True, help_text='Reason, shown to the owner.', max_length=300)),
                ('rules_applied_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, help_text='When the rules were last checked.')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('updated_at', models.DateTimeField(default=django.utils.timezone.now, help_text='When the text last changed.')),
                ('author', models.ForeignKey(help_text='Who wrote it. Hidden while somebody else owns the listing.', on_delete=django.db.models.deletion.CASCADE, related_name='founder_stories', to=settings.AUTH_USER_MODEL)),
                ('listing', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='founder_story', to='listings.listing')),
            ],
            options={
                'verbose_name_plural': 'founder stories',
                'indexes': [models.Index(condition=models.Q(('publish_when_ready', True), ('published_at__isnull', True), ('taken_down_at__isnull', True)), fields=['rules_applied_at'], name='stories_pending'), models.Index(condition=models.Q(('published_at__isnull', False)), fields=['-published_at', '-id'], name='stories_newest'), models.Index(condition=models.Q(('published_at__isnull', False)), fields=['-updated_at'], name='story_changes')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('taken_down_at__isnull', True), ('taken_down_reason', '')), models.Q(('published_at__isnull', True), ('taken_down_at__isnull', False), models.Q(('taken_down_reason', ''), _negated=True)), _connector='OR'), name='story_is_taken_down_for_a_reason')],
            },
        ),
        migrations.CreateModel(
            name='InterviewQuestion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=200)),
                ('position', models.PositiveSmallIntegerField(default=0)),
                ('is_active', models.BooleanField(default=True, help_text='Clear to stop asking this question. Its answers are kept but hidden.')),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='interview_questions', to='sites.site')),
            ],
            options={
                'ordering': ['position', 'id'],
            },
        ),
        migrations.CreateModel(
            name='InterviewAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField(max_length=4000)),
                ('answered_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('updated_at', models.DateTimeField(default=django.utils.timezone.now, help_text='When the text last changed.')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='interview_answers', to=settings.AUTH_USER_MODEL)),
                ('question', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='stories.interviewquestion')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('question', 'user'), name='one_answer_per_question_and_account'), models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='interview_answer_has_words')],
            },
        ),
        migrations.CreateModel(
            name='InterviewVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('via', models.CharField(choices=[('browser', 'Browser'), ('key', 'Key'), ('assistant', 'Assistant'), ('admin', 'Admin'), ('system', 'System')], max_length=12)),
                ('credential', models.CharField(blank=True, help_text='Name of the API key or of the client.', max_length=255)),
                ('changes', models.JSONField(default=list, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('snapshot', models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('author', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('restored_from', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='stories.interviewversion')),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='sites.site')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='interview_versions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['user', 'site', '-id'], name='versions_of_interview')],
            },
        ),
        migrations.CreateModel(
            name='StoryVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('action', models.CharField(choices=[('saved', 'Saved as a draft'), ('published', 'Published'), ('edited', 'Edited while published'), ('returned', 'Back to draft because it no longer meets the rules'), ('unpublished', 'Unpublished by its owner'), ('taken_down', 'Taken down by a site admin'), ('released', 'Restored by a site admin')], max_length=12)),
                ('reason', models.CharField(blank=True, max_length=300)),
                ('via', models.CharField(choices=[('browser', 'Browser'), ('key', 'Key'), ('assistant', 'Assistant'), ('admin', 'Admin'), ('system', 'System')], max_length=12)),
                ('credential', models.CharField(blank=True, help_text='Name of the API key or of the client.', max_length=255)),
                ('changes', models.JSONField(default=list, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('snapshot', models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('author', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('restored_from', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='stories.storyversion')),
                ('story', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='stories.founderstory')),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['story', '-id'], name='versions_of_story')],
            },
        ),
        migrations.CreateModel(
            name='UnsavedText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='title, a section, or the id of a question.', max_length=20)),
                ('text', models.TextField(blank=True)),
                ('base', models.CharField(max_length=64)),
                ('updated_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('listing', models.ForeignKey(blank=True, help_text='Set for a story.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='listings.listing')),
                ('site', models.ForeignKey(blank=True, help_text='Set for an interview.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='sites.site')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('listing__isnull', False), ('site__isnull', True)), models.Q(('listing__isnull', True), ('site__isnull', False)), _connector='OR'), name='unsaved_text_is_of_a_story_or_an_interview'), models.UniqueConstraint(condition=models.Q(('listing__isnull', False)), fields=('user', 'listing', 'name'), name='one_unsaved_text_per_story_field'), models.UniqueConstraint(condition=models.Q(('site__isnull', False)), fields=('user', 'site', 'name'), name='one_unsaved_text_per_interview_answer')],
            },
        ),
        migrations.RunPython(create_questions, migrations.RunPython.noop),
    ]
