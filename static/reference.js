// The API reference works without this file. Here the menu filters while you type, the chosen language stays chosen, and
// requests can be sent.
const LANGUAGE = "reference-language";
const KEY = "reference-key";

// Beside the page, the list is always open. On a phone it opens by its summary, and while somebody filters it.
const list = document.querySelector("[data-wide]");
const wide = matchMedia("(width >= 60rem)");
const open = () => list && (list.open = wide.matches);
wide.addEventListener("change", open);
open();

const filter = document.querySelector("[data-filter]");
filter?.addEventListener("input", () => {
  list.open ||= filter.value !== "";
  const words = filter.value.toLowerCase().split(/\s+/);
  const menu = filter.closest("nav");
  for (const group of menu.querySelectorAll("div")) {
    const links = [...group.querySelectorAll("a[data-text]")];
    for (const link of links) {
      const text = `${link.textContent} ${link.dataset.text}`.toLowerCase();
      link.hidden = !words.every((word) => text.includes(word));
    }
    group.hidden = links.length > 0 && links.every((link) => link.hidden);
  }
  menu.querySelector("[data-none]").hidden = menu.querySelector("a[data-text]:not([hidden])") !== null;
});

const languages = [...document.querySelectorAll(".languages input")];
const chosen = languages.find((input) => input.value === localStorage.getItem(LANGUAGE));
if (chosen) chosen.checked = true;
for (const input of languages) input.addEventListener("change", () => localStorage.setItem(LANGUAGE, input.value));

// The page of a new key hands it over when its owner goes back to the operation.
const handed = document.querySelector("[data-handed-key]");
handed?.addEventListener("click", () => sessionStorage.setItem(KEY, handed.dataset.handedKey));

const section = document.querySelector("[data-try]");
const form = section?.querySelector("form");
if (form) {
  section.hidden = false;
  if (form.elements.key) form.elements.key.value = sessionStorage.getItem(KEY) ?? "";
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("[type=submit]");
    button.disabled = true;
    await send().finally(() => (button.disabled = false));
  });
}

async function send() {
  const { key, body } = form.elements;
  const headers = {};
  if (key) headers.Authorization = `Bearer ${key.value.trim()}`;
  if (body) headers["Content-Type"] = "application/json";
  if (key) sessionStorage.setItem(KEY, key.value.trim());
  const options = { method: form.dataset.method, headers, body: body?.value, credentials: "omit" };
  const started = performance.now();
  try {
    const response = await fetch(address(), options);
    const text = await response.text();
    show(`${response.status} ${response.statusText}`, `${Math.round(performance.now() - started)} ms`, pretty(text));
  } catch (error) {
    show("No response", "", error.message);
  }
}

function address() {
  const at = (place) => [...form.querySelectorAll(`[data-place=${place}]`)].filter((input) => input.value.trim());
  let url = form.dataset.address;
  for (const input of at("path")) url = url.replace(`{${input.name}}`, encodeURIComponent(input.value.trim()));
  const query = new URLSearchParams(at("query").map((input) => [input.name, input.value.trim()]));
  return query.size ? `${url}?${query}` : url;
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function show(status, time, text) {
  const answer = section.querySelector("[data-answer]");
  answer.hidden = false;
  answer.querySelector("[data-status]").textContent = status;
  answer.querySelector("[data-time]").textContent = time;
  answer.querySelector("code").textContent = text;
  answer.scrollIntoView({ block: "nearest" });
}
