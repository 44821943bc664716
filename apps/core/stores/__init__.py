"""PostgreSQL, its replica, and Valkey."""
