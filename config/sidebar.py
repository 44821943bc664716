"""The admin's sidebar: pages in groups, under their everyday names."""

from collections.abc import Iterable
from typing import Any

from django.apps import apps
from django.http import HttpRequest
from django.urls import reverse

from apps.core.admin.metrics import may_see
from apps.sites.setup import may_set_up

# By group: model, name of its rows, and Material symbol.
SIDEBAR: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...] = (
    (
        "Directory",
        (
            ("listings.Listing", "Listings", "storefront"),
            ("listings.Company", "Companies", "domain"),
            ("listings.Category", "Categories", "category"),
            ("listings.Claim", "Claims", "verified_user"),
            ("comments.Comment", "Comments", "chat_bubble"),
            ("listings.Update", "Updates", "campaign"),
            ("listings.Milestone", "Milestones", "flag"),
            ("listings.ListingVersion", "Version history", "history"),
            ("drafts.Draft", "Drafts", "edit_note"),
        ),
    ),
    (
        "Launches",
        (
            ("launches.LaunchWeek", "Launch weeks", "calendar_month"),
            ("launches.Standing", "Leaderboards", "leaderboard"),
            ("launches.VoteLedger", "Vote ledgers", "receipt_long"),
            ("launches.LedgerEntry", "Ledger entries", "list"),
        ),
    ),
    (
        "Founders",
        (
            ("stories.FounderStory", "Founder stories", "auto_stories"),
            ("stories.InterviewAnswer", "Interview answers", "forum"),
            ("stories.InterviewVersion", "Interview versions", "history"),
            ("stories.InterviewQuestion", "Interview questions", "help"),
            ("accounts.FounderProfile", "Founder profiles", "badge"),
        ),
    ),
    (
        "Sales",
        (
            ("orders.Order", "Orders", "shopping_cart"),
            ("orders.Invoice", "Invoices and reports", "description"),
            ("orders.Payment", "Payments", "payments"),
            ("orders.Refund", "Refunds", "currency_exchange"),
            ("orders.PaymentEvent", "Provider messages", "webhook"),
            ("orders.Placement", "Placements", "ad_units"),
        ),
    ),
    (
        "Prices and VAT",
        (
            ("orders.Product", "Products and prices", "sell"),
            ("orders.ProductVersion", "Price history", "price_change"),
            ("orders.PromoCode", "Promo codes", "local_offer"),
            ("orders.SellerSettings", "Sellers, VAT and OSS", "account_balance"),
            ("orders.VatRate", "VAT rates", "percent"),
            ("orders.ExchangeRate", "Exchange rates", "euro"),
            ("orders.TermsOfSale", "Terms of sale", "contract"),
        ),
    ),
    (
        "People",
        (
            ("accounts.User", "Accounts", "person"),
            ("auth.Group", "Groups and permissions", "groups"),
            ("accounts.ApiKey", "API keys", "key"),
            ("accounts.Application", "Connected apps", "extension"),
        ),
    ),
    (
        "Site",
        (
            ("sites.Site", "Site settings", "settings"),
            ("sites.SitePage", "Terms, privacy, imprint", "gavel"),
            ("sites.SitePageVersion", "Page versions", "history"),
            ("core.OutgoingEmail", "Outgoing emails", "mail"),
            ("events.Event", "Audit log", "manage_search"),
            ("webhooks.Endpoint", "Webhooks", "webhook"),
            ("webhooks.Delivery", "Webhook deliveries", "outbound"),
        ),
    ),
)


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the groups with what the person may view, without empty groups."""
    start = {"title": "", "items": [{"title": "Overview", "icon": "dashboard", "link": reverse("admin:index")}]}
    groups: list[dict[str, Any]] = [
        {"title": title, "items": list(_items(request, models))} for title, models in SIDEBAR
    ]
    if may_set_up(request.user):
        groups[-1]["items"].insert(0, {"title": "Name, logo and color", "icon": "palette", "link": reverse("setup")})
    return [start, *(group for group in groups if group["items"])]


def _items(request: HttpRequest, models: Iterable[tuple[str, str, str]]) -> Iterable[dict[str, Any]]:
    for label, title, icon in models:
        if may_see(request.user, apps.get_model(label)):
            address = reverse(f"admin:{label.lower().replace('.', '_')}_changelist")
            # By path alone, unfold would also mark /sitepage/ for /sitepageversion/.
            yield {"title": title, "icon": icon, "link": address, "active": request.path.startswith(address)}
