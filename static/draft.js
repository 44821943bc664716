// Puts a text that is picked into its field at once, and lets go of the pick where the field is written in. Without
// this file the server does the former.
const written = new Map();

function radio(selector) {
  return document.querySelector(`[type="radio"]${selector}`);
}

addEventListener("change", ({ target }) => {
  const id = target.dataset?.fills ?? target.dataset?.keeps;
  const field = id && document.getElementById(id);
  if (!field) return;
  if (!written.has(id)) written.set(id, field.value);
  field.value = target.dataset.entry ?? written.get(id);
});

addEventListener("input", ({ target }) => {
  const kept = target.id && radio(`[data-keeps="${CSS.escape(target.id)}"]`);
  if (!kept) return;
  kept.checked = true;
  written.set(target.id, target.value);
  kept.closest("label").querySelector(".value")?.replaceChildren(target.value);
});

// A link of the preview opens beside the form, which may hold unsaved text.
addEventListener("click", ({ target }) => {
  const link = target instanceof Element && target.closest("#preview a");
  if (link) link.target = "_blank";
});

// Files are uploaded as soon as they are chosen. One that is too large never leaves the browser.
addEventListener("change", ({ target }) => {
  const section = target.type === "file" && target.closest("#pictures");
  if (!section) return;
  const most = Number(section.dataset.mostBytes);
  const large = [...target.files].filter((file) => file.size > most);
  for (const old of target.parentElement.querySelectorAll(".error")) old.remove();
  for (const file of large) {
    const note = document.createElement("p");
    note.className = "error";
    note.role = "alert";
    note.textContent = `${file.name}: The file is larger than ${most / 2 ** 20} MB.`;
    target.after(note);
  }
  if (large.length) target.value = "";
  else if (target.files.length) section.querySelector("button").click();
});
