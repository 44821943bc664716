"""Products and orders in the API."""

from dataclasses import asdict
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.actors import account_of, actor_of
from apps.core.api.operation import operation
from apps.core.api.pagination import page_of, paginate
from apps.core.api.scopes import Scope
from apps.core.api.views import ApiViewSet
from apps.core.request.client_ip import client_address
from apps.launches.calendar.closing import running_week
from apps.orders.api.order_serializers import OrderQuery, OrderSerializer
from apps.orders.api.serializers import (
    CartSerializer,
    CheckoutSerializer,
    ProductListSerializer,
    QuoteSerializer,
)
from apps.orders.checkout.cart import site_of
from apps.orders.checkout.create import create_checkout
from apps.orders.checkout.quote import CURRENCY, Quote, QuoteRequest, quote_order, seller_of
from apps.orders.models import Order
from apps.orders.own_orders import get_order, list_my_orders
from apps.orders.products.catalogue import list_products
from apps.orders.tax import vies
from apps.sites.requests import SiteRequest

TAG = "Orders and products"


class ProductViewSet(ApiViewSet):
    @operation(scope=None, tag=TAG, summary="List products", returns=ProductListSerializer)
    def list_products(self, request: SiteRequest) -> Response:
        """List everything that can be bought on this site, with prices in US cents without VAT.

        `options_schema` says what an item of the product takes now: weeks with a place left, categories, limits.
        For a live listing on the free plan, `launch` is the upgrade to the paid plan: give it no week.
        `current_week` says when the running week closes: in its last days tell the person before anything is bought
        for it. VAT and totals come from quote_order.
        """
        products, offers = list_products(request.site)
        body = {"items": products, "currency": CURRENCY, "current_week": running_week(request.site)}
        return Response(ProductListSerializer(body, context={"offers": offers}).data)


def _read_quote_request(view: ApiViewSet, request: Any) -> QuoteRequest:
    """The body of a quote or checkout; looking up its VAT number can take seconds."""
    body = view.parse(CartSerializer)
    country = body.get("billing_country")
    typed = body.get("vat_number") or ""
    check = None
    if typed:
        site = site_of(body["items"], account=account_of(request), default=request.site)
        check = vies.check_number(typed, country=country, seller=seller_of(site))
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
        """Price items with current prices and check every option; nothing is saved or charged.

        `site` is the one that sells: that of the listings named, else the one asked. An order is for one site.

        Give billing_country to see VAT, vat_number for a business in the EU. A promo_code is taken exactly as the
        person typed it, never guessed: wrong ones are refused with the reason and counted. `notices` are for the
        person.
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
        """Build an order and return checkout_url, the page on which the person reviews and pays it.

        Takes the same body as quote_order; prices are held until expires_at. Nothing is charged here: give the
        address to the person, and read the order with get_order after the payment.
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
        returns=page_of(OrderSerializer),
    )
    def list_my_orders(self, request: Request) -> Response:
        """List the account's orders on all sites, newest first; `status` leaves out the others."""
        query = self.parse_query(OrderQuery)
        return Response(
            paginate(
                list_my_orders(by=actor_of(request), status=query.get("status", "")),
                request=request,
                page=query["page"],
                per_page=query["per_page"],
                item=OrderSerializer,
            )
        )

    @operation(
        scope=Scope.ACCOUNT_READ,
        # Whoever builds an order has to learn whether it was paid.
        or_scope=Scope.ORDERS_WRITE,
        tag=TAG,
        summary="Get an order",
        returns=OrderSerializer,
    )
    def get_order(self, request: Request, number: str) -> Response:
        """Get one of the account's orders by its number: status, totals with VAT, for each line whether it was
        fulfilled, payments, refunds, invoices, and `next_steps` that the owner can take.

        `needs_review` says that the site team looks at a payment; tell the person `review_note` then."""
        return Response(OrderSerializer(self.target).data)


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
