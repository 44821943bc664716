"""What was reported or decided: cases with their reports, moderators' decisions and the authors' appeals."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Exists, Min, OuterRef, Q
from django.utils import timezone

MAX_NOTE = 500
MAX_REASON = 300
MAX_APPEAL = 2000
MAX_TITLE = 200


class CaseQuerySet(models.QuerySet["Case"]):
    def open(self) -> "CaseQuerySet":
        """Return what somebody reported and no moderator decided about since."""
        return self.filter(Exists(Report.objects.open().filter(case=OuterRef("pk"))))

    def with_first_report(self) -> "CaseQuerySet":
        """Add the time of the oldest open report as `reported_at`."""
        return self.annotate(reported_at=Min("reports__created_at", filter=Q(reports__closed_at__isnull=True)))


class Case(models.Model):
    """Something that a person wrote, and that was reported or decided about.

    `kind` and `object_id` name it (see apps.moderation.kinds). `text` is as it stood when it was first reported, or
    reported again after a decision.
    """

    kind = models.CharField(max_length=20)
    object_id = models.BigIntegerField()
    # The index of the author's history below begins with it.
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="moderation_cases", db_index=False
    )
    site = models.ForeignKey("sites.Site", on_delete=models.CASCADE, related_name="+")
    title = models.CharField(max_length=MAX_TITLE)
    text = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    objects: ClassVar = CaseQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["kind", "object_id"], name="one_case_per_object")]
        indexes: ClassVar = [models.Index(fields=["author", "-id"], name="cases_of_author")]

    def __str__(self) -> str:
        return self.title or f"Case {self.pk}"


class ReportQuerySet(models.QuerySet["Report"]):
    def open(self) -> "ReportQuerySet":
        return self.filter(closed_at__isnull=True)


class Report(models.Model):
    """What a reader reported. `closed_at` is when a moderator decided, and `decision` what was decided.

    A report without a decision was closed because its object is gone.
    """

    class Reason(models.TextChoices):
        SPAM = "spam", "Spam or advertising"
        ABUSE = "abuse", "Harassment or hate"
        PRIVATE = "private", "Private information"
        FALSE = "false", "False or misleading"
        RIGHTS = "rights", "Copyright or trademark"
        OTHER = "other", "Something else"

    # The constraint and the index below begin with the case.
    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="reports", db_index=False)
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reports", db_index=False
    )
    reason = models.CharField(max_length=10, choices=Reason)
    note = models.CharField(max_length=MAX_NOTE, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True, blank=True)
    decision = models.ForeignKey(
        "moderation.Decision", null=True, blank=True, on_delete=models.SET_NULL, related_name="reports"
    )

    objects: ClassVar = ReportQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["case", "reporter"],
                condition=Q(closed_at__isnull=True),
                name="one_open_report_per_person_and_case",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["case", "created_at"], name="reports_of_case"),
            models.Index(fields=["reporter", "-id"], name="reports_of_person"),
        ]

    def __str__(self) -> str:
        return f"{self.get_reason_display()}: {self.note}" if self.note else str(self.get_reason_display())

    @property
    def outcome(self) -> str:
        """What became of it, in a word or two."""
        if self.decision:
            return str(self.decision.get_action_display())
        return "No longer there" if self.closed_at else "Open"


class Decision(models.Model):
    """What a moderator, or an owner about comments, decided about something that `author` wrote.

    Rows are never changed. `text` is as it stood, and `kept` what restoring it needs if removing deleted it.
    """

    class Action(models.TextChoices):
        APPROVED = "approved"
        REJECTED = "rejected"
        KEPT = "kept", "Kept despite reports"
        REMOVED = "removed"
        RESTORED = "restored"
        HIDDEN = "hidden", "Hidden by the owner"
        SHOWN = "shown", "Shown again by the owner"

    BY_OWNERS: ClassVar = frozenset({Action.HIDDEN, Action.SHOWN})
    # What an author can appeal, and learns the reason of.
    AGAINST: ClassVar = frozenset({Action.REJECTED, Action.REMOVED})

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="decisions")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="moderation_decisions", db_index=False
    )
    action = models.CharField(max_length=10, choices=Action)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.CharField(max_length=MAX_REASON, blank=True, help_text="Sent to the author.")
    note = models.CharField(max_length=MAX_REASON, blank=True, help_text="For moderators only.")
    text = models.TextField(blank=True)
    kept = models.JSONField(default=dict, blank=True, editable=False)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=~Q(action__in=["rejected", "removed"]) | ~Q(reason=""), name="decision_against_has_a_reason"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["author", "-id"], name="decisions_of_author")]

    def __str__(self) -> str:
        return f"{self.get_action_display()}: {self.case}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save a new row. Raises TypeError for one that is saved already."""
        if not self._state.adding:
            raise TypeError("Decisions are never changed.")
        super().save(*args, **kwargs)


class Appeal(models.Model):
    """Why an author disagrees with a decision, and the answer. One for each decision."""

    class Outcome(models.TextChoices):
        OPEN = "", "Open"
        GRANTED = "granted", "Decision reversed"
        DENIED = "denied", "Decision upheld"

    decision = models.OneToOneField(Decision, on_delete=models.CASCADE, related_name="appeal")
    text = models.TextField(max_length=MAX_APPEAL)
    created_at = models.DateTimeField(default=timezone.now)
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True, default=Outcome.OPEN)
    answer = models.CharField(max_length=MAX_REASON, blank=True, help_text="Sent to the author.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(outcome="", decided_at__isnull=True, answer="")
                | (~Q(outcome="") & Q(decided_at__isnull=False)),
                name="decided_appeal_has_its_time",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["id"], condition=Q(outcome=""), name="appeals_to_decide")]

    def __str__(self) -> str:
        return f"Appeal: {self.decision.case}"
