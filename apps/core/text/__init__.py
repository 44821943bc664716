"""Values that people read: dates, durations, weeks, countries and currencies."""
