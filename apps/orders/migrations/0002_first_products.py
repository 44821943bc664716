from django.db import migrations

from apps.orders.products.catalogue import seed_products, seed_vat_rates


def create_catalogue(apps, schema_editor):
    seed_vat_rates(model=apps.get_model("orders", "VatRate"))
    for site in apps.get_model("sites", "Site").objects.all():
        seed_products(site, model=apps.get_model("orders", "Product"))


class Migration(migrations.Migration):

    dependencies = [("orders", "0001_initial"), ("sites", "0002_default_site")]

    operations = [migrations.RunPython(create_catalogue, migrations.RunPython.noop)]
