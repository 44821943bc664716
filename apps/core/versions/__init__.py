"""Version histories: who changed what, how, and how to restore it."""
