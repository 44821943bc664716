"""The engine behind the editors of stories and interviews: nobody loses a word, and nobody overwrites one unseen.

A `Document` is what one person edits: named fields, the texts that are saved in them, and how to save them. What was
typed and not saved yet is kept as WorkingText, one row a field, theirs alone; `autosave` writes it and touches nothing
that is public. A form carries `opened`, by field the marks of two texts (`Seen`): of the one that was saved and of the
one that it showed when it was opened. By these marks three things are told apart: a field that was left as it was
found, one that was typed into, and one that somebody else changed meanwhile. What was changed on both sides is a
`Conflict`: both texts are kept and shown, and only saving a form that has shown it puts one in place of the other.

- `open_document(document)`: the fields as the editor shows them.
- `autosave(document, typed=, opened=)`: keep what was typed; how its fields stand then.
- `save(document, typed=, opened=)`: save what was changed. A refusal keeps all that was typed before it is raised.
- `refused(document, typed=, opened=, problems=)`: the fields as the page shows them after a refusal.
- `take(document, name, typed=, opened=, kind=)`: give up what was typed in one field for what stands against it.
- `discard(document)`: throw away all that was not saved.
"""

from apps.stories.editing.documents import Document, Field
from apps.stories.editing.engine import MAX_KEPT_CHARACTERS, autosave, discard, open_document, save, take
from apps.stories.editing.merging import Conflict, Fate, Overtaken, Seen, judge
from apps.stories.editing.shown import Shown, dump_opened, has_conflicts, read_opened, refused

__all__ = [
    "MAX_KEPT_CHARACTERS",
    "Conflict",
    "Document",
    "Fate",
    "Field",
    "Overtaken",
    "Seen",
    "Shown",
    "autosave",
    "discard",
    "dump_opened",
    "has_conflicts",
    "judge",
    "open_document",
    "read_opened",
    "refused",
    "save",
    "take",
]
