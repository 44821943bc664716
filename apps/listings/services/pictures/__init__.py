"""Logos and screenshots: checks, rows, downloads and uploads."""
