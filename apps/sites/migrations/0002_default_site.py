from django.conf import settings
from django.db import migrations


def create_default_site(apps, schema_editor):
    Site = apps.get_model("sites", "Site")
    if not Site.objects.exists():
        Site.objects.create(
            key="main",
            host=settings.PUBLIC_HOST,
            name="Slipway",
            tagline="New products, ranked by the people who use them. Vote for what you would miss.",
            is_default=True,
        )


class Migration(migrations.Migration):

    dependencies = [("sites", "0001_initial")]

    operations = [migrations.RunPython(create_default_site, migrations.RunPython.noop)]
