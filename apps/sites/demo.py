"""Demo sites: the default site and a second one with its own look."""

from apps.core.demo import Demo
from apps.sites.models import Site

DEFAULT = "default"
MAKERS = "makers"


def seed(demo: Demo) -> None:
    """Create both sites and keep them for other apps as DEFAULT and MAKERS."""
    default = Site.objects.get(is_default=True)
    default.contact_email = "hello@slipway.example"
    default.set_up_at = demo.now
    default.save(update_fields=["contact_email", "set_up_at"])
    demo.keep(DEFAULT, default)
    makers, _ = Site.objects.get_or_create(
        key=MAKERS,
        defaults={
            "host": "makers.localhost",
            "name": "Makers’ Slip",
            "tagline": "Products by small teams. See what one or two people can build.",
            "hue": 155,
            "contact_email": "hello@makers.example",
            "set_up_at": demo.now,
            "free_places_per_week": 10,
            "paid_places_per_week": 4,
            "free_queue_weeks": 2,
        },
    )
    demo.keep(MAKERS, makers)
