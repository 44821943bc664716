"""What tests of an owner's pages share: browsers, and forms as browsers send them."""

from typing import Any

from django.test import Client

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.listings.models import Listing

PAGES = ("manage", "edit", "milestones", "updates/new", "history", "statistics")
HOSTILE = "<script>alert(1)</script>"


def form_of(browser: Client, listing: Listing) -> dict[str, Any]:
    """Return what a browser would send of the newly opened editor."""
    context = browser.get(f"{listing.path}/edit").context
    form = context["form"]
    values = {bound.html_name: "" if bound.value() is None else bound.value() for bound in form}
    return {**values, "opened": context["opened"]}


def html_of(answer: Any) -> str:
    text: str = answer.content.decode()
    return text


def by(user: User) -> Actor:
    return Actor(user=user, via="assistant", credential="An assistant")
