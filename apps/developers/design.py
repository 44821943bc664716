"""The design page, which shows every component in every state."""

from datetime import timedelta
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from apps.core.text.dates import date_text, day_text
from apps.core.web.charts import Chart, Series
from apps.listings.models import Rating
from apps.sites.requests import SiteHttpRequest

COLORS = {
    "Surfaces": ("page", "card", "sunken", "hover", "line", "line-strong"),
    "Text": ("text", "soft", "accent-text"),
    "Accent": ("accent", "accent-hover", "accent-tint", "on-accent", "spark"),
    "Meaning": ("good", "good-tint", "warn", "warn-tint", "bad", "bad-tint"),
    "Medals": ("silver", "silver-tint", "bronze", "bronze-tint"),
}
STATES = ("live", "scheduled", "awaiting_badge", "in_review", "draft", "failed")
_LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"


class SampleForm(forms.Form):
    """A form with every kind of field."""

    name = forms.CharField(label="Name", help_text="As shown on your website.", max_length=20)
    email = forms.EmailField(label="Email")
    headline = forms.CharField(label="Headline", required=False)
    text = forms.CharField(label="Description", widget=forms.Textarea(attrs={"rows": 3}))
    country = forms.ChoiceField(
        label="Country", choices=[("", "Choose a country"), ("de", "Germany"), ("fr", "France")]
    )
    platforms = forms.MultipleChoiceField(
        label="Platforms",
        choices=[("web", "Web"), ("ios", "iOS"), ("android", "Android")],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    plan = forms.ChoiceField(label="Plan", choices=[("free", "Free"), ("paid", "Paid")], widget=forms.RadioSelect)
    photo = forms.FileField(label="Photo", required=False)
    agreed = forms.BooleanField(label="I have read the terms")


def sample_forms() -> list[tuple[str, SampleForm]]:
    """Return the form unfilled and with errors."""
    typed = {"name": _LONG, "email": "ada@", "headline": "Kept as it was typed", "platforms": ["web"]}
    return [("as it opens", SampleForm(prefix="empty")), ("with problems", _refused(typed))]


def _refused(typed: dict[str, Any]) -> SampleForm:
    form = SampleForm({f"refused-{name}": value for name, value in typed.items()}, prefix="refused")
    form.add_error(None, "A problem of the whole form stands above its fields.")
    return form


def listings() -> list[dict[str, Any]]:
    """Return leaderboard rows: voted, own, long, right-to-left and sponsored."""
    texts = [
        ("Orbitly", "A calendar that plans the quiet hours first"),
        (_LONG, f"{_LONG} {_LONG}"),
        ("مواعيد", "منصّة صغيرة لإدارة المواعيد والحجوزات"),
        ("👩‍👩‍👧‍👦 Familia 🏳️‍🌈", "予定帳と請求書をひとつにまとめた静かな道具"),
    ]
    categories = [{"name": name, "page_url": "/categories"} for name in ("Productivity", "Time")]
    return [
        {
            "name": name,
            "slug": f"sample-{place}",
            "page_url": "/about/design",
            "headline": headline,
            "logo_key": "",
            "categories": categories,
            "votes": 180 // place,
            "voted": place == 1,
            "rank": place,
            "points": [place, 4, 7 * place, 9, 20],
            "award": "of the week" if place < 4 else "",
            "rating": Rating(4.6, 12) if place == 1 else None,
            "comment_count": 2 * place,
            "update_count": place - 1,
            "is_sponsored": place == 4,
            "is_open": place < 4,
            "is_own": place == 2,
            "follow": {
                "label": "Follow updates",
                "name": name,
                "slug": f"sample-{place}",
                "url": reverse("follow", args=[f"sample-{place}"]),
                "is_following": place == 1,
            },
        }
        for place, (name, headline) in enumerate(texts, start=1)
    ]


def cards() -> list[dict[str, Any]]:
    """Return a sponsored listing."""
    return [
        {**listing, "website": "https://orbitly.example/", "display_host": "orbitly.example"}
        for listing in listings()[:1]
    ]


def charts() -> list[Chart]:
    """Return charts with two series, one series and no data."""
    today = timezone.now().date()
    days = [today - timedelta(days=30 - day) for day in range(30)]
    labels = [date_text(day) for day in days]
    views = [(day.toordinal() * 37) % 90 + 12 for day in days]

    def chart(key: str, title: str, *series: Series) -> Chart:
        return Chart(
            key=key,
            title=title,
            description=f"{title} in the last 30 days.",
            labels=labels,
            series=series,
            short_labels=[day_text(day) for day in days],
        )

    visitors = [view // 2 for view in views]
    return [
        chart("chart-two", "Views and visitors", Series("views", views), Series("visitors", visitors)),
        chart("chart-one", "Votes", Series("votes", visitors)),
        chart("chart-none", "Nothing yet", Series("clicks", [0] * len(days))),
    ]


def figures() -> list[dict[str, Any]]:
    """Return figures that rose, fell and have no comparison."""
    return [
        {"label": "Views", "value": 12480, "change": "+12%", "is_more": True},
        {"label": "Visitors", "value": 830, "change": "−4%", "is_more": False},
        {"label": "Clicks", "value": 0, "change": "", "is_more": False},
    ]


def order() -> dict[str, Any]:
    """Return an order with a delivered and an undelivered line."""
    line = {"title": "Launch", "listing_name": "Orbitly", "option_text": "Week 47", "quantity": 1}
    return {
        "number": "SL-EXAMPLE",
        "subtotal_cents": 7800,
        "discount_cents": 1560,
        "promo_code": "WELCOME-20",
        "vat": {"rate_text": "19% Germany", "amount_cents": 1186, "note": "A note on the tax."},
        "total_cents": 7426,
        "currency": "USD",
        "lines": [
            line | {"net_cents": 4900, "unit_price_cents": 4900, "state": "Delivered", "state_tone": "good"},
            line
            | {"title": _LONG, "quantity": 2, "net_cents": 2900, "unit_price_cents": 1450, "state": "Failed"}
            | {"state_tone": "bad", "failure": "The week is full. You get the money back."},
        ],
    }


@require_safe
def design(request: SiteHttpRequest) -> HttpResponse:
    """Show tokens and components in this site's look. Uses no database rows, and its forms do nothing."""
    context = {
        "colors": COLORS,
        "states": STATES,
        "forms": sample_forms(),
        "listings": listings(),
        "cards": cards(),
        "charts": charts(),
        "figures": figures(),
        "order": order(),
        "now": timezone.now(),
        # Some components differ for signed-in people, so each is shown both ways.
        "signed_in": {"user": {"is_authenticated": True}, "get_full_path": request.path},
        "signed_out": {"user": {"is_authenticated": False}, "get_full_path": request.path},
        "pages": {"page": 2, "next_url": "?page=3", "previous_url": "?page=1"},
        "tabs": [
            {"label": "Weekly", "url": request.path, "current": True},
            {"label": "Monthly", "url": request.path, "brief": "Month"},
        ],
        "noindex": True,
    }
    return render(request, "developers/design.html", context)
