"""The pictures that other services show beside a link: what is on them, how they are drawn, and how they are sent."""

from apps.sites.seo.preview_images.answers import preview_answer
from apps.sites.seo.preview_images.drawing import Drawn, draw
from apps.sites.seo.preview_images.picture import HEIGHT, WIDTH, Picture

__all__ = ["HEIGHT", "WIDTH", "Drawn", "Picture", "draw", "preview_answer"]
