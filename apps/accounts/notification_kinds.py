"""The mails that an account may do without. All others are always sent."""

from django.db import models


class MailKind(models.TextChoices):
    LAUNCHES = "launches", "Your launches"
    STORIES = "stories", "Your founder stories"
    FOLLOWED = "followed", "Listings you follow"
    WEEKLY_NUMBERS = "weekly_numbers", "Weekly numbers"


# What comes of a kind, for the settings.
TEXTS = {
    MailKind.LAUNCHES: "When a launch week is fixed or moved, and when a listing of yours goes live.",
    MailKind.STORIES: "When a story that waited for something is published by itself.",
    MailKind.FOLLOWED: "Each update that is posted by a listing you follow.",
    MailKind.WEEKLY_NUMBERS: "On Mondays: views, visitors, clicks and votes of your live listings in the week before.",
}
# How the sentence "You get this mail because you want mails …" ends.
ABOUT = {
    MailKind.LAUNCHES: "about your launches",
    MailKind.STORIES: "about your founder stories",
    MailKind.FOLLOWED: "of listings you follow",
    MailKind.WEEKLY_NUMBERS: "with your weekly numbers",
}


def default_kinds() -> list[str]:
    """What a new account gets: all that is news, and no regular mail that it did not ask for."""
    return [str(kind) for kind in MailKind if kind != MailKind.WEEKLY_NUMBERS]
