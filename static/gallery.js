// The gallery of a listing works without this file. Here a picture that does not load gives up its place, the ones that
// are left lead to each other while one is shown large, and buttons scroll those that don't fit.
const gallery = document.querySelector(".gallery");
const bar = gallery.parentElement.querySelector(".gallery-bar");
const largeOf = (shot) => shot.querySelector("dialog");

// Popovers open without this file, but only a modal dialog keeps the focus.
for (const large of gallery.querySelectorAll("dialog")) large.removeAttribute("popover");

function tell() {
  const shots = [...gallery.children];
  shots.forEach((shot, index) => {
    shot.querySelector("[data-position]").textContent = `${index + 1} of ${shots.length}`;
    for (const button of shot.querySelectorAll("[data-step]")) button.hidden = shots.length < 2;
  });
  if (shots.length < 2) bar?.remove();
  else bar.querySelector("[data-total]").textContent = `${shots.length} screenshots`;
  measure();
}

function measure() {
  const most = gallery.scrollWidth - gallery.clientWidth;
  for (const button of bar?.querySelectorAll("[data-scroll]") ?? []) {
    button.hidden = most < 2;
    button.disabled = button.dataset.scroll < 0 ? gallery.scrollLeft < 2 : gallery.scrollLeft > most - 2;
  }
}

function drop(image) {
  const shot = image.closest(".gallery > li");
  if (!shot?.isConnected) return;
  shot.remove();
  if (gallery.childElementCount) return tell();
  (gallery.parentElement.querySelector(":scope > p") ? gallery : gallery.parentElement).remove();
}

function show(shot) {
  // The focus goes back there in the end.
  shot.querySelector(".shot").focus({ preventScroll: true });
  largeOf(shot).showModal();
}

function turn(from, place) {
  const next = [...gallery.children].at(place % gallery.childElementCount);
  if (next === from) return;
  const { step } = document.activeElement.dataset;
  largeOf(from).close();
  show(next);
  if (step) largeOf(next).querySelector(`[data-step="${step}"]`).focus();
}

const step = (from, by) => turn(from, [...gallery.children].indexOf(from) + by);

gallery.addEventListener("error", ({ target }) => drop(target), true);
for (const image of gallery.querySelectorAll(".shot img")) {
  if (image.complete && image.currentSrc && !image.naturalWidth) drop(image);
}
if (gallery.childElementCount) tell();

gallery.addEventListener("scroll", measure, { passive: true });
addEventListener("resize", measure);
bar?.addEventListener("click", ({ target }) => {
  const by = Number(target.closest("[data-scroll]")?.dataset.scroll ?? 0);
  gallery.scrollBy({ left: by * gallery.firstElementChild.offsetWidth });
});

gallery.addEventListener("click", ({ target }) => {
  const shot = target.closest(".gallery > li");
  const button = target.closest("button");
  if (button?.matches(".shot")) show(shot);
  else if (button?.dataset.step) step(shot, Number(button.dataset.step));
  // The dialog itself is hit beside what is on it.
  else if (button || target.matches("dialog")) largeOf(shot).close();
});
const shown = () => gallery.querySelector("dialog[open]");

// The focus may be on nothing of the page.
addEventListener("keydown", (event) => {
  const from = shown()?.closest(".gallery > li");
  const keys = { ArrowLeft: () => step(from, -1), ArrowRight: () => step(from, 1), Home: () => turn(from, 0), End: () => turn(from, -1) };
  if (!from || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

// A finger that goes mostly sideways turns the page.
let began = null;
gallery.addEventListener("pointerdown", ({ target, pointerType, isPrimary, clientX, clientY }) => {
  began = pointerType !== "mouse" && isPrimary && target.closest("dialog") ? [clientX, clientY] : null;
});
gallery.addEventListener("pointerup", ({ clientX, clientY }) => {
  if (!began || !shown()) return;
  const [across, down] = [clientX - began[0], clientY - began[1]];
  began = null;
  if (Math.abs(across) > Math.max(40, 2 * Math.abs(down))) step(shown().closest(".gallery > li"), across < 0 ? 1 : -1);
});
gallery.addEventListener("pointercancel", () => {
  began = null;
});
