"""Visits to listing pages: counted without cookies in Valkey, saved as daily numbers in PostgreSQL."""
