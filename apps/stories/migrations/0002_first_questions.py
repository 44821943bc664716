from django.db import migrations

from apps.stories.services.first_questions import seed_questions


def create_questions(apps, schema_editor):
    for site in apps.get_model("sites", "Site").objects.all():
        seed_questions(apps.get_model("stories", "InterviewQuestion"), site)


class Migration(migrations.Migration):

    dependencies = [("stories", "0001_initial"), ("sites", "0002_default_site")]

    operations = [migrations.RunPython(create_questions, migrations.RunPython.noop)]
