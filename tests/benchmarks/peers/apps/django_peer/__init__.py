"""Plain Django on the same tables: DRF and django-ninja as they come, templates, and cached pages."""
