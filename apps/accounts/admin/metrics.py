"""Account figures of the admin dashboard."""

from apps.accounts.models import User
from apps.core.admin.metrics import Figure, by_week, register_figures

register_figures(
    Figure(
        title="New accounts",
        hint="New sign-ups.",
        model=User,
        weekly=lambda first: by_week(User.objects.all(), "joined_at", first=first),
    ),
)
