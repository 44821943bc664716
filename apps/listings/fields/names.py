"""Fields that owners can change, and whether each belongs to the company or to one listing."""

COMPANY_FIELDS = frozenset(
    {
        "name", "website", "logo_url", "founded_year", "country", "city", "team_size", "stage", "funding",
        "legal_name", "contact_email", "pricing_model", "price_from_cents", "price_currency", "price_period",
        "platforms", "tech_stack", "audience", "screenshots", "video_url", "docs_url", "openapi_url",
        "mcp_url", "llms_url", "socials",
    }
)  # fmt: skip
# The listing's `categories` belong here, too, but are rows of their own.
SITE_FIELDS = frozenset(
    {
        "headline", "summary", "description", "tags", "alternatives", "faqs",
        "seo_title", "seo_description", "seo_keywords",
    }
)  # fmt: skip
# The fields that `apply_to` copies to other sites.
TRAVELLING_FIELDS = frozenset({"headline", "summary", "seo_title", "seo_description", "seo_keywords"})
# Required on every listing.
REQUIRED_FIELDS = ("name", "headline", "summary")
