"""Labels of listing fields."""

from apps.core.templatetags.ui import words

LABELS = {
    "logo_url": "Logo",
    "video_url": "Video",
    "docs_url": "Documentation",
    "openapi_url": "OpenAPI description",
    "mcp_url": "MCP server",
    "llms_url": "llms.txt",
    "tech_stack": "Built with",
    "audience": "Made for",
    "founded_year": "Founded",
    "team_size": "Team size",
    "contact_email": "Contact email",
    "pricing_model": "Pricing",
    "price_from_cents": "Price from",
    "price_currency": "Currency",
    "price_period": "Paid per",
    "socials": "Profiles elsewhere",
    "faqs": "Questions and answers",
    "seo_title": "Title for search engines",
    "seo_description": "Description for search engines",
    "seo_keywords": "Keywords",
}
PLATFORMS = {
    "x": "X", "linkedin": "LinkedIn", "github": "GitHub", "gitlab": "GitLab", "youtube": "YouTube",
    "instagram": "Instagram", "facebook": "Facebook", "tiktok": "TikTok", "threads": "Threads",
    "bluesky": "Bluesky", "mastodon": "Mastodon", "discord": "Discord", "slack": "Slack", "telegram": "Telegram",
    "reddit": "Reddit", "producthunt": "Product Hunt", "crunchbase": "Crunchbase", "medium": "Medium",
    "substack": "Substack", "rss": "RSS",
}  # fmt: skip


def label_of(field: str) -> str:
    """Return the label of a field, a profile such as `socials.github`, or the whole of a part such as `faqs.0`."""
    whole, _, part = field.partition(".")
    if part and whole == "socials":
        return PLATFORMS.get(part) or words(part)
    return LABELS.get(whole) or words(whole)
