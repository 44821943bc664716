"""The visitors of the tour, each with a session, and the things of theirs that pages are about."""

import json
import time
from typing import Any

from allauth.account.internal.flows.login import record_authentication
from allauth.account.internal.flows.password_reset_by_code import PASSWORD_RESET_VERIFICATION_SESSION_KEY
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.conf import settings
from django.http import HttpRequest
from django.test import Client
from django.utils import timezone

from apps.accounts import demo
from apps.accounts.actors import Actor
from apps.accounts.models import ApiKey, FounderProfile, NotificationKind, User
from apps.accounts.notifications import services as notifications
from apps.comments.models import Comment
from apps.comments.services.moderation import remove_comment
from apps.comments.services.writing import post_comment
from apps.core.text.weeks import Week
from apps.curation.models import Collection
from apps.curation.services.collections import create_collection
from apps.curation.services.items import save_listing
from apps.launches.services import reminders
from apps.listings.claims.services import claim_website
from apps.listings.models import Listing
from apps.listings.services import followers
from apps.moderation.models import Decision
from apps.newsletter import subscriptions
from apps.newsletter.models import NewsletterSubscription
from apps.orders.checkout.create import create_checkout
from apps.orders.checkout.quote import QuoteRequest
from apps.orders.checkout.terms_of_sale import latest_terms
from apps.orders.models import Order
from apps.reviews.models import Review
from apps.reviews.services.links import create_link
from apps.reviews.services.writing import post_review
from apps.stories.models import FounderStory
from apps.webhooks import services as webhooks
from tests.accounts.soft_passkey import SoftPasskey
from tests.browser.tour.awkward import TEXTS
from tests.browser.tour.places import last_part
from tests.drafts.factories import PROPOSAL, DraftFactory
from tests.factories import PASSWORD, ApplicationFactory, UserFactory, access_token
from tests.orders.carts import BILLING

_A_DAY = 24 * 3600
# Of the demo's listings: one that is live, one that waits, and one of somebody else.
LIVE, WAITING, FOREIGN = "sundial", "marginalia", "orbitly"
# One of somebody else, without a review by the owner.
UNREVIEWED = "inkwell"
OF_ENDPOINTS = ("webhook_endpoint", "webhook_endpoint_edit", "webhook_endpoint_rotate")


def prepare() -> dict[str, Any]:
    """Make everything; returns what `places.Places` has."""
    owner = User.objects.get(email=demo.OWNER_EMAIL)
    # Her account needs no second step and has a password; this one's is the other way round.
    guarded = UserFactory.create(email="guarded@example.com", name=TEXTS[0])
    TOTP.activate(guarded, generate_totp_secret())
    RecoveryCodes.activate(guarded)
    stepping = _client()
    stepping.post("/account/sign-in", {"login": guarded.email, "password": PASSWORD})
    passkey = _passkey(guarded)
    resetting, renewing = _resetting(owner), _resetting(owner)
    state = renewing.session[PASSWORD_RESET_VERIFICATION_SESSION_KEY]
    renewing.post("/account/password/reset/code", {"code": state["code"]})
    joining = _client()
    joining.post("/account/sign-up", {"email": "new@example.com", "password1": PASSWORD})
    guarded.set_unusable_password()
    guarded.save()
    visitors = {
        "owner": _signed_in(owner),
        "guarded": _signed_in(guarded),
        "stepping": stepping,
        "resetting": resetting,
        "renewing": renewing,
        "joining": joining,
    }
    cookies = {name: client.cookies[settings.SESSION_COOKIE_NAME].value for name, client in visitors.items()}
    return {
        "cookies": cookies,
        "values": _values(owner) | {name: {"pk": passkey.pk} for name in ("mfa_edit_webauthn", "mfa_remove_webauthn")},
    }


def _values(owner: User) -> dict[str, dict[str, Any]]:
    live = Listing.objects.get(slug=LIVE, site__is_default=True)
    draft = DraftFactory.create(ready=True, owner=owner, proposal={**PROPOSAL, "name": TEXTS[0], "summary": TEXTS[1]})
    reread = DraftFactory.create(ready=True, owner=owner, listing=None, rereads=live, url=live.company.website)
    foreign = Listing.objects.get(slug=FOREIGN, site__is_default=True)
    claim = claim_website(site=live.site, url=foreign.company.website, by=Actor(user=owner, via="browser"))
    access_token(
        owner, resource=f"{settings.PUBLIC_BASE_URL}/mcp", application=ApplicationFactory.create(name=TEXTS[0])
    )
    # Of a listing whose plan does not open its sections already.
    waiting = Listing.objects.get(slug=WAITING, site__is_default=True)
    paid = _paid(waiting)
    invoice = paid.invoices.get()
    open_order = _order(waiting, "section_faq")
    paying = _order(waiting, "section_gallery")
    week = str(Week.of(timezone.now()))
    reading = NewsletterSubscription(site=live.site, user=owner)
    by_email = NewsletterSubscription.objects.create(site=live.site, email="reader@example.com")
    following_token = last_part(followers.unsubscribe_url(listing=live, user_id=owner.pk))
    stop = notifications.stop_url(site=live.site, user_id=owner.pk, kind=NotificationKind.STORIES)
    told = FounderStory.objects.published().filter(listing__site=live.site, author__founder_profile__isnull=False)[0]
    category = live.categories.first()
    assert category is not None
    endpoint, _ = webhooks.create_webhook_endpoint(
        account=owner, url="https://hooks.example/slipway", name=TEXTS[0][:60]
    )
    delivery = webhooks.send_webhook_test(endpoint=endpoint)
    foreign_comment = Comment.objects.filter(listing=foreign).exclude(author=owner)[0]
    own_comment = post_comment(
        listing=foreign, text=TEXTS[1], by=Actor(user=owner, via="browser"), reply_to=foreign_comment
    )
    by = Actor(user=owner, via="browser")
    own_collection = create_collection(site=live.site, name=TEXTS[0][:60], description=TEXTS[1][:500], by=by)
    save_listing(listing=live, chosen={own_collection.pk}, offered={own_collection.pk}, by=by)
    foreign_review = Review.objects.filter(listing=foreign, status="posted").exclude(author=owner)[0]
    own_review = post_review(listing=foreign, rating=3, text=f"{TEXTS[1]} {'x' * 50}", by=by)
    create_link(listing=live, label=TEXTS[0][:60], by=by)
    removed = post_comment(listing=foreign, text=TEXTS[0], by=by)
    remove_comment(comment=removed, reason=TEXTS[0][:300], by=Actor(user=None, via="admin"))
    decision = Decision.objects.filter(author=owner, action=Decision.Action.REMOVED).latest("pk")
    upcoming = Listing.objects.upcoming().filter(site=live.site)[0]
    return {
        **{name: {"slug": FOREIGN} for name in ("comments", "new_comment")},
        **{name: {"slug": FOREIGN, "comment_id": foreign_comment.pk} for name in ("comment", "reply_to_comment")},
        "report": {"kind": "comment", "object_id": foreign_comment.pk},
        "appeal": {"decision_id": decision.pk},
        **{name: {"slug": FOREIGN, "comment_id": own_comment.pk} for name in ("edit_comment", "delete_comment")},
        "collection": Collection.objects.public()[0].arguments,
        **dict.fromkeys(("edit_collection", "delete_collection"), own_collection.arguments),
        "save_to_collections": {"slug": FOREIGN},
        "reviews": {"slug": FOREIGN},
        "review": {"slug": FOREIGN, "review_id": foreign_review.pk},
        **{name: {"slug": FOREIGN, "review_id": own_review.pk} for name in ("edit_review", "delete_review")},
        "answer_review": {"slug": LIVE, "review_id": Review.objects.filter(listing=live)[0].pk},
        "new_review": {"slug": UNREVIEWED},
        "confirm_reminder": {"token": last_part(reminders.confirm_url(upcoming, "reader@example.com"))},
        "compare": {"pair": "-vs-".join(sorted((live.slug, foreign.slug)))},
        "draft": {"pk": draft.pk},
        "draft_differences": {"pk": reread.pk},
        "claim": {"pk": claim.pk},
        "checkout": {"secret": open_order.secret},
        "test_gateway": {"session": last_part(_start_paying(paying))},
        "order": {"number": paid.number},
        "invoice": {"number": paid.number, "invoice_number": invoice.number},
        "checkout_invoice": {"secret": paid.secret, "invoice_number": invoice.number},
        "buy": {"listing_id": live.pk},
        **{name: {"endpoint_id": endpoint.pk} for name in OF_ENDPOINTS},
        "webhook_delivery": {"endpoint_id": endpoint.pk, "delivery_id": delivery.pk},
        "api_key_rotate": {"key_id": ApiKey.objects.filter(user=owner)[0].pk},
        "past_newsletter": {"week": week},
        "board": {"key": "community-weekly"},
        "category": {"slug": category.slug},
        "founder": {"slug": FounderProfile.objects.get(user=told.author).slug},
        "story": {"slug": told.listing.slug},
        "unsubscribe": {"token": following_token},
        "newsletter_unsubscribe": {"token": last_part(subscriptions.unsubscribe_url(reading, live.site))},
        "newsletter_unsubscribe_email": {"token": last_part(subscriptions.unsubscribe_url(by_email, live.site))},
        "newsletter_confirm": {"token": last_part(subscriptions.confirm_url(live.site, "reader@example.com"))},
        "stop_emails": {"token": last_part(stop)},
        **{name: {"slug": WAITING} for name in ("launch", "move_launch")},
    }


def _client() -> Client:
    return Client(SERVER_NAME="localhost")


def _signed_in(user: User) -> Client:
    client = _client()
    client.force_login(user)
    # As if the password had been typed later, so that no page asks for it again, however long the tour takes.
    request = HttpRequest()
    request.session = client.session
    record_authentication(request, user, method="password", reauthenticated=True, at=time.time() + _A_DAY)
    request.session.save()
    return client


def _resetting(user: User) -> Client:
    client = _client()
    client.post("/account/password/reset", {"email": user.email})
    return client


def _passkey(user: User) -> Authenticator:
    options = {"user": {"id": str(user.pk)}, "rp": {"id": "localhost"}, "challenge": "abcd" * 8}
    credential = json.loads(SoftPasskey().create({"publicKey": options}))
    return Authenticator.objects.create(user=user, type="webauthn", data={"name": TEXTS[0], "credential": credential})


def _order(listing: Listing, product: str) -> Order:
    quote_request = QuoteRequest(items=[{"listing_id": listing.pk, "product": product}])
    order, _ = create_checkout(
        quote_request, site=listing.site, by=Actor(user=listing.company.owner, via="browser"), address="127.0.0.1"
    )
    return order


def _start_paying(order: Order) -> str:
    form = {**BILLING, "name": TEXTS[0], "company": TEXTS[1], "address": TEXTS[2]}
    _client().post(f"/checkout/{order.secret}", form)
    order.refresh_from_db()
    terms = latest_terms(order.site)
    assert terms is not None
    pressed = {"total_cents": order.total_cents, "method": "test", "terms": "on", "terms_version": terms.pk}
    answer = _client().post(f"/checkout/{order.secret}/pay", form | pressed)
    assert answer.status_code == 302, answer.content.decode()
    return str(answer["Location"])


def _paid(listing: Listing) -> Order:
    order = _order(listing, "section_milestones")
    _client().post(_start_paying(order), {"action": "pay"})
    order.refresh_from_db()
    return order
