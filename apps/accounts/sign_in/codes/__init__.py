"""Codes by email: pages that ask for them and stay forms whatever became of the code."""
