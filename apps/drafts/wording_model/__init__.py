"""Headline and summary worded by a model, where one is set up, and kept only if the website's own text bears them."""

from apps.drafts.wording_model.wording import word_proposal

__all__ = ["word_proposal"]
