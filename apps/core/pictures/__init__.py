"""Pictures from uploads and websites: checked, redrawn without metadata, stored, and served from here."""
