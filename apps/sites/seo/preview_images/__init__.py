"""Preview images that other services show next to a link: content, drawing and serving."""

from apps.sites.seo.preview_images.answers import preview_answer
from apps.sites.seo.preview_images.drawing import Drawn, draw
from apps.sites.seo.preview_images.picture import HEIGHT, WIDTH, Picture

__all__ = ["HEIGHT", "WIDTH", "Drawn", "Picture", "draw", "preview_answer"]
