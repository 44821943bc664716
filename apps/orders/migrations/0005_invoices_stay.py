"""What an invoice says can never be changed, and no invoice deleted: only how it was printed and mailed is noted."""

from django.db import migrations

FORBID = """
CREATE FUNCTION orders_refuse_invoice_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    noted CONSTANT text[] := ARRAY['pdf', 'printed_at', 'mailed_at', 'attempts', 'tried_at'];
BEGIN
    IF TG_OP = 'UPDATE' AND to_jsonb(OLD) - noted = to_jsonb(NEW) - noted THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'invoices are never changed or deleted' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER invoices_stay BEFORE UPDATE OR DELETE ON orders_invoice
    FOR EACH ROW EXECUTE FUNCTION orders_refuse_invoice_change();
"""
ALLOW = """
DROP TRIGGER invoices_stay ON orders_invoice;
DROP FUNCTION orders_refuse_invoice_change();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('orders', '0004_books'),
    ]

    operations = [
        migrations.RunSQL(FORBID, ALLOW),
    ]
