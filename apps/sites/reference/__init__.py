"""The API reference: each OpenAPI operation with its fields, errors and calls to copy."""
