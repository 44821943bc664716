from django.apps import AppConfig


class AnalyticsConfig(AppConfig):
    name = "apps.analytics"
    label = "analytics"

    def ready(self) -> None:
        from apps.analytics.counting import count_view_from_cache
        from apps.core.web.public_cache import viewed_from_cache

        viewed_from_cache.connect(count_view_from_cache, dispatch_uid="apps.analytics")
