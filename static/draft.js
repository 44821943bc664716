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

// Files are uploaded one after another as soon as they are chosen, for one request can't hold them all. Then the draft is
// saved with their URLs. Why others were refused is shown on the page that comes back.
const REFUSED = "draft-refused";
const section = document.getElementById("pictures");
const form = document.getElementById("review");

function refuse(reasons) {
  const notes = reasons.map((reason) => {
    const note = document.createElement("p");
    note.className = "error";
    note.role = "alert";
    note.textContent = reason;
    return note;
  });
  for (const old of section.querySelectorAll(".error")) old.remove();
  section.open = true;
  section.querySelector("[data-save]").before(...notes);
}

function whyNot(file) {
  const most = Number(section.dataset.mostBytes);
  return file.size > most ? `The file is larger than ${most / 2 ** 20} MB.` : "";
}

async function send(field, file) {
  const body = new FormData();
  body.set("field", field);
  body.set("file", file);
  const headers = { Accept: "application/json", "X-CSRFToken": form.elements.csrfmiddlewaretoken.value };
  try {
    const response = await fetch(section.dataset.upload, { method: "POST", body, headers, signal: AbortSignal.timeout(130_000) });
    return await response.json();
  } catch {
    return { detail: "The upload failed. Try again." };
  }
}

async function take(input) {
  const isLogo = input.name === "logo_file";
  const field = form.elements[isLogo ? "logo_url" : "screenshots"];
  const lines = () => field.value.split("\n").filter((line) => line.trim());
  const files = [...input.files];
  const reasons = [];
  const progress = document.createElement("progress");
  progress.max = files.length;
  progress.setAttribute("aria-label", "Uploading");
  input.after(progress);
  input.disabled = true;
  for (const [index, file] of files.entries()) {
    progress.value = index;
    const isFull = !isLogo && lines().length >= Number(section.dataset.most);
    const detail = isFull ? `Use up to ${section.dataset.most} screenshots.` : whyNot(file);
    const answer = detail ? { detail } : await send(isLogo ? "logo_url" : "screenshots", file);
    if (answer.url) field.value = isLogo ? answer.url : [...lines(), answer.url].join("\n");
    else reasons.push(`${file.name}: ${answer.detail}`);
  }
  progress.remove();
  input.disabled = false;
  input.value = "";
  if (reasons.length === files.length) return refuse(reasons);
  sessionStorage.setItem(REFUSED, JSON.stringify(reasons));
  form.requestSubmit(section.querySelector("[data-save]"));
}

if (section) {
  section.querySelector("[data-ordered]")?.addEventListener("reordered", ({ target }) => {
    const field = form.elements.screenshots;
    const lines = field.value.split("\n").filter((line) => line.trim());
    const urls = [...target.children].map((tile) => tile.dataset.url).filter((url) => lines.includes(url));
    // Typed URLs have no tile until the draft is saved.
    field.value = [...urls, ...lines.filter((line) => !urls.includes(line))].join("\n");
    for (const [index, tile] of [...target.children].entries())
      for (const number of tile.querySelectorAll("[data-number]")) number.textContent = index + 1;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  const refused = JSON.parse(sessionStorage.getItem(REFUSED) ?? "[]");
  sessionStorage.removeItem(REFUSED);
  if (refused.length) refuse(refused);
  section.addEventListener("change", ({ target }) => target.type === "file" && target.files.length && take(target));
}
