"""An owner's updates in the API."""

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.actors import account_of, actor_of
from apps.core.api.operation import operation
from apps.core.api.scopes import Scope
from apps.core.api.serializers import PlainTextField, StrictSerializer
from apps.core.api.views import ApiViewSet
from apps.core.errors import unknown_id
from apps.listings.api.serializers import UpdateSerializer
from apps.listings.models import Listing, Update
from apps.listings.services import updates
from apps.listings.services.updates import BODY_LENGTH, TITLE_LENGTH, page_url


class PostUpdateSerializer(StrictSerializer):
    """An update to post on a listing."""

    title = PlainTextField(max_length=TITLE_LENGTH, help_text="Headline, on one line.")
    body = PlainTextField(
        max_length=BODY_LENGTH, multiline=True, help_text="Plain text. Separate paragraphs with a blank line."
    )


class PostedUpdateSerializer(UpdateSerializer):
    """A posted update and its public page."""

    url = serializers.SerializerMethodField(help_text="The update's public page.")

    def get_url(self, update: Update) -> str:
        return page_url(update)


class UpdateViewSet(ApiViewSet):
    lookup_url_kwarg = "listing_id"
    listed_by = "list_my_listings"

    def get_queryset(self) -> QuerySet[Listing]:
        return Listing.objects.visible_to(account_of(self.request))

    @operation(
        scope=Scope.LISTINGS_WRITE,
        tag="Own listings",
        summary="Post an update",
        body=PostUpdateSerializer,
        returns=PostedUpdateSerializer,
        status=201,
        idempotency_key=True,
    )
    def post_listing_update(self, request: Request, listing_id: int) -> Response:
        """Post an update on a live listing and email it to followers.

        The update appears on the listing, in the site's latest updates and in its feeds. Emails can't be
        recalled, so get the owner's approval first. Each listing has a daily limit.
        """
        values = self.parse(PostUpdateSerializer)
        update = updates.post_listing_update(
            listing=self.target, title=values["title"], body=values["body"], by=actor_of(request)
        )
        return Response(PostedUpdateSerializer(update).data, status=201)

    @operation(
        scope=Scope.LISTINGS_WRITE,
        tag="Own listings",
        summary="Delete an update",
        returns=None,
        destructive=True,
    )
    def delete_listing_update(self, request: Request, listing_id: int, update_id: int) -> Response:
        """Delete a posted update. Find its id with get_my_listing. Emails that were sent can't be recalled."""
        update = self.target.updates.select_related("listing").filter(pk=update_id).first()
        if update is None:
            raise unknown_id("get_my_listing", updates.UNKNOWN)
        updates.delete_listing_update(update=update, by=actor_of(request))
        return Response(status=204)
