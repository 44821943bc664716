"""The pages on which people buy, pay and follow orders."""
