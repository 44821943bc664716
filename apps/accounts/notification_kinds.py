"""The emails that an account may do without. All others are always sent."""

from django.db import models


class NotificationKind(models.TextChoices):
    LAUNCHES = "launches", "Your launches"
    STORIES = "stories", "Your founder stories"
    FOLLOWED = "followed", "Listings you follow"
    WEEKLY_NUMBERS = "weekly_numbers", "Weekly numbers"


# What comes of a kind, for the settings.
TEXTS = {
    NotificationKind.LAUNCHES: "When a launch week is fixed or moved, and when a listing of yours goes live.",
    NotificationKind.STORIES: "When a story that waited for something is published by itself.",
    NotificationKind.FOLLOWED: "Each update that is posted by a listing you follow.",
    NotificationKind.WEEKLY_NUMBERS: (
        "On Mondays: views, visitors, clicks and votes of your live listings in the week before."
    ),
}
# How the sentence "You get this email because you want emails …" ends.
ABOUT = {
    NotificationKind.LAUNCHES: "about your launches",
    NotificationKind.STORIES: "about your founder stories",
    NotificationKind.FOLLOWED: "of listings you follow",
    NotificationKind.WEEKLY_NUMBERS: "with your weekly numbers",
}


def default_kinds() -> list[str]:
    """What a new account gets: all that is news, and no regular email that it did not ask for."""
    return [str(kind) for kind in NotificationKind if kind != NotificationKind.WEEKLY_NUMBERS]
