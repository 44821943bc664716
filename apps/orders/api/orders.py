"""Products and orders in the API."""

from dataclasses import asdict
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.actors import account_of, actor_of
from apps.core.api.lists.includes import IncludeField
from apps.core.api.operation import operation
from apps.core.api.pagination import page_of, paginate
from apps.core.api.scopes import Scope
from apps.core.api.serializers import QuerySerializer
from apps.core.api.views import ApiViewSet
from apps.core.request.client_ip import client_address
from apps.launches.calendar.closing import running_week
from apps.orders.api.order_serializers import OrderQuery, OrderSerializer, OrderSummarySerializer
from apps.orders.api.serializers import (
    CartSerializer,
    CheckoutSerializer,
    ProductListSerializer,
    QuoteSerializer,
    WeekListSerializer,
    WeeksQuery,
)
from apps.orders.checkout.cart import own_listings, site_of
from apps.orders.checkout.create import create_checkout
from apps.orders.checkout.own_orders import get_order, list_my_orders
from apps.orders.checkout.quote import CURRENCY, Quote, QuoteRequest, quote_order
from apps.orders.models import Order
from apps.orders.payments.cancel import cancel_order
from apps.orders.products.catalog import list_products, list_weeks
from apps.orders.tax import vat, vies
from apps.sites.requests import SiteField, SiteRequest, named_site

TAG = "Orders and products"


class ProductsQuery(QuerySerializer):
    include = IncludeField(("listing_statuses", "options_schema"))
    site = SiteField()


class ProductViewSet(ApiViewSet):
    @operation(scope=None, tag=TAG, summary="List products", query=ProductsQuery, returns=ProductListSerializer)
    def list_products(self, request: SiteRequest) -> Response:
        """List everything this site sells, with prices in US cents excluding VAT.

        `options` says what you can choose now, such as open weeks and categories. To upgrade a live
        free listing, buy `launch` without a week. If `current_week` is closing, tell the person before buying
        for it. Next, call quote_order.
        """
        query = self.parse_query(ProductsQuery)
        site = named_site(request, query)
        products, offers = list_products(site)
        body = {"items": products, "currency": CURRENCY, "current_week": running_week(site)}
        return Response(ProductListSerializer(body, context={"offers": offers, **query}).data)


class WeekViewSet(ApiViewSet):
    @operation(scope=None, tag=TAG, summary="List launch weeks", query=WeeksQuery, returns=WeekListSerializer)
    def list_weeks(self, request: SiteRequest) -> Response:
        """List the coming launch weeks with spots left for launches and placements, and prices."""
        query = self.parse_query(WeeksQuery)
        site = named_site(request, query)
        weeks, products = list_weeks(site, count=query["weeks"])
        body = {"items": weeks, "prices": products, "currency": CURRENCY, "current_week": running_week(site)}
        return Response(WeekListSerializer(body).data)


def _read_quote_request(view: ApiViewSet, request: Any) -> QuoteRequest:
    """The body of a quote or checkout. Checking its VAT number can take seconds."""
    body = view.parse(CartSerializer)
    country = body.get("billing_country") or None
    typed = body.get("vat_number") or ""
    check = None
    if typed:
        own = own_listings(body["items"], account=account_of(request))
        site = site_of(body["items"], own=own, default=request.site)
        check = vies.check_number(typed, country=country, seller=vat.seller_of(site))
    return QuoteRequest(
        items=body["items"], country=country, number_check=check, promo_code=body.get("promo_code") or ""
    )


class OrderViewSet(ApiViewSet):
    lookup_url_kwarg = "number"

    def get_object(self) -> Order:
        return get_order(number=self.kwargs["number"], by=actor_of(self.request))

    @operation(
        scope=Scope.ORDERS_WRITE,
        tag=TAG,
        summary="Price an order",
        body=CartSerializer,
        prepare=_read_quote_request,
        returns=QuoteSerializer,
        read_only=True,
        idempotent=True,
        open_world=True,
    )
    def quote_order(self, request: SiteRequest, quote_request: QuoteRequest) -> Response:
        """Price a cart and validate its options without saving or charging anything.

        All items must be for one site. Send billing_country to include VAT, and vat_number for an EU business.
        Send a promo_code exactly as the person gave it, and never guess one. `rate` is in basis points.
        Show `notices` to the person, then call create_checkout.
        """
        priced = quote_order(quote_request, site=request.site, by=actor_of(request), address=client_address(request))
        return Response(QuoteSerializer(_quote_body(priced)).data)

    @operation(
        scope=Scope.ORDERS_WRITE,
        tag=TAG,
        summary="Create a checkout",
        body=CartSerializer,
        prepare=_read_quote_request,
        returns=CheckoutSerializer,
        status=201,
        idempotency_key=True,
        open_world=True,
    )
    def create_checkout(self, request: SiteRequest, quote_request: QuoteRequest) -> Response:
        """Create an order and return checkout_url, where the person reviews and pays it.

        Prices are held until expires_at, and this call charges nothing.
        Give the link to the person, then call get_order after payment.
        """
        order, priced = create_checkout(
            quote_request, site=request.site, by=actor_of(request), address=client_address(request)
        )
        body = {
            **_quote_body(priced),
            "number": order.number,
            "status": order.status,
            "checkout_url": order.checkout_url,
            "expires_at": order.expires_at,
        }
        return Response(CheckoutSerializer(body).data, status=201)

    @operation(
        scope=Scope.ACCOUNT_READ,
        tag=TAG,
        summary="List my orders",
        query=OrderQuery,
        returns=page_of(OrderSummarySerializer),
    )
    def list_my_orders(self, request: Request) -> Response:
        """List the account's orders on every site, newest first. Filter by `status`, and use get_order for details."""
        query = self.parse_query(OrderQuery)
        return Response(
            paginate(
                list_my_orders(by=actor_of(request), status=query.get("status", "")),
                request=request,
                page=query["page"],
                per_page=query["per_page"],
                item=OrderSummarySerializer,
                context={"include": query.get("include", ())},
            )
        )

    @operation(
        scope=Scope.ACCOUNT_READ,
        # Anyone who can create an order must be able to learn whether it was paid.
        or_scope=Scope.ORDERS_WRITE,
        tag=TAG,
        summary="Get an order",
        returns=OrderSerializer,
    )
    def get_order(self, request: Request, number: str) -> Response:
        """Get an order by number: status, VAT, lines and their fulfillment, payments, refunds and invoices.

        Call it after checkout to see whether the order is paid, then follow `next_steps`. If `needs_review` is
        true, tell the person what `review_note` says. Scope orders:write is enough.
        """
        return Response(OrderSerializer(self.target).data)

    @operation(
        scope=Scope.ORDERS_WRITE,
        tag=TAG,
        summary="Cancel an order",
        returns=OrderSerializer,
        destructive=True,
        idempotent=True,
    )
    def cancel_order(self, request: Request, number: str) -> Response:
        """Cancel an unpaid order, so that its checkout page closes and its promo code is free again."""
        cancel_order(order=self.target, by=actor_of(request))
        return Response(OrderSerializer(self.get_object()).data)


def _quote_body(priced: Quote) -> dict[str, Any]:
    totals, decision = priced.totals, priced.decision
    return {
        "site": priced.site.key,
        "items": [
            {
                "product": item.product.name,
                "title": item.title,
                "listing_id": item.listing.pk if item.listing else None,
                "listing_name": item.listing_name,
                "options": item.options,
                "quantity": item.quantity,
                "unit_price_cents": item.unit_price_cents,
                **asdict(line),
            }
            for item, line in priced.lines()
        ],
        "promo": priced.promo and {"code": priced.promo.code, "discount_cents": totals.discount_cents},
        "subtotal_cents": totals.subtotal_cents,
        "discount_cents": totals.discount_cents,
        "net_cents": totals.net_cents,
        "vat": {
            "country": decision.country,
            "rate": decision.rate,
            "amount_cents": totals.vat_cents,
            "treatment": decision.treatment,
            "vat_number_status": decision.number_status,
        },
        "total_cents": totals.total_cents,
        "currency": CURRENCY,
        "current_week": running_week(priced.site),
        "notices": priced.notices,
    }
