"""Pages for developers: every component and every email. Installed in local mode only."""
