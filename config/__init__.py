"""Configuration of the project: settings, addresses, processes."""

# Of the product. The wheel, the OpenAPI document, the MCP server and its registry entry have it from here.
__version__ = "0.1.0"
