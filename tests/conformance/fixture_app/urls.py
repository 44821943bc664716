"""The product's addresses, and the fixtures before them, so that the fixtures are listed first."""

from django.urls import include, path

from config.urls import handler400, handler403, handler404, handler500
from config.urls import urlpatterns as product
from tests.conformance.fixture_app.views import ContactViewSet, SpeakingViewSet

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

fixtures = [
    path(name.replace("_", "-"), SpeakingViewSet.as_view({"get": name}))
    for name in ("test_simple_text", "test_error_handling", "test_logging_tool", "test_streaming_elicitation")
]
fixtures.append(path("contact", ContactViewSet.as_view({"post": "json_schema_2020_12_tool"})))
urlpatterns = [path("api/v1/conformance/", include(fixtures)), *product]
