"""Fields that owners can change, and whether each belongs to the company or to one listing."""

COMPANY_FIELDS = frozenset(
    {
        "name", "website", "logo_url", "founded_year", "country", "city", "team_size", "stage", "funding",
        "legal_name", "contact_email", "pricing_model", "price_from_cents", "platforms", "tech_stack",
        "audience", "screenshots", "video_url", "docs_url", "openapi_url", "mcp_url", "llms_url", "socials",
    }
)  # fmt: skip
# Beside them stand the listing's `categories`, which are rows of their own.
SITE_FIELDS = frozenset(
    {
        "headline", "summary", "description", "tags", "alternatives", "faqs",
        "seo_title", "seo_description", "seo_keywords",
    }
)  # fmt: skip
# What `apply_to` takes along to other sites.
TRAVELLING_FIELDS = frozenset({"headline", "summary", "seo_title", "seo_description", "seo_keywords"})
# No listing stands without them.
REQUIRED_FIELDS = ("name", "headline", "summary")
