import django.core.serializers.json
import apps.core.states
import apps.orders.models.catalog
import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from apps.orders.products.catalog import seed_products, seed_vat_rates



# What an invoice says can never be changed, and no invoice deleted: only how it was printed and emailed is noted.
KEEP_INVOICES = """
CREATE FUNCTION orders_refuse_invoice_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    noted CONSTANT text[] := ARRAY['pdf', 'printed_at', 'emailed_at', 'attempts', 'tried_at'];
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
RELEASE_INVOICES = """
DROP TRIGGER invoices_stay ON orders_invoice;
DROP FUNCTION orders_refuse_invoice_change();
"""


def create_catalog(apps, schema_editor):
    seed_vat_rates(model=apps.get_model("orders", "VatRate"))
    for site in apps.get_model("sites", "Site").objects.all():
        seed_products(site, model=apps.get_model("orders", "Product"))


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('listings', '0001_initial'),
        ('sites', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='GatewaySession',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reference', models.CharField(max_length=64, unique=True)),
                ('key', models.CharField(help_text='Starting twice with the same key gives one session.', max_length=80, unique=True)),
                ('order_number', models.CharField(max_length=16)),
                ('amount_cents', models.BigIntegerField()),
                ('currency', models.CharField(max_length=3)),
                ('return_url', models.URLField(max_length=500)),
                ('state', models.CharField(choices=[('open', 'Open'), ('paid', 'Paid'), ('declined', 'Declined'), ('cancelled', 'Canceled'), ('expired', 'Expired')], default='open', max_length=10)),
                ('refunds', models.JSONField(blank=True, default=dict, help_text='Refunded amount by key.')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name='InvoiceSeries',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('prefix', models.CharField(help_text='Start of its numbers, such as LAUNCH-2026-.', max_length=24, unique=True)),
                ('last_number', models.PositiveIntegerField(default=0)),
            ],
            options={
                'verbose_name_plural': 'invoice series',
                'ordering': ['prefix'],
            },
        ),
        migrations.CreateModel(
            name='ExchangeRate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(unique=True)),
                ('micros', models.PositiveBigIntegerField(help_text='US dollars per euro, in millionths: 1084500 is 1.0845.')),
            ],
            options={
                'ordering': ['-day'],
                'constraints': [models.CheckConstraint(condition=models.Q(('micros__range', (100000, 10000000))), name='rate_is_plausible')],
            },
        ),
        migrations.CreateModel(
            name='Order',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.CharField(max_length=16, unique=True)),
                ('secret', models.CharField(help_text='Secret part of the checkout URL.', max_length=64, unique=True)),
                ('status', models.CharField(choices=[('pending', 'Pending'), ('processing', 'Processing'), ('paid', 'Paid'), ('partially_refunded', 'Partially refunded'), ('refunded', 'Refunded'), ('expired', 'Expired'), ('cancelled', 'Canceled')], default='pending', max_length=20)),
                ('currency', models.CharField(default='usd', max_length=3)),
                ('subtotal_cents', models.BigIntegerField()),
                ('discount_cents', models.BigIntegerField(default=0)),
                ('net_cents', models.BigIntegerField()),
                ('vat_cents', models.BigIntegerField(blank=True, help_text='Empty while the country is unknown.', null=True, verbose_name='VAT cents')),
                ('total_cents', models.BigIntegerField()),
                ('promo_code', models.CharField(blank=True, max_length=40)),
                ('promo_terms', models.JSONField(blank=True, default=dict, help_text='Terms of the promo code when the order was placed.')),
                ('country', models.CharField(blank=True, max_length=2)),
                ('postal_code', models.CharField(blank=True, max_length=16)),
                ('vat_number', models.CharField(blank=True, max_length=20, verbose_name='VAT number')),
                ('vat_number_status', models.CharField(blank=True, max_length=12, verbose_name='VAT number status')),
                ('vat_treatment', models.CharField(blank=True, max_length=16, verbose_name='VAT treatment')),
                ('vat_rate', models.PositiveIntegerField(blank=True, help_text='In basis points: 2550 is 25.5%.', null=True, verbose_name='VAT rate')),
                ('vat_place', models.CharField(blank=True, help_text='Country that gets the VAT. Empty if none is due.', max_length=2, verbose_name='VAT place')),
                ('vat_scheme', models.CharField(blank=True, help_text='How the VAT is reported: local or oss.', max_length=5, verbose_name='VAT scheme')),
                ('consultation_number', models.CharField(blank=True, help_text='Proof of the VAT number check.', max_length=60)),
                ('notices', models.JSONField(blank=True, default=list, help_text='VAT notes shown to the buyer.')),
                ('billing', models.JSONField(blank=True, default=dict, help_text='Name, company, address and city.')),
                ('seller', models.JSONField(blank=True, default=dict)),
                ('evidence', models.JSONField(blank=True, default=list, help_text="Evidence of the customer's country.")),
                ('needs_review', models.BooleanField(db_index=True, default=False, help_text='A site admin has to decide about the payment.')),
                ('review_reason', models.CharField(blank=True, help_text='Why the order needs review.', max_length=300)),
                ('terms_accepted_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('expires_at', models.DateTimeField(help_text='Prices are held until then.')),
                ('paid_at', models.DateTimeField(blank=True, null=True)),
                ('tried_at', models.DateTimeField(blank=True, help_text='When a task last processed it.', null=True)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='orders', to=settings.AUTH_USER_MODEL)),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='orders', to='sites.site')),
            ],
            options={
                'ordering': ['-created_at', '-id'],
                'indexes': [models.Index(fields=['account', '-created_at', '-id'], name='orders_of_account'), models.Index(fields=['status', 'expires_at'], name='orders_to_expire')],
                'constraints': [models.CheckConstraint(condition=models.Q(('discount_cents__gte', 0), ('net_cents__gte', 0), ('subtotal_cents__gte', 0), ('total_cents__gte', 0)), name='order_money_is_not_negative'), models.CheckConstraint(condition=models.Q(('net_cents', django.db.models.expressions.CombinedExpression(models.F('subtotal_cents'), '-', models.F('discount_cents')))), name='order_net_is_subtotal_less_discount'), models.CheckConstraint(condition=models.Q(models.Q(('total_cents', models.F('net_cents')), ('vat_cents__isnull', True)), models.Q(('total_cents', django.db.models.expressions.CombinedExpression(models.F('net_cents'), '+', models.F('vat_cents'))), ('vat_cents__gte', 0)), _connector='OR'), name='order_total_is_net_and_vat'), models.CheckConstraint(condition=models.Q(('paid_at__isnull', False), models.Q(('status__in', ['paid', 'partially_refunded']), _negated=True), _connector='OR'), name='paid_order_says_when')],
            },
            bases=(apps.core.states.HasStates, models.Model),
        ),
        migrations.CreateModel(
            name='OrderLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField()),
                ('product', models.CharField(choices=apps.orders.models.catalog.product_choices, max_length=20)),
                ('title', models.CharField(max_length=80)),
                ('description', models.CharField(max_length=300)),
                ('unlocks', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), blank=True, default=list, size=None)),
                ('listing_name', models.CharField(blank=True, max_length=80)),
                ('has_listing', models.BooleanField(default=False, help_text='Bought for a listing, even if that was deleted since.')),
                ('options', models.JSONField(blank=True, default=dict)),
                ('quantity', models.PositiveIntegerField()),
                ('unit_price_cents', models.BigIntegerField()),
                ('discount_cents', models.BigIntegerField(default=0)),
                ('net_cents', models.BigIntegerField(help_text='Without VAT, after the discount.')),
                ('vat_cents', models.BigIntegerField(blank=True, null=True)),
                ('total_cents', models.BigIntegerField()),
                ('status', models.CharField(choices=[('pending', 'Pending'), ('fulfilled', 'Fulfilled'), ('failed', 'Failed'), ('withdrawn', 'Withdrawn')], default='pending', max_length=10)),
                ('fulfilled_at', models.DateTimeField(blank=True, null=True)),
                ('failure', models.CharField(blank=True, help_text='Why delivery failed.', max_length=300)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('listing', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='order_lines', to='listings.listing')),
                ('order', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lines', to='orders.order')),
            ],
            options={
                'ordering': ['position'],
                'constraints': [models.UniqueConstraint(fields=('order', 'position'), name='one_line_per_position'), models.CheckConstraint(condition=models.Q(('discount_cents__gte', 0), ('net_cents__gte', 0), ('quantity__gte', 1), ('unit_price_cents__gte', 0)), name='line_money_is_not_negative'), models.CheckConstraint(condition=models.Q(('net_cents', django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(models.F('unit_price_cents'), '*', models.F('quantity')), '-', models.F('discount_cents')))), name='line_net_is_price_less_discount'), models.CheckConstraint(condition=models.Q(models.Q(('fulfilled_at__isnull', False), ('status__in', ['fulfilled', 'withdrawn'])), models.Q(('fulfilled_at__isnull', True), ('status__in', ['pending', 'failed'])), _connector='OR'), name='fulfilled_line_says_when'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'failed'), _negated=True), models.Q(('failure', ''), _negated=True), _connector='OR'), name='failed_line_says_why')],
            },
            bases=(apps.core.states.HasStates, models.Model),
        ),
        migrations.CreateModel(
            name='Payment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('attempt', models.PositiveIntegerField()),
                ('provider', models.CharField(max_length=16)),
                ('reference', models.CharField(blank=True, help_text="The provider's ID.", max_length=120, null=True)),
                ('status', models.CharField(choices=[('starting', 'Starting'), ('open', 'Open'), ('paid', 'Paid'), ('failed', 'Failed'), ('surplus', 'Surplus'), ('needs_review', 'Needs review')], default='starting', max_length=12)),
                ('amount_cents', models.BigIntegerField()),
                ('currency', models.CharField(default='usd', max_length=3)),
                ('is_test', models.BooleanField(default=False)),
                ('return_url', models.URLField(max_length=500)),
                ('pay_url', models.CharField(blank=True, help_text='URL where the buyer pays.', max_length=1000)),
                ('problem', models.CharField(blank=True, max_length=300)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('settled_at', models.DateTimeField(blank=True, null=True)),
                ('polled_at', models.DateTimeField(blank=True, help_text='When a task last asked the provider.', null=True)),
                ('leased_at', models.DateTimeField(blank=True, help_text='When the provider started to open it.', null=True)),
                ('order', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='payments', to='orders.order')),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['status', 'created_at'], name='payments_to_poll')],
                'constraints': [models.UniqueConstraint(fields=('order', 'attempt'), name='one_payment_per_attempt'), models.UniqueConstraint(fields=('provider', 'reference'), name='one_payment_per_reference'), models.CheckConstraint(condition=models.Q(('amount_cents__gte', 0)), name='payment_is_not_negative'), models.UniqueConstraint(condition=models.Q(('status', 'paid')), fields=('order',), name='an_order_is_paid_once')],
            },
            bases=(apps.core.states.HasStates, models.Model),
        ),
        migrations.CreateModel(
            name='PaymentEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('provider', models.CharField(max_length=16)),
                ('event_id', models.CharField(max_length=120)),
                ('kind', models.CharField(max_length=80)),
                ('reference', models.CharField(max_length=120)),
                ('received_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('processed_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.UniqueConstraint(fields=('provider', 'event_id'), name='one_row_per_event')],
            },
        ),
        migrations.CreateModel(
            name='Placement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('product', models.CharField(choices=apps.orders.models.catalog.product_choices, max_length=20)),
                ('week', models.CharField(help_text='ISO week such as 2026-W46.', max_length=8)),
                ('categories', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), blank=True, default=list, size=None)),
                ('amount_cents', models.BigIntegerField(help_text='Amount paid for the week. The highest is shown first.')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('line', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='placements', to='orders.orderline')),
                ('listing', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='placements', to='listings.listing')),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='placements', to='sites.site')),
            ],
            options={
                'ordering': ['week', '-amount_cents', 'id'],
                'indexes': [models.Index(fields=['site', 'product', 'week'], name='placement_week')],
                'constraints': [models.UniqueConstraint(fields=('line', 'week'), name='one_placement_per_line_and_week'), models.CheckConstraint(condition=models.Q(('week__regex', '^\\d{4}-W\\d{2}$')), name='placement_week_is_an_iso_week')],
            },
        ),
        migrations.CreateModel(
            name='Product',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(choices=apps.orders.models.catalog.product_choices, max_length=20)),
                ('title', models.CharField(max_length=80)),
                ('description', models.CharField(max_length=300)),
                ('price_cents', models.BigIntegerField(help_text='US cents per unit, without VAT.', verbose_name='price')),
                ('needs_listing', models.BooleanField(default=True, help_text="Bought for one of the buyer's listings.")),
                ('unit', models.CharField(choices=[('once', 'Once'), ('week', 'Week')], default='once', max_length=4)),
                ('min_amount_cents', models.BigIntegerField(blank=True, help_text='Lowest price per unit in US cents, if buyers choose the price.', null=True, verbose_name='lowest price')),
                ('min_weeks', models.PositiveSmallIntegerField(default=1, help_text='Minimum number of weeks in one order.')),
                ('capacity', models.PositiveSmallIntegerField(blank=True, help_text='Spots per week. Empty for no limit.', null=True)),
                ('unlocks', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), blank=True, default=list, help_text='Listing sections this product unlocks.', size=None)),
                ('is_active', models.BooleanField(default=True, help_text='Available to buy.')),
                ('position', models.PositiveSmallIntegerField(default=0)),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='products', to='sites.site')),
            ],
            options={
                'ordering': ['site', 'position', 'id'],
                'constraints': [models.UniqueConstraint(fields=('site', 'name'), name='one_product_per_name'), models.CheckConstraint(condition=models.Q(('price_cents__gte', 0)), name='product_price_is_not_negative'), models.CheckConstraint(condition=models.Q(('min_amount_cents__isnull', True), ('min_amount_cents__gt', 0), _connector='OR'), name='product_minimum_is_positive'), models.CheckConstraint(condition=models.Q(('min_weeks__gte', 1)), name='product_min_weeks_is_positive')],
            },
        ),
        migrations.CreateModel(
            name='ProductVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('via', models.CharField(choices=[('browser', 'Browser'), ('key', 'Key'), ('assistant', 'Assistant'), ('admin', 'Admin'), ('system', 'System')], max_length=12)),
                ('credential', models.CharField(blank=True, help_text='Name of the API key or of the client.', max_length=255)),
                ('changes', models.JSONField(default=list, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('snapshot', models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('author', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('product', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='orders.product')),
                ('restored_from', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='orders.productversion')),
            ],
            options={
                'ordering': ['-id'],
                'abstract': False,
                'indexes': [models.Index(fields=['product', '-id'], name='versions_of_product')],
            },
        ),
        migrations.CreateModel(
            name='PromoCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(help_text='As you publish it. Buyers can type it in any case.', max_length=40)),
                ('code_key', models.CharField(editable=False, help_text='Normalized code for lookups.', max_length=80)),
                ('percent_off', models.PositiveIntegerField(blank=True, help_text='In basis points: 1500 is 15%.', null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(10000)])),
                ('amount_off_cents', models.BigIntegerField(blank=True, help_text='US cents off the whole order.', null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='amount off')),
                ('products', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=apps.orders.models.catalog.product_choices, max_length=20), blank=True, default=list, help_text='Comma-separated products. Empty for all.', size=None)),
                ('minimum_cents', models.BigIntegerField(default=0, help_text='Minimum total of these products in US cents.', validators=[django.core.validators.MinValueValidator(0)], verbose_name='minimum')),
                ('starts_at', models.DateTimeField(blank=True, null=True)),
                ('ends_at', models.DateTimeField(blank=True, null=True)),
                ('max_uses', models.PositiveIntegerField(blank=True, help_text='Empty for no limit.', null=True)),
                ('max_uses_per_account', models.PositiveIntegerField(blank=True, default=1, null=True)),
                ('used', models.PositiveIntegerField(default=0, editable=False, help_text='Reserved and completed uses.')),
                ('is_active', models.BooleanField(default=True)),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='promo_codes', to='sites.site')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('site', 'code_key'), name='one_promo_per_code'), models.CheckConstraint(condition=models.Q(models.Q(('amount_off_cents__isnull', True), ('percent_off__isnull', False)), models.Q(('amount_off_cents__isnull', False), ('percent_off__isnull', True)), _connector='OR'), name='promo_is_percent_or_amount'), models.CheckConstraint(condition=models.Q(('percent_off__isnull', True), ('percent_off__range', (1, 10000)), _connector='OR'), name='promo_percent_is_1_to_100'), models.CheckConstraint(condition=models.Q(('amount_off_cents__isnull', True), ('amount_off_cents__gt', 0), _connector='OR'), name='promo_amount_is_positive'), models.CheckConstraint(condition=models.Q(('max_uses__isnull', True), ('used__lte', models.F('max_uses')), _connector='OR'), name='promo_is_not_overused'), models.CheckConstraint(condition=models.Q(('code_key', ''), _negated=True), name='promo_code_is_not_empty')],
            },
        ),
        migrations.AddField(
            model_name='order',
            name='promo',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='orders', to='orders.promocode'),
        ),
        migrations.CreateModel(
            name='PromoUse',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('reserved', 'Reserved'), ('consumed', 'Consumed'), ('released', 'Released')], default='reserved', max_length=8)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('order', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='promo_uses', to='orders.order')),
                ('promo', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='uses', to='orders.promocode')),
            ],
            options={
                'indexes': [models.Index(fields=['promo', 'account', 'state'], name='promo_uses_of_account')],
                'constraints': [models.UniqueConstraint(fields=('promo', 'order'), name='one_use_per_promo_and_order')],
            },
        ),
        migrations.CreateModel(
            name='Refund',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('amount_cents', models.BigIntegerField()),
                ('reason', models.CharField(max_length=300)),
                ('status', models.CharField(choices=[('requested', 'Requested'), ('done', 'Done'), ('failed', 'Failed')], default='requested', max_length=10)),
                ('attempt', models.PositiveIntegerField(default=1, help_text='Part of the key sent to the provider. A new number sends a new refund.')),
                ('reference', models.CharField(blank=True, max_length=120)),
                ('problem', models.CharField(blank=True, max_length=300)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('tried_at', models.DateTimeField(blank=True, help_text='When it was last sent to the provider.', null=True)),
                ('done_at', models.DateTimeField(blank=True, null=True)),
                ('line', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='refund', to='orders.orderline')),
                ('payment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='refunds', to='orders.payment')),
                ('requested_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['status', 'id'], name='refunds_to_make')],
                'constraints': [models.CheckConstraint(condition=models.Q(('amount_cents__gte', 0)), name='refund_is_not_negative'), models.UniqueConstraint(condition=models.Q(('line__isnull', True)), fields=('payment',), name='one_whole_refund_per_payment')],
            },
            bases=(apps.core.states.HasStates, models.Model),
        ),
        migrations.CreateModel(
            name='Invoice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('invoice', 'Invoice'), ('credit_note', 'Credit note')], max_length=11)),
                ('sequence', models.PositiveIntegerField(help_text='Position in the series.')),
                ('number', models.CharField(max_length=40, unique=True)),
                ('revision', models.PositiveSmallIntegerField(default=1, help_text='Counts up with each corrected invoice.')),
                ('is_test', models.BooleanField(default=False)),
                ('issued_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('issue_date', models.DateField(help_text='Date on the invoice, UTC.')),
                ('currency', models.CharField(max_length=3)),
                ('net_cents', models.BigIntegerField()),
                ('vat_cents', models.BigIntegerField(verbose_name='VAT cents')),
                ('total_cents', models.BigIntegerField()),
                ('vat_country', models.CharField(blank=True, help_text='Country that gets the VAT. Empty if none is due.', max_length=2, verbose_name='VAT country')),
                ('vat_rate', models.PositiveIntegerField(help_text='In basis points: 2550 is 25.5%.', verbose_name='VAT rate')),
                ('vat_treatment', models.CharField(max_length=16, verbose_name='VAT treatment')),
                ('vat_scheme', models.CharField(blank=True, help_text='Reported locally or through the One Stop Shop.', max_length=5, verbose_name='VAT scheme')),
                ('document', models.JSONField(help_text='The complete content of the document.')),
                ('pdf', models.BinaryField(blank=True, null=True, verbose_name='PDF')),
                ('printed_at', models.DateTimeField(blank=True, null=True)),
                ('emailed_at', models.DateTimeField(blank=True, null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0, help_text='Failed attempts to create the PDF.')),
                ('tried_at', models.DateTimeField(blank=True, null=True)),
                ('original', models.ForeignKey(blank=True, help_text='The invoice that a credit note corrects.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='credit_notes', to='orders.invoice')),
                ('series', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='invoices', to='orders.invoiceseries')),
                ('order', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='invoices', to='orders.order')),
                ('refund', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='credit_note', to='orders.refund')),
            ],
            options={
                'ordering': ['-issued_at', '-id'],
                'indexes': [models.Index(fields=['issue_date', 'id'], name='invoices_by_day'), models.Index(condition=models.Q(('printed_at__isnull', True)), fields=['id'], name='invoices_to_print')],
                'constraints': [models.UniqueConstraint(fields=('series', 'sequence'), name='one_invoice_per_number'), models.UniqueConstraint(condition=models.Q(('kind', 'invoice')), fields=('order', 'revision'), name='one_invoice_per_order_revision'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'invoice'), ('original__isnull', True), ('refund__isnull', True)), models.Q(('kind', 'credit_note'), ('original__isnull', False)), _connector='OR'), name='credit_note_names_its_invoice'), models.CheckConstraint(condition=models.Q(('net_cents__gte', 0), ('total_cents', django.db.models.expressions.CombinedExpression(models.F('net_cents'), '+', models.F('vat_cents'))), ('vat_cents__gte', 0)), name='invoice_total_is_net_and_vat')],
            },
        ),
        migrations.CreateModel(
            name='SellerSettings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('legal_name', models.CharField(max_length=120)),
                ('address', models.TextField(help_text='Street, postal code and city, each on its own line.', max_length=400)),
                ('country', models.CharField(help_text='ISO country code.', max_length=2)),
                ('vat_number', models.CharField(blank=True, help_text='With country prefix, such as DE123456789.', max_length=20, verbose_name='VAT number')),
                ('is_vat_registered', models.BooleanField(default=False, help_text='The seller charges VAT.', verbose_name='registered for VAT')),
                ('oss_mode', models.CharField(choices=[('destination', "Customer's country (One Stop Shop)"), ('origin', "Seller's country (below the EU-wide threshold)")], default='destination', help_text="Which country's VAT consumers elsewhere in the EU pay.", max_length=12, verbose_name='EU consumer VAT (OSS)')),
                ('email', models.EmailField(blank=True, help_text='Contact printed on invoices.', max_length=254)),
                ('register_entry', models.CharField(blank=True, help_text='Commercial register and number, printed on invoices.', max_length=120)),
                ('invoice_prefix', models.CharField(blank=True, help_text="Start of invoice numbers. Empty for the site's key in capitals.", max_length=12, validators=[django.core.validators.RegexValidator('^[A-Z0-9]+$', 'Capital letters and digits only.')])),
                ('invoice_footer', models.TextField(blank=True, help_text='Small print at the bottom of invoices.', max_length=600)),
                ('site', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='seller', to='sites.site')),
            ],
            options={
                'verbose_name_plural': 'seller settings',
                'constraints': [models.UniqueConstraint(condition=models.Q(('invoice_prefix', ''), _negated=True), fields=('invoice_prefix',), name='one_seller_per_invoice_prefix'), models.CheckConstraint(condition=models.Q(('is_vat_registered', False), models.Q(('vat_number', ''), _negated=True), _connector='OR'), name='registered_seller_has_a_vat_number'), models.CheckConstraint(condition=models.Q(('country', django.db.models.functions.text.Upper('country'))), name='seller_country_is_upper_case')],
            },
        ),
        migrations.CreateModel(
            name='TermsOfSale',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField(help_text='Plain text. Separate paragraphs with blank lines.', max_length=60000)),
                ('published_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='terms', to='sites.site')),
            ],
            options={
                'verbose_name': 'terms',
                'verbose_name_plural': 'terms',
                'ordering': ['site', '-published_at', '-id'],
            },
        ),
        migrations.AddField(
            model_name='order',
            name='terms',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='orders', to='orders.termsofsale'),
        ),
        migrations.CreateModel(
            name='VatRate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('country', models.CharField(help_text='ISO country code, or XI for Northern Ireland.', max_length=2)),
                ('rate', models.PositiveIntegerField(help_text='In basis points: 2550 is 25.5%.', validators=[django.core.validators.MaxValueValidator(10000)])),
                ('from_date', models.DateField(help_text='First day of this rate.')),
            ],
            options={
                'verbose_name': 'VAT rate',
                'ordering': ['country', '-from_date'],
                'constraints': [models.UniqueConstraint(fields=('country', 'from_date'), name='one_vat_rate_per_country_and_day'), models.CheckConstraint(condition=models.Q(('rate__lte', 10000)), name='vat_rate_is_at_most_100_percent'), models.CheckConstraint(condition=models.Q(('country', django.db.models.functions.text.Upper('country'))), name='vat_rate_country_is_upper_case')],
            },
        ),
        migrations.CreateModel(
            name='VatRegistration',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('scheme', models.CharField(choices=[('local', 'Local (in that country)'), ('oss', 'One Stop Shop')], default='local', max_length=5)),
                ('country', models.CharField(help_text='Country of registration. For the One Stop Shop, the member state of identification.', max_length=2)),
                ('number', models.CharField(max_length=20)),
                ('from_date', models.DateField(help_text='First day of the registration.')),
                ('until_date', models.DateField(blank=True, help_text='Last day. Empty while it continues.', null=True)),
                ('seller', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='registrations', to='orders.sellersettings')),
            ],
            options={
                'ordering': ['country', 'from_date'],
                'constraints': [models.UniqueConstraint(fields=('seller', 'scheme', 'country', 'from_date'), name='one_registration_per_country_and_day'), models.CheckConstraint(condition=models.Q(('until_date__isnull', True), ('until_date__gte', models.F('from_date')), _connector='OR'), name='registration_ends_after_it_begins'), models.CheckConstraint(condition=models.Q(('country', django.db.models.functions.text.Upper('country'))), name='registration_country_is_upper')],
            },
        ),
        migrations.RunSQL(KEEP_INVOICES, RELEASE_INVOICES),
        migrations.RunPython(create_catalog, migrations.RunPython.noop),
    ]
