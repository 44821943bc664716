"""People's own data: download it, or delete the account."""
