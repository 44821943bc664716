"""Version histories: who changed what of something, by which way, and how it comes back."""
