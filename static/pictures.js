// The page of pictures works without this file. With it, files are uploaded one after another as soon as they are chosen
// or dropped, with a preview and their progress. `ordering.js` moves screenshots. "Save pictures" still saves all.
const form = document.getElementById("pictures");
const list = form.querySelector(".picture-tiles");
const told = form.querySelector("[data-told]");
const save = form.querySelector(".save-bar button");
const most = Number(form.dataset.most);
const mostBytes = Number(form.dataset.mostBytes);
let waiting = Promise.resolve();
let running = 0;
let isChanged = false;

const tiles = () => [...list.children];
const kept = () => tiles().filter((tile) => !tile.querySelector("[name=remove]").checked);
const megabytes = (bytes) => Math.ceil((bytes / 2 ** 20) * 10) / 10;

function recount() {
  form.querySelector("[data-count]").textContent = `${kept().length}/${most}`;
}

function tell(text) {
  told.textContent = "";
  told.textContent = text;
}

function refuse(input, reasons) {
  const notes = input.closest(".field");
  for (const old of notes.querySelectorAll(".error")) old.remove();
  for (const reason of reasons) {
    const note = document.createElement("p");
    note.className = "error";
    note.role = "alert";
    note.textContent = reason;
    note.dataset.refused = "";
    notes.append(note);
  }
  input.toggleAttribute("aria-invalid", reasons.length > 0);
}

function whyNot(file, input) {
  if (!input.accept.split(",").includes(file.type)) return `${file.name}: This file isn't an image we can read. Use JPEG, PNG or WebP.`;
  if (file.size > mostBytes) return `${file.name}: The file is ${megabytes(file.size)} MB. Use one of up to ${megabytes(mostBytes)} MB.`;
  return "";
}

// A canvas needs no address that the Content-Security-Policy would have to allow.
async function preview(file, place) {
  const canvas = document.createElement("canvas");
  place.replaceChildren(canvas);
  try {
    const image = await createImageBitmap(file, { resizeWidth: 480 });
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext("2d").drawImage(image, 0, 0);
  } catch {
    canvas.remove();
  }
}

function send(field, file, progress) {
  return new Promise((done) => {
    const request = new XMLHttpRequest();
    const failed = (detail) => done({ detail });
    request.open("POST", form.dataset.upload);
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("X-CSRFToken", form.elements.csrfmiddlewaretoken.value);
    request.responseType = "json";
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      progress.max = total;
      progress.value = loaded;
    });
    request.addEventListener("load", () => {
      if (request.response?.url || request.response?.detail) done(request.response);
      else failed("The upload failed. Reload the page and try again.");
    });
    request.addEventListener("error", () => failed("The connection was lost. Try again."));
    request.addEventListener("timeout", () => failed("The upload took too long. Try again."));
    request.timeout = 130_000;
    const body = new FormData();
    body.set("field", field);
    body.set("file", file);
    request.send(body);
  });
}

function queue(job) {
  running += 1;
  save.disabled = true;
  waiting = waiting.then(job).finally(() => {
    running -= 1;
    save.disabled = running > 0;
  });
}

function meter(file) {
  const progress = document.createElement("progress");
  progress.setAttribute("aria-label", `Uploading ${file.name}`);
  return progress;
}

function shown(image) {
  const picture = document.createElement("img");
  picture.src = image;
  picture.alt = "";
  return picture;
}

function fill(tile, { url, image }) {
  tile.querySelector("[name=screenshot]").value = url;
  tile.querySelector("[name=remove]").value = url;
  const [earlier, later] = tile.querySelectorAll("[name=move]");
  [earlier.value, later.value] = [`earlier ${url}`, `later ${url}`];
  tile.querySelector(".picture-place").replaceChildren(shown(image));
}

function addScreenshots(files, input) {
  const room = most - kept().length;
  const reasons = files.map((file) => whyNot(file, input)).filter(Boolean);
  const good = files.filter((file) => !whyNot(file, input));
  if (good.length > room) {
    const over = good.slice(Math.max(room, 0)).map((file) => file.name);
    const named = over.length > 4 ? `${over.slice(0, 3).join(", ")} and ${over.length - 3} more` : over.join(", ");
    reasons.push(`Use up to ${most} screenshots. Not added: ${named}`);
  }
  refuse(input, reasons);
  for (const file of good.slice(0, Math.max(room, 0))) {
    const tile = form.querySelector("template").content.firstElementChild.cloneNode(true);
    const progress = meter(file);
    list.append(tile);
    recount();
    preview(file, tile.querySelector(".picture-place"));
    tile.querySelector(".picture-place").after(progress);
    queue(async () => {
      const answer = await send("screenshots", file, progress);
      progress.remove();
      if (answer.url) {
        fill(tile, answer);
        isChanged = true;
        tell(`${file.name} uploaded`);
      } else {
        tile.remove();
        recount();
        reasons.push(`${file.name}: ${answer.detail}`);
        refuse(input, reasons);
      }
    });
  }
}

function addLogo([file], input) {
  const reason = whyNot(file, input);
  refuse(input, reason ? [reason] : []);
  if (reason) return;
  const place = form.querySelector(".logo-place");
  const old = [...place.children];
  const progress = meter(file);
  preview(file, place);
  input.after(progress);
  queue(async () => {
    const answer = await send("logo_url", file, progress);
    progress.remove();
    if (answer.url) {
      form.elements.logo.value = answer.url;
      isChanged = true;
      form.querySelector("[data-drop=logo_url] [name=remove]")?.closest("label").remove();
      tell(`${file.name} uploaded`);
    } else {
      place.replaceChildren(...old);
      refuse(input, [`${file.name}: ${answer.detail}`]);
    }
  });
}

for (const [name, add] of [["logo_file", addLogo], ["screenshot_files", addScreenshots]]) {
  const input = form.elements[name];
  const zone = input.closest("[data-drop]");
  const take = (files) => files.length && add([...files], input);
  input.addEventListener("change", () => {
    take(input.files);
    // The files are uploaded already, so saving doesn't send them again.
    input.value = "";
  });
  const hasFiles = ({ dataTransfer }) => dataTransfer.types.includes("Files");
  for (const kind of ["dragenter", "dragover"]) {
    zone.addEventListener(kind, (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      zone.classList.add("over");
    });
  }
  zone.addEventListener("dragleave", ({ relatedTarget }) => zone.contains(relatedTarget) || zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    zone.classList.remove("over");
    take(event.dataTransfer.files);
  });
}

list.addEventListener("reordered", () => {
  isChanged = true;
});

form.addEventListener("input", ({ target }) => {
  // A chosen file changes the page once it is uploaded.
  if (target.type === "file") return;
  isChanged = true;
  recount();
});
form.addEventListener("submit", (event) => {
  const reason = form.querySelector("[data-refused]");
  if (running) event.preventDefault();
  else if (isChanged || !reason) isChanged = false;
  else {
    // Saving would only take the reasons away.
    event.preventDefault();
    reason.scrollIntoView({ block: "center" });
    tell(`Nothing to save. ${reason.textContent}`);
  }
});
window.addEventListener("beforeunload", (event) => {
  if (isChanged || running) event.preventDefault();
});
