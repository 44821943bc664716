"""The base of viewsets for one of the caller's own listings."""

from apps.accounts.actors import actor_of
from apps.core.api.views import ApiViewSet
from apps.listings.models import Listing
from apps.listings.services.reading import get_my_listing


class OwnListingViewSet(ApiViewSet):
    """Loads the listing of the path into `target`. Not found unless the account owns it."""

    lookup_url_kwarg = "listing_id"

    def get_object(self) -> Listing:
        return get_my_listing(listing_id=self.kwargs["listing_id"], by=actor_of(self.request))
