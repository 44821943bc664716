"""A draft under review by its owner; `apps.core.editing` compares it with an assistant's changes in the meantime."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from apps.accounts.actors import Actor
from apps.core.editing.document import Document, validated
from apps.core.editing.marks import Entry, State
from apps.core.editing.merge import EditConflict
from apps.drafts.api.serializers import DraftFieldsSerializer
from apps.drafts.models import Draft
from apps.drafts.review.state import fields_from, state_of
from apps.drafts.services.drafts import confirm_value, update_draft
from apps.drafts.services.pictures import describe_screenshots
from apps.drafts.services.submission import AlreadySubmitted, submit_draft


@dataclass
class DraftDocument(Document[Entry, bool]):
    """Every field that update_draft takes. With `submit`, saving submits the draft and reports what it changed.

    With `confirmed`, saving also remembers that the owner confirmed the value of this field. `alts` are new
    descriptions of screenshots, by URL.

    A submitted draft is returned unchanged, or raises AlreadySubmitted (409) if the entries differ.
    """

    draft: Draft
    by: Actor
    submit: bool = False
    confirmed: str = ""
    alts: Mapping[str, str] = field(default_factory=dict)

    def saved(self) -> State:
        return state_of(self.draft)

    def lock(self) -> None:
        self.draft = Draft.objects.select_for_update().get(pk=self.draft.pk)
        if not (self.draft.is_editable or self._is_submitted):
            # Raises DraftNotReady, with the draft's actual status.
            update_draft(draft=self.draft, fields={}, by=self.by)

    def stale(self, conflicts: Mapping[str, EditConflict]) -> Exception:
        return self._stays() if self._is_submitted else super().stale(conflicts)

    def write(self, changed: Mapping[str, Entry]) -> bool:
        if (changed or self.alts) and self._is_submitted:
            raise self._stays()
        if self.alts:
            describe_screenshots(self.draft, self.alts)
        values, problems = fields_from(changed, draft=self.draft)
        fields = validated(DraftFieldsSerializer(data=values), problems)
        if self.submit:
            submit_draft(draft=self.draft, fields=fields, by=self.by)
        elif fields:
            update_draft(draft=self.draft, fields=fields, by=self.by)
        if self.confirmed:
            confirm_value(draft=self.draft, field=self.confirmed)
        return bool(fields or self.confirmed or self.alts)

    @property
    def _is_submitted(self) -> bool:
        return self.draft.status == Draft.Status.SUBMITTED

    @staticmethod
    def _stays() -> AlreadySubmitted:
        return AlreadySubmitted("This draft was already submitted. Edit its listing instead.")
