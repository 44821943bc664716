"""Tags and filters of every page: icons, generated marks, sparklines, prices, dates and states."""

import re
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from hashlib import sha256
from typing import Any

from django import template
from django.conf import settings
from django.template import Context
from django.template.loader import get_template
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from apps.core.pictures.storage import picture_path
from apps.core.text.currencies import format_amount
from apps.core.text.dates import (
    age,
    date_text,
    day_text,
    moment_text,
    second_text,
    time_left,
    week_and_year,
    week_dates,
    week_label,
    week_text,
)
from apps.core.text.durations import wait_text
from apps.core.web.hosts import display_host, display_url

register = template.Library()
register.filter("shown_url", display_url)
register.filter("shown_host", display_host)

HUE_STEP = 10
SPARK_WIDTH, SPARK_HEIGHT, SPARK_MARGIN = 72, 24, 2

# Drawn on a 24×24 grid with round strokes. The stylesheet adds the gradient behind them.
GLYPHS = (
    "M12 5v14M5 10.5h14M7.5 10.5a4.5 4.5 0 0 0 9 0",
    "M6.5 6.5H12V12H6.5zM12 6.5h5.5V12H12zM12 12h5.5v5.5H12z",
    "M4.5 14.5c1.5-4 3-4.5 4.5-1s3 1.5 4-1.5 3-3.5 4-.5 1.5 1 2.5-.5",
    "M5.5 12a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0-13 0M4 12h16",
    "M7 10.5v7M12 6.5v11M17 12.5v5",
    "M6 12.5l6-6 6 6M6 18l6-6 6 6",
    "M6 18C6 10 10 6 18 6c0 8-4 12-12 12zM6 18l6.5-6.5",
    "M12 4.5l6.5 3.75v7.5L12 19.5l-6.5-3.75v-7.5zM12 12v7.5",
    "M12 4.5v5M12 14.5v5M4.5 12h5M14.5 12h5",
    "M12 5.5l7 3.5-7 3.5-7-3.5zM5 14l7 3.5 7-3.5",
    "M5.5 12a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0-13 0M10 12a2 2 0 1 0 4 0a2 2 0 1 0-4 0",
    "M12 5a7 7 0 1 0 7 7h-7zM16 4.5a5 5 0 0 1 3.5 3.5H16z",
    "M6 8h12M6 12h8M6 16h10",
    "M12 5l6 6-6 8-6-8zM6 11h12",
    "M7 17.5V10a5 5 0 0 1 10 0v7.5M5 17.5h14",
    "M5.5 9.5h9a4 4 0 0 1 0 8H10M8.5 6L5 9.5l3.5 3.5",
    "M12 5.5v13M6.4 8.75l11.2 6.5M17.6 8.75L6.4 15.25",
    "M7 17.5a4 4 0 0 1 0-8 5 5 0 0 1 9.7 1A3.5 3.5 0 0 1 16.5 17.5z",
    "M8 6h8l3.5 6-3.5 6H8l-3.5-6zM12 9.5v5M9.5 12h5",
    "M6.5 17.5l11-11M10.5 6.5h7v7",
    "M4.5 17c4 0 3.5-10 7.5-10s3.5 10 7.5 10",
    "M9.5 5.5v13M14.5 5.5v13M5.5 9.5h13M5.5 14.5h13",
    "M12 5a3 3 0 1 0 0 6 3 3 0 1 0 0-6M6.5 18.5a5.5 5.5 0 0 1 11 0",
    "M5.5 6.5h13v8.5h-6L8.5 18.5V15h-3z",
)

# Lucide has no brand marks. These are named by platform keys.
BRANDS = frozenset(file.stem for file in (settings.BASE_DIR / "templates" / "icons" / "brands").glob("*.svg"))

# Published codes that people read under another word.
CODE_WORDS = {"cancelled": "Canceled", "proven": "Verified", "refused": "Rejected"}

STATE_TONES = {
    "good": {"live", "paid", "ready", "submitted", "published", "fulfilled", "active", "proven", "delivered"},
    "warn": {
        "awaiting_badge",
        "in_review",
        "needs_review",
        "pending",
        "processing",
        "partially_refunded",
        "expires_soon",
    },
    "info": {"scheduled", "crawling", "drafting", "open"},
    "bad": {"failed", "rejected", "suspended", "cancelled", "expired", "refunded", "refused", "failing", "disabled"},
}


@cache
def _icon_shapes(name: str) -> str:
    """Return the shapes of a vendored file without its license comment, which is in the LICENSE of its folder."""
    source = get_template(f"icons/{name}.svg").render()
    shapes = re.search(r"<svg[^>]*>(.*)</svg>", source, re.DOTALL)
    if shapes is None:
        raise ValueError(f"icons/{name}.svg is no SVG file")
    return re.sub(r"\s+", " ", shapes[1]).replace("> <", "><").strip()


@register.simple_tag
def icon(name: str, size: int = 16) -> SafeString:
    """Render an icon of the icons folder inline, hidden from assistive technology. `size` is in CSS pixels."""
    return format_html(
        '<svg class="icon" width="{0}" height="{0}" viewBox="0 0 24 24" fill="none" stroke="currentColor" '
        'stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">{1}</svg>',
        size,
        mark_safe(_icon_shapes(name)),  # noqa: S308 (a file of our own templates folder)
    )


def social_icon(platform: str) -> str:
    """Return the icon name of a platform key such as `github`, or a plain link for an unknown one."""
    if platform in BRANDS:
        return f"brands/{platform}"
    return "rss" if platform == "rss" else "link"


@register.simple_tag
def logo(seed: str, key: str = "", size: str = "m") -> SafeString:
    """Render a listing's stored logo over its generated mark, so that a missing or lost image still shows the mark.

    `seed` decides hue and glyph (the slug, so that it never changes). `key` is the logo's. `size` is s, m or l.
    """
    hue, glyph = mark_of(seed)
    side = 192 if size == "l" else 96
    image = (
        format_html(
            '<picture><source srcset="{}" type="image/webp">'
            '<img src="{}" alt="" width="{}" height="{}" loading="lazy" decoding="async"></picture>',
            picture_path(key, f"{side}.webp"),
            picture_path(key, f"{side}.jpg"),
            side,
            side,
        )
        if key
        else ""
    )
    return format_html(
        '<span class="logo logo-{}" data-hue="{}"><svg viewBox="0 0 24 24" fill="none" stroke="currentColor" '
        'stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">'
        '<path d="{}"/></svg>{}</span>',
        size,
        hue,
        glyph,
        image,
    )


def mark_of(seed: str) -> tuple[int, str]:
    """Return hue and glyph of a generated mark."""
    digest = sha256(seed.encode()).digest()
    return digest[0] * 36 // 256 * HUE_STEP, GLYPHS[digest[1] % len(GLYPHS)]


@register.simple_tag
def sparkline(points: Sequence[int] | None) -> SafeString | str:
    """Draw votes over time as a line without axes, hidden from assistive technology.

    Empty below three points: with the last one still counting, two would always seem to fall.
    """
    if not points or len(points) < 3:
        return ""
    low, spread = min(points), max(points) - min(points)
    step = SPARK_WIDTH / (len(points) - 1)
    room = SPARK_HEIGHT - 2 * SPARK_MARGIN
    heights = [(point - low) / spread if spread else 0.5 for point in points]
    line = " ".join(
        f"{position * step:.1f},{SPARK_HEIGHT - SPARK_MARGIN - height * room:.1f}"
        for position, height in enumerate(heights)
    )
    return format_html(
        '<svg class="spark" width="{0}" height="{1}" viewBox="0 0 {0} {1}" fill="none" stroke="currentColor" '
        'stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">'
        '<polyline points="{2}"/></svg>',
        SPARK_WIDTH,
        SPARK_HEIGHT,
        line,
    )


@register.filter
def money(cents: int | None) -> str:
    """Format US cents as `$1,490.00`, with a real minus sign for negative amounts. Empty for None."""
    return "" if cents is None else format_amount(cents, "USD")


@register.filter
def launch_steps(current: str) -> list[dict[str, Any]]:
    """Return the steps of a launch with the current one, for parts/launch_steps.html."""
    names = ("draft", "review", "launch", "share")
    at = names.index(current)
    return [
        {"label": name.title(), "is_done": place < at, "is_current": place == at} for place, name in enumerate(names)
    ]


@register.filter
def price(cents: int) -> str:
    """Format a price as on a tag: `$99`, or `$99.50` with cents."""
    return money(cents).removesuffix(".00")


@register.filter
def negative(cents: int) -> int:
    """Negate an amount such as a discount, so that `money` writes a minus sign."""
    return -cents


for text in (age, date_text, day_text, moment_text, second_text, time_left, wait_text):
    register.filter(text.__name__, text)
for week in (week_and_year, week_dates, week_label, week_text):
    register.filter(week.__name__, week)


@register.filter
def time_ago(moment: datetime | None) -> SafeString | str:
    """Render a time element such as `2 hours ago`, with the full time in its title. Empty for None."""
    if moment is None:
        return ""
    return format_html('<time datetime="{}" title="{}">{}</time>', moment.isoformat(), moment_text(moment), age(moment))


@register.filter
def hue_step(hue: object) -> int:
    """Return the stylesheet's nearest hue (it has one rule every ten degrees), or 270 on a page without a site."""
    return round((hue if isinstance(hue, int) else 270) / HUE_STEP) * HUE_STEP % 360


@register.filter
def words(code: str) -> str:
    """Return a code as people read it: `awaiting_badge` is `Awaiting badge`, `cancelled` is `Canceled`."""
    return CODE_WORDS.get(code) or code.replace("_", " ").capitalize()


@register.filter
def listing_state(status: str) -> str:
    """Return a listing's status as people read it. A submitted listing isn't the draft that it was made from."""
    return "Not launched" if status == "draft" else words(status)


@register.filter
def tone(state: str) -> str:
    """Return the color family of a state: good, warn, info, bad, or neutral."""
    return next((family for family, states in STATE_TONES.items() if state in states), "neutral")


@register.filter
def message_tone(level: str) -> str:
    """Return the color family of a message's level tag, such as `success`."""
    return {"success": "good", "warning": "warn", "error": "bad"}.get(level, "info")


@register.simple_tag(takes_context=True)
def nav_link(context: Context, name: str, label: str, *args: str, holds: str = "") -> SafeString | str:
    """Render a navigation link, marked on its own page. Empty if the page does not exist.

    `holds` has the names of further pages that belong to the link, separated by spaces.
    """
    try:
        address = reverse(name, args=args)
    except NoReverseMatch:
        return ""
    match = getattr(context.get("request"), "resolver_match", None)
    shown = match.url_name if match else None
    current = ""
    if shown == name:
        current = mark_safe(' aria-current="page"')
    elif shown in holds.split():
        current = mark_safe(' aria-current="true"')
    return format_html('<a href="{}"{}>{}</a>', address, current, label)
