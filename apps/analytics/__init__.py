"""What visitors do on a listing's page: counted without cookies in Valkey, kept as numbers of days in PostgreSQL."""
