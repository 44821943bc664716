import sys

from django.db import migrations

from apps.listings.websites.renewal import renew_company_keys


def renew(apps, schema_editor):
    # By today's rule and not a copy: new rows are compared with these.
    company, evidence = apps.get_model('listings', 'Company'), apps.get_model('listings', 'ListingEvidence')
    shared = renew_company_keys(company.objects, evidence.objects)
    for one in shared:
        sys.stdout.write(f'\n    {one}')
    if shared:
        sys.stdout.write('\n    Merge them in the admin; `manage.py renew_website_keys` prints them again.\n')


class Migration(migrations.Migration):

    dependencies = [
        ('listings', '0008_companies_that_share_a_website'),
    ]

    operations = [
        migrations.RunPython(renew, migrations.RunPython.noop),
    ]
