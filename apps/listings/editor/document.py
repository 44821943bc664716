"""A listing as its owner edits it; `apps.core.editing` compares it with what others did since the form was opened."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.accounts.actors import Actor
from apps.core.editing.document import Document, validated
from apps.core.editing.marks import Entry, State
from apps.listings.editor.form_state import fields_from, state_of
from apps.listings.fields.serializers import ListingFieldsSerializer
from apps.listings.models import Listing
from apps.listings.services.editing import Edit, update_my_listing
from apps.listings.services.locks import lock_company


@dataclass
class ListingDocument(Document[Entry, Edit]):
    """Every field that update_my_listing takes. `apply_to` has the keys of other sites to update as well."""

    listing: Listing
    by: Actor
    apply_to: Sequence[str] = ()

    def saved(self) -> State:
        return state_of(self.listing)

    def lock(self) -> None:
        self.listing = lock_company(self.listing.company_id).listing(self.listing.pk)

    def write(self, changed: Mapping[str, Entry]) -> Edit:
        if not changed and not self.apply_to:
            return Edit(listing=self.listing, changed=[])
        fields, problems = fields_from(changed, socials=self.listing.company.socials)
        fields = validated(ListingFieldsSerializer(data=fields), problems)
        return update_my_listing(listing=self.listing, fields=fields, apply_to=self.apply_to, by=self.by)
