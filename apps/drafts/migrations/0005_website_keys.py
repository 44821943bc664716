from django.db import migrations, models

from apps.drafts.services.website_keys import renew_draft_keys


def renew(apps, schema_editor):
    renew_draft_keys(apps.get_model('drafts', 'Draft').objects)


class Migration(migrations.Migration):

    dependencies = [
        ('drafts', '0004_cancelled_keeps_its_domain'),
        ('listings', '0009_website_keys'),
    ]

    operations = [
        migrations.AlterField(
            model_name='draft',
            name='url',
            field=models.URLField(help_text='Home page of the website asked for.', max_length=300),
        ),
        migrations.RunPython(renew, migrations.RunPython.noop),
    ]
