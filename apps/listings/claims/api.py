"""Claims of websites in the API."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.actors import account_of, actor_of
from apps.core.api.operation import operation
from apps.core.api.patterns import WEB_ADDRESS
from apps.core.api.scopes import Scope
from apps.core.api.serializers import NextStepsField, StrictSerializer, StrictStringField
from apps.core.api.views import ApiViewSet
from apps.core.request.waiting import wait_until
from apps.listings.claims.proofs import ways_to_prove
from apps.listings.claims.services import check_claim, claim_website
from apps.listings.models import Claim
from apps.sites.requests import SiteRequest

WAIT_SECONDS = 10
TAG = "Own listings"


class ClaimWebsiteSerializer(StrictSerializer):
    """The website to prove."""

    url = StrictStringField(max_length=2000, pattern=WEB_ADDRESS, help_text="The listing's website.")


class ProofSerializer(serializers.Serializer[Any]):
    method = serializers.ChoiceField(choices=Claim.Method.choices)
    place = serializers.CharField(help_text="The page's head, the DNS name of a TXT record, or the file's URL.")
    content = serializers.CharField(help_text="What to publish there.")


def next_steps(claim: Claim) -> list[str]:
    """Return what the claimant can do."""
    match claim.status:
        case Claim.Status.OPEN:
            return ["Publish one of `proofs`, then call check_claim. Open claims are also checked every hour."]
        case Claim.Status.PROVEN:
            return ["The website is verified. Its listings are in list_my_listings."]
        case Claim.Status.EXPIRED:
            return ["Call claim_website again for a new token."]
    return []


class ClaimSerializer(serializers.Serializer[Claim]):
    """A claim of a website, and how to prove it."""

    id = serializers.IntegerField()
    website = serializers.CharField()
    status = serializers.ChoiceField(choices=Claim.Status.choices)
    result = serializers.CharField(help_text="What the last check found. Empty before the first.")
    checked_at = serializers.DateTimeField(allow_null=True)
    expires_at = serializers.DateTimeField(source="ends_at")
    proofs = serializers.SerializerMethodField(help_text="Ways to prove it. Any one is enough. Empty once it ended.")
    next_steps = NextStepsField(next_steps)

    @extend_schema_field(ProofSerializer(many=True))
    def get_proofs(self, claim: Claim) -> Any:
        ways = ways_to_prove(claim)
        kinds = {"meta": ("page_url", "meta"), "dns": ("record_name", "record_text"), "file": ("file_url", "file_text")}
        return [
            {"method": method, "place": ways[place], "content": ways[content]}
            for method, (place, content) in kinds.items()
            if place in ways
        ]


class ClaimViewSet(ApiViewSet):
    lookup_url_kwarg = "id"
    listed_by = "claim_website"
    unknown = "You have no claim with this id."

    def get_queryset(self) -> QuerySet[Claim]:
        return Claim.objects.visible_to(account_of(self.request)).select_related("company", "site")

    def after_check(self, response: Response) -> Response:
        """Return the answer with the check's result, if it finishes while the caller can wait."""
        before = self.target.checked_at
        wait_until(lambda: self.get_object().checked_at != before, seconds=WAIT_SECONDS)
        return Response(ClaimSerializer(self.get_object()).data)

    @operation(
        scope=Scope.LISTINGS_WRITE,
        tag=TAG,
        summary="Claim a website",
        body=ClaimWebsiteSerializer,
        returns=ClaimSerializer,
        idempotent=True,
    )
    def claim_website(self, request: SiteRequest) -> Response:
        """Claim the listing of a website that the owner controls, or verify one of the account's own.

        Publish one of `proofs` on the website, then call check_claim. A claim lasts 14 days.
        """
        url = self.parse(ClaimWebsiteSerializer)["url"]
        return Response(ClaimSerializer(claim_website(site=request.site, url=url, by=actor_of(request))).data)

    @operation(
        scope=Scope.LISTINGS_WRITE,
        tag=TAG,
        summary="Check a claim",
        returns=ClaimSerializer,
        idempotent=True,
        open_world=True,
        settle=after_check,
    )
    def check_claim(self, request: Request, **_: int) -> Response:
        """Look for a claim's proof on its website now. A proven claim makes the account the listing's owner.

        Limit: 10 checks per hour.
        """
        check_claim(claim=self.target)
        return Response(ClaimSerializer(self.target).data)
