"""Have a model word headline and summary, if one is set up, and keep only what the website's text supports."""

from apps.drafts.wording_model.wording import word_proposal

__all__ = ["word_proposal"]
