"""Scripted assistants that know only what the MCP server says; `python -m tests.assistants` gives them tasks."""
