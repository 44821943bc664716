from django.db import migrations

from apps.listings.services.categories import seed_categories


def create_categories(apps, schema_editor):
    for site in apps.get_model("sites", "Site").objects.all():
        seed_categories(apps.get_model("listings", "Category"), site)


class Migration(migrations.Migration):

    dependencies = [("listings", "0001_initial"), ("sites", "0002_default_site")]

    operations = [migrations.RunPython(create_categories, migrations.RunPython.noop)]
