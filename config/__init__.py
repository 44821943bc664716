"""Configuration of the project: settings, addresses, processes."""
