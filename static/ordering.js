// Lists whose entries move by arrows and by dragging. Without this file, the arrows save the form. A list that stands
// outside of its form is in a block with `data-ordering`.
for (const list of document.querySelectorAll("[data-ordered]")) {
  const block = list.closest("form, [data-ordering]");
  const told = block.querySelector("[data-told]");
  const entries = () => [...list.children];
  const reordered = () => list.dispatchEvent(new Event("reordered"));

  for (const hint of block.querySelectorAll("[data-hint]")) hint.hidden = false;

  list.addEventListener("click", (event) => {
    const button = event.target.closest("[name=move]");
    if (!button) return;
    event.preventDefault();
    const entry = button.closest("li");
    const isEarlier = button.value.startsWith("earlier");
    const other = isEarlier ? entry.previousElementSibling : entry.nextElementSibling;
    if (other) {
      if (isEarlier) other.before(entry);
      else other.after(entry);
      reordered();
      button.focus();
    }
    told.textContent = "";
    told.textContent = `${list.dataset.ordered} ${entries().indexOf(entry) + 1} of ${entries().length}`;
  });

  let dragged = null;
  list.addEventListener("dragstart", ({ target, dataTransfer }) => {
    dragged = target.closest("li");
    dataTransfer.effectAllowed = "move";
  });
  list.addEventListener("dragover", (event) => {
    const entry = event.target.closest?.("li");
    if (!dragged) return;
    event.preventDefault();
    if (!entry || entry === dragged) return;
    if (entries().indexOf(entry) < entries().indexOf(dragged)) entry.before(dragged);
    else entry.after(dragged);
    reordered();
  });
  list.addEventListener("dragend", () => {
    dragged = null;
  });
  // Text can be selected in a field of an entry that can be dragged.
  for (const [kind, isDraggable] of [["focusin", false], ["focusout", true]]) {
    list.addEventListener(kind, ({ target }) => {
      if (target.matches("[type=text]")) target.closest("li").draggable = isDraggable;
    });
  }
}
