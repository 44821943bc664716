"""This app's pages in the admin's sidebar: by group, model, name of its rows, and Material symbol."""

SIDEBAR = {
    "Directory": (
        ("listings.Listing", "Listings", "storefront"),
        ("listings.Company", "Companies", "domain"),
        ("listings.Category", "Categories", "category"),
        ("listings.Claim", "Claims", "verified_user"),
        ("listings.Update", "Updates", "campaign"),
        ("listings.Milestone", "Milestones", "flag"),
        ("listings.ListingVersion", "Version history", "history"),
    ),
}
