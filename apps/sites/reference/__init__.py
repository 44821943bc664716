"""The API reference: every operation of the OpenAPI document with its fields, its errors, and calls to copy."""
