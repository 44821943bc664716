from importlib import import_module

import django_stubs_ext
from django.apps import AppConfig
from django.conf import settings

# Before the models and admin pages, whose classes are generic.
django_stubs_ext.monkeypatch()


class CoreConfig(AppConfig):
    name = "apps.core"
    label = "core"

    def ready(self) -> None:
        # Every process runs this: commands, web servers, workers, the scheduler.
        import_module("apps.core.operations.checks.production").refuse_unsafe_settings()
        import_module("apps.core.operations.checks.connections")
        import_module("apps.core.stores.valkey.watch").watch_statements()
        import_module("apps.core.admin.labels").shorten_labels()
        if settings.PURGE_URL:
            import_module("apps.core.web.public_cache.purging").follow_changes()
        if settings.DATABASE_REPLICA_URL:
            import_module("apps.core.stores.replica.notes")
