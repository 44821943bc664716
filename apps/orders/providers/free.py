"""Free orders: paid as soon as they are started, through the same settlement."""

from collections.abc import Mapping

from apps.orders.providers.gateway import (
    Event,
    Gateway,
    RemotePayment,
    RemoteState,
    Session,
    StartRequest,
    WrongSignature,
)


class FreeGateway(Gateway):
    key = "free"
    title = "Nothing to pay"
    note = "The promo code covers everything."
    takes_money = False

    def is_configured(self) -> bool:
        return True

    def start(self, request: StartRequest) -> Session:
        return Session(request.key, request.return_url)

    def fetch(self, reference: str) -> RemotePayment:
        return RemotePayment(reference=reference, state=RemoteState.PAID, amount_cents=0, currency="usd")

    def expire(self, reference: str) -> RemotePayment:
        return self.fetch(reference)

    def refund(self, reference: str, *, amount_cents: int, currency: str, key: str) -> str:
        return key

    def parse_event(self, body: bytes, headers: Mapping[str, str]) -> Event:
        raise WrongSignature("Free orders have no payment events.")
