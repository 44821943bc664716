import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


# An event is added without a number. At the commit, the first function marks one event of the transaction, which has
# the second one run after everything else that the commit checks: a lock of a counter is never held while waiting for
# the lock of a row. It numbers the transaction's events in the order of accounts, so that no two wait for each other.
NUMBER_EVENTS = """
CREATE FUNCTION events_mark() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF coalesce(current_setting('slipway.marked_event', true), '') = '' THEN
        PERFORM set_config('slipway.marked_event', NEW.id::text, true);
        UPDATE events_event SET seq = -id WHERE id = NEW.id AND seq IS NULL;
        IF NOT FOUND THEN
            PERFORM set_config('slipway.marked_event', '', true);
        END IF;
    END IF;
    RETURN NULL;
END
$$;
CREATE FUNCTION events_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    WITH unnumbered AS MATERIALIZED (
        SELECT id, account_id, row_number() OVER (PARTITION BY account_id ORDER BY id) AS place FROM events_event
        WHERE account_id IS NOT NULL AND (seq IS NULL OR seq < 0)
    ), counted AS (
        INSERT INTO events_eventcounter AS counter (account_id, last)
        SELECT account_id, count(*) FROM unnumbered GROUP BY account_id ORDER BY account_id
        ON CONFLICT (account_id) DO UPDATE SET last = counter.last + EXCLUDED.last RETURNING account_id, last
    ), many AS (
        SELECT account_id, count(*) AS events FROM unnumbered GROUP BY account_id
    )
    UPDATE events_event SET seq = counted.last - many.events + unnumbered.place
    FROM unnumbered JOIN counted USING (account_id) JOIN many USING (account_id)
    WHERE events_event.id = unnumbered.id;
    PERFORM set_config('slipway.marked_event', '', true);
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER events_are_marked AFTER INSERT ON events_event DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.account_id IS NOT NULL) EXECUTE FUNCTION events_mark();
CREATE CONSTRAINT TRIGGER events_are_numbered AFTER UPDATE OF seq ON events_event DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.seq < 0) EXECUTE FUNCTION events_number();

-- Only the name of a credential can be emptied, when an account is deleted. Old events are deleted.
CREATE FUNCTION events_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'events are never changed' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER events_stay
    BEFORE UPDATE OF id, public_id, type, at, site_id, account_id, actor_id, via, object_type, object_id, data
    ON events_event FOR EACH ROW EXECUTE FUNCTION events_refuse_change();
CREATE TRIGGER numbers_stay BEFORE UPDATE OF seq ON events_event
    FOR EACH ROW WHEN (OLD.seq > 0) EXECUTE FUNCTION events_refuse_change();
"""
FORGET_EVENTS = """
DROP TRIGGER events_are_marked ON events_event;
DROP TRIGGER events_are_numbered ON events_event;
DROP TRIGGER events_stay ON events_event;
DROP TRIGGER numbers_stay ON events_event;
DROP FUNCTION events_mark();
DROP FUNCTION events_number();
DROP FUNCTION events_refuse_change();
"""


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0002_api_key_token'),
        ('sites', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='EventCounter',
            fields=[
                ('account', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, primary_key=True, related_name='+', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('last', models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False)),
                ('seq', models.BigIntegerField(editable=False, null=True)),
                ('type', models.CharField(max_length=40)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('via', models.CharField(choices=[('browser', 'Browser'), ('key', 'Key'), ('assistant', 'Assistant'), ('admin', 'Admin'), ('system', 'System')], max_length=12)),
                ('credential', models.CharField(blank=True, help_text='Name of the API key or of the client.', max_length=255)),
                ('object_type', models.CharField(max_length=20)),
                ('object_id', models.CharField(max_length=40)),
                ('data', models.JSONField(default=dict)),
                ('account', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('actor', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('site', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='sites.site')),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(condition=models.Q(('account__isnull', False), models.Q(('seq__isnull', True), ('seq__lt', 0), _connector='OR')), fields=['seq'], name='events_to_number'), models.Index(fields=['at'], name='events_by_age'), models.Index(fields=['site', '-id'], name='events_of_site')],
                'constraints': [models.UniqueConstraint(fields=('account', 'seq'), name='one_event_per_seq'), models.UniqueConstraint(fields=('public_id',), name='one_event_per_public_id')],
            },
        ),
        migrations.RunSQL(NUMBER_EVENTS, FORGET_EVENTS),
    ]
