"""Which pages the tour visits, and who; whatever else the URL conf has is named with what it is instead."""

from collections.abc import Iterator, Mapping, Sequence

from django.urls import URLPattern, URLResolver

# Names of the URL conf by visitor. What is in an address comes from `places.Places.values`.
ANYONE = (
    "home", "boards", "board", "ranking", "ledgers", "transparency", "weeks", "pricing", "search", "categories",
    "category",
    "listing", "updates", "stories", "story", "founders", "founder", "newsletter", "past_newsletter", "crawler",
    "connect", "listing_embed", "terms", "privacy", "terms_of_sale", "api_reference", "api_operation", "design",
    "email_previews", "account_login", "account_signup", "account_reset_password", "account_inactive", "unsubscribe",
    "newsletter_confirm", "newsletter_unsubscribe", "newsletter_unsubscribe_email", "stop_emails",
    "checkout", "test_gateway", "checkout_invoice", "webhook_reference", "comments", "comment", "confirm_reminder",
    "compare", "collections", "collection",
    "compare", "reviews", "review",
)  # fmt: skip
OWNER = (
    "dashboard", "drafts", "draft_new", "draft", "draft_differences", "following", "notifications", "api_keys",
    "notification_settings",
    "api_key_new", "api_key_rotate", "connected_apps", "profile", "edit_interview", "interview_history", "orders",
    "order", "invoice", "buy", "badges", "claim_new", "claim", "manage_listing", "edit_listing",
    "listing_milestones", "new_update", "listing_history", "listing_statistics", "archive_listing", "launch",
    "share_listing", "move_launch", "edit_story", "story_preview", "unpublish_story", "story_history",
    "account_email", "account_change_password", "account_logout", "account_reauthenticate", "mfa_index",
    "mfa_list_webauthn", "mfa_add_webauthn", "mfa_activate_totp", "usersessions_list",
    "own_data", "delete_account", "socialaccount_connections", "listing_pictures",
    "webhook_endpoints", "webhook_endpoint_new", "webhook_endpoint", "webhook_endpoint_edit", "webhook_endpoint_rotate",
    "webhook_delivery", "new_comment", "reply_to_comment", "edit_comment", "delete_comment", "report",
    "own_decisions", "appeal",
    "own_collections", "new_collection", "edit_collection", "delete_collection", "save_to_collections",
    "listing_reviews", "new_review", "edit_review", "delete_review", "answer_review",
)  # fmt: skip
VISITS: Mapping[str, Sequence[str]] = {
    # First those whose code or step ends after minutes.
    "stepping": ("mfa_authenticate",),
    "resetting": ("account_confirm_password_reset_code",),
    "renewing": ("account_complete_password_reset",),
    "joining": ("account_email_verification_sent",),
    "anyone": ANYONE,
    "owner": (*OWNER, "listing", "home", "story", "api_operation"),
    "guarded": (
        "account_set_password", "mfa_edit_webauthn", "mfa_remove_webauthn", "mfa_deactivate_totp",
        "mfa_view_recovery_codes", "mfa_generate_recovery_codes", "mfa_reauthenticate", "mfa_reauthenticate_webauthn",
        "mfa_index",
    ),
}  # fmt: skip

NO_PAGES: Mapping[str, Sequence[str]] = {
    "only takes a form": (
        "add_customer_domain", "new_review_link", "remove_customer_domain", "revoke_review_link",
        "api_key_revoke", "app_disconnect", "autosave_interview", "autosave_story", "buy_launch",
        "cancel_order", "checkout_pay", "choose_free", "claim_check", "delete_milestone", "delete_update",
        "draft_cancel", "draft_preview", "finish_setup", "draft_save", "draft_submit", "draft_upload",
        "end_session", "follow", "follow_founder", "follow_collection",
        "interview_restore", "keep_account", "mark_notifications_read", "mfa_login_webauthn", "newsletter_subscribe",
        "newsletter_subscribe_email", "prove", "remind", "remind_email", "remove_photo", "remove_sign_in",
        "restore_listing", "restore_story",
        "start_sign_in", "unfollow", "upload_photo", "upload_picture", "visit_listing", "webhook",
        "webhook_endpoint_delete", "webhook_endpoint_pause", "webhook_endpoint_resume", "webhook_endpoint_test",
        "webhook_redeliver", "webhook_redeliver_since",
    ),
    "a file, a picture or a feed": (
        "badge_image", "badge_picture", "board_image", "brand_css", "brand_picture", "checkout_invoice_pdf",
        "collection_feed", "collection_image", "comments_feed",
        "founder_image", "founder_photo",
        "indexnow_key", "invoice_pdf", "launches_feed", "ledger", "listing_feed", "listing_image", "llms_txt",
        "email_html", "email_text", "mfa_download_recovery_codes", "own_data_download", "picture", "referrers_csv",
        "reviews_feed",
        "robots", "site_image", "sitemap", "sitemap_section", "statistics_csv", "stories_feed", "story_image",
        "updates_feed",
    ),
    "for programs": ("healthz", "oembed", "readyz", "search_suggestions"),
    "leads elsewhere": ("badge", "listings", "socialaccount_login_cancelled"),
    "there for who comes from a provider, in test_providers": (
        "github_callback", "google_callback", "openid_connect_callback", "socialaccount_signup",
        "reauthenticate_by_email",
    ),
    "the page of delete_comment with other words": ("hide_comment", "pin_comment", "show_comment", "unpin_comment"),
    "there for who hasn't voted in an open week, in test_voting": ("vote",),
    "there for who opened the setup link, in test_first_admin": ("first_admin", "first_admin_link"),
    "there for site admins, in test_admin": ("setup",),
    "there once the team has written it, by the template of the terms": ("imprint",),
}  # fmt: skip
# The API and the protocols, the fixed addresses of .well-known, and the admin, whose pages are its theme's own;
# the consent page needs a client's request and is seen in test_consent.
NOT_OURS = ("api/v1/", "admin/", "api(?:", "favicon.ico", "mcp", ".well-known/", "oauth/")


def listed() -> set[str]:
    """All names that the two tables above have."""
    return {name for table in (VISITS, NO_PAGES) for names in table.values() for name in names}


def names_in(patterns: Sequence[URLPattern | URLResolver], route: str = "", space: str = "") -> Iterator[str]:
    """The name of every address, or its route where it has none; what is not ours is left out."""
    for pattern in patterns:
        here = route + str(pattern.pattern).removeprefix("^")
        if isinstance(pattern, URLResolver):
            if not here.startswith(NOT_OURS):
                inner = f"{space}{pattern.namespace}:" if pattern.namespace else space
                yield from names_in(pattern.url_patterns, here, inner)
        elif not here.startswith(NOT_OURS):
            yield f"{space}{pattern.name}" if pattern.name else here
