"""A listing's version history in the API."""

from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.actors import actor_of
from apps.core.api.lists.includes import IncludeField
from apps.core.api.operation import operation
from apps.core.api.pagination import page_of, paginate
from apps.core.api.scopes import Scope
from apps.core.api.serializers import PageQuery
from apps.core.errors import unknown_id
from apps.listings.api.own_listing import OwnListingViewSet
from apps.listings.api.serializers import ListedVersionSerializer, MyListingSerializer
from apps.listings.history import list_versions, shown_version
from apps.listings.services.editing import restore_version


class VersionsQuery(PageQuery):
    include = IncludeField(("changes",))


class VersionViewSet(OwnListingViewSet):
    @operation(
        scope=Scope.ACCOUNT_READ,
        tag="Own listings",
        summary="List versions",
        query=VersionsQuery,
        returns=page_of(ListedVersionSerializer),
    )
    def list_versions(self, request: Request, listing_id: int) -> Response:
        """List every edit of a listing and its company's facts, newest first: who changed which fields, and when.

        To undo an edit, send restore_version the next older id with the same `site`.
        """
        query = self.parse_query(VersionsQuery)
        include = {"include": query.pop("include", ())}
        result = paginate(
            list_versions(self.target),
            request=request,
            item=ListedVersionSerializer,
            context={**include, "shown": lambda version: shown_version(version, self.target)},
            **query,
        )
        return Response(result)

    @operation(
        scope=Scope.LISTINGS_WRITE,
        tag="Own listings",
        summary="Restore a version",
        returns=MyListingSerializer,
        idempotent=True,
    )
    def restore_version(self, request: Request, listing_id: int, version_id: int) -> Response:
        """Set the listing's texts, or its company's facts, back to an earlier version. This is public immediately.

        Milestones and the status stay the same.
        """
        version = list_versions(self.target).filter(pk=version_id).first()
        if version is None:
            raise unknown_id("list_versions", "This listing has no version with this id.")
        restore_version(version=version, by=actor_of(request))
        return Response(MyListingSerializer(self.get_object()).data)
