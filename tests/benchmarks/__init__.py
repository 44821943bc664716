"""Figures to compare by, on one machine and at one time; nothing here passes or fails."""
