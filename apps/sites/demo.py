"""Demo sites: the default site and a second one with its own look."""

from apps.core.demo import Demo
from apps.sites.models import Site

DEFAULT = "default"
MAKERS = "makers"


def seed(demo: Demo) -> None:
    """Create both sites and keep them for other apps as DEFAULT and MAKERS."""
    demo.keep(DEFAULT, Site.objects.get(is_default=True))
    makers, _ = Site.objects.get_or_create(
        key=MAKERS,
        defaults={
            "host": "makers.localhost",
            "name": "Makers’ Slip",
            "tagline": "Products by small teams. See what one or two people can build.",
            "hue": 155,
            "free_places_per_week": 10,
            "paid_places_per_week": 4,
            "free_queue_weeks": 2,
        },
    )
    demo.keep(MAKERS, makers)
