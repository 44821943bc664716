"""Dates and times on admin pages, in the format of apps/core/text/dates.py. Django prefers these to the settings."""

DATE_FORMAT = "M j, Y"
DATETIME_FORMAT = r"M j, Y, H:i \U\T\C"
TIME_FORMAT = "H:i"
