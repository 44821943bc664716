"""Delete accounts: schedule with time to reconsider, then erase what the table of personal data says."""

import logging
from datetime import timedelta

from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.utils import timezone
from django.utils.module_loading import import_string

from apps.accounts.models import User
from apps.accounts.own_data import emails
from apps.core.errors import Conflict
from apps.core.operations.personal_data.erasure import erase_rows
from apps.core.operations.personal_data.records import table

logger = logging.getLogger(__name__)

GRACE = timedelta(days=14)


class StaffAccount(Conflict):
    code = "staff_account"
    title = "Site admins can't be deleted"


def why_not_deletable(user: User) -> str:
    """Return why an account can't be deleted, as a sentence, or an empty string."""
    if user.is_staff or user.is_superuser:
        return "This account is a site admin. Ask a superuser to remove its permissions first."
    return "This account is deleted." if user.erased_at else ""


@transaction.atomic
def schedule_deletion(*, user: User) -> User:
    """Schedule an account's deletion in 14 days, and email its owner. A second call changes nothing.

    Until then, everything works as before. Raises StaffAccount (409) for site admins and for deleted accounts.
    """
    user = User.objects.select_for_update().get(pk=user.pk)
    if problem := why_not_deletable(user):
        raise StaffAccount(problem)
    if user.deletion_due_at is None:
        user.deletion_due_at = timezone.now() + GRACE
        user.save(update_fields=["deletion_due_at"])
        emails.tell_deletion_is_scheduled(user)
        logger.info("deletion of an account scheduled", extra={"account": user.pk})
    return user


@transaction.atomic
def cancel_deletion(*, user: User) -> User:
    """Keep an account whose deletion is scheduled. Does nothing for others."""
    user = User.objects.select_for_update().get(pk=user.pk)
    if user.deletion_due_at is not None and user.erased_at is None:
        due_at, user.deletion_due_at = user.deletion_due_at, None
        user.save(update_fields=["deletion_due_at"])
        emails.tell_deletion_is_canceled(user, due_at=due_at)
    return user


def due_deletions() -> list[int]:
    """Return the accounts whose 14 days are over."""
    due = User.objects.filter(deletion_due_at__lte=timezone.now(), erased_at__isnull=True)
    return list(due.order_by("deletion_due_at").values_list("pk", flat=True))


def erase_account(user_id: int) -> bool:
    """Erase an account whose 14 days are over. Returns False if its owner kept it or it is already erased.

    Closes orders and listings first. If one refuses, such as during a payment, this raises its error, and the next run
    tries again. The row stays as a pseudonym, because orders, invoices and companies refer to it.
    """
    user = User.objects.filter(pk=user_id, deletion_due_at__lte=timezone.now(), erased_at__isnull=True).first()
    # Somebody may have become a site admin since.
    if user is None or why_not_deletable(user):
        return False
    for step in table("BEFORE_ERASURE"):
        import_string(step)(account=user)
    return _erase(user)


@transaction.atomic
def _erase(user: User) -> bool:
    locked = User.objects.select_for_update().get(pk=user.pk)
    if locked.erased_at or locked.deletion_due_at is None or why_not_deletable(locked):
        return False
    for session in UserSession.objects.filter(user=locked):
        session.end()
    email, pseudonym = locked.email, f"erased-{locked.pk}@erased.invalid"
    counts = erase_rows(locked)
    locked.refresh_from_db()
    locked.email = pseudonym
    locked.is_active = False
    locked.erased_at = timezone.now()
    locked.set_unusable_password()
    locked.save()
    locked.groups.clear()
    locked.user_permissions.clear()
    about = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(User), object_id=str(locked.pk))
    about.update(object_repr=pseudonym)
    emails.tell_account_is_deleted(user_id=locked.pk, email=email)
    logger.info("account erased", extra={"account": locked.pk, "rows": sum(counts.values())})
    return True
