"""Badges: which ones a listing has earned, their pictures and code, and the check for one on the owner's website."""
