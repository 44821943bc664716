"""The state of a draft's review form, and the suggestions picked in it."""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from apps.core.editing.marks import Entry, Seen, State
from apps.drafts.api.serializers import MAX_PROPOSED_MILESTONES
from apps.drafts.models import Draft
from apps.drafts.proposals.milestones import FIELD as MILESTONES
from apps.drafts.review.findings import Finding, findings_of
from apps.listings.editor import form_state
from apps.listings.editor.form_state import normal

MILESTONE_PARTS = ("date", "title", "description", "url")
PICK = "pick_"


def state_of(draft: Draft) -> State:
    """Return the form's state when opened. Found profiles keep a row even after their removal."""
    state = form_state.state_of_values(draft.proposal)
    del state["website"]
    rows = draft.proposal.get(MILESTONES) or ()
    state[MILESTONES] = normal([[str(row.get(part) or "") for part in MILESTONE_PARTS] for row in rows])
    profiles = [name for item in draft.evidence if (name := str(item["field"])).startswith("socials.")]
    return {**dict.fromkeys(profiles, ""), **state}


def state_from(data: QueryDict) -> State:
    """Return the form's state as sent, without fields that were not on it."""
    state = form_state.state_from(data)
    state.pop("website", None)
    rows = [
        [data.get(f"milestone_{row}_{part}", "") for part in MILESTONE_PARTS] for row in range(MAX_PROPOSED_MILESTONES)
    ]
    if any(f"milestone_{row}_title" in data for row in range(MAX_PROPOSED_MILESTONES)):
        state[MILESTONES] = normal(rows)
    return state


def picked(draft: Draft, data: QueryDict) -> dict[str, Finding]:
    """Return the suggestion picked for each field."""
    chosen = {}
    for name, result in findings_of(draft).items():
        at = data.get(f"{PICK}{name}", "")
        if at.isascii() and at.isdecimal() and len(at) < 4 and int(at) < len(result):
            chosen[name] = result[int(at)]
    return chosen


def with_picked(
    typed: State, picks: Mapping[str, Finding], *, opened: Mapping[str, Seen]
) -> tuple[State, dict[str, str]]:
    """Apply the picks to the form. Returns the problems of fields that were also edited."""
    state, problems = dict(typed), {}
    for name, finding in picks.items():
        stands = typed.get(name, "")
        if stands != finding.entry and Seen.of(stands) != opened.get(name, Seen()):
            problems[name] = "You edited this field and picked a suggestion. Keep one."
        else:
            state[name] = finding.entry
    return state, problems


def fields_from(changed: Mapping[str, Entry], *, draft: Draft) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the API values of changed entries, and the problems of those that can't be read."""
    listed = {name: entry for name, entry in changed.items() if name != MILESTONES}
    fields, problems = form_state.fields_from(listed, socials=draft.proposal.get("socials") or {})
    if MILESTONES in changed:
        rows = [row for row in changed[MILESTONES] if isinstance(row, list)]
        fields[MILESTONES] = [dict(zip(MILESTONE_PARTS, row, strict=True)) for row in rows]
    return fields, problems
