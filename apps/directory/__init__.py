"""The pages that show what many apps have: boards, listings, search, prices, and the owner's overview."""
