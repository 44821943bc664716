from django.db import migrations, models
from django.db.models.functions import Lower


def lower_addresses(apps, schema_editor):
    apps.get_model("accounts", "User").objects.exclude(email=Lower("email")).update(email=Lower("email"))


def verify_addresses(apps, schema_editor):
    """Accounts from before sign-up were made by the site team, which answers for their addresses."""
    EmailAddress = apps.get_model("account", "EmailAddress")
    users = apps.get_model("accounts", "User").objects.filter(emailaddress__isnull=True)
    rows = (
        EmailAddress(user_id=user_id, email=email, verified=True, primary=True)
        for user_id, email in users.values_list("pk", "email").iterator()
    )
    EmailAddress.objects.bulk_create(rows, batch_size=1000)


class Migration(migrations.Migration):

    dependencies = [
        ("account", "0009_emailaddress_unique_primary_email"),
        ("accounts", "0003_api_key_history"),
    ]

    operations = [
        migrations.RunPython(lower_addresses, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.CheckConstraint(condition=models.Q(("email", Lower("email"))), name="email_in_lower_case"),
        ),
        migrations.RunPython(verify_addresses, migrations.RunPython.noop),
    ]
