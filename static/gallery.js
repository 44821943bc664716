// The gallery of a listing works without this file. Here a picture that does not load gives up its place, the ones that
// are left lead to each other while one is shown large, and buttons scroll those that don't fit.
const gallery = document.querySelector(".gallery");
const bar = gallery.parentElement.querySelector(".gallery-bar");
const largeOf = (shot) => shot.querySelector("[popover]");

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

function step(from, by) {
  const shots = [...gallery.children];
  if (shots.length < 2) return;
  const large = largeOf(shots.at((shots.indexOf(from) + by) % shots.length));
  largeOf(from).hidePopover();
  large.showPopover();
  large.querySelector(`[data-step="${by}"]`).focus();
}

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
  const button = target.closest("[data-step]");
  if (button) step(button.closest(".gallery > li"), Number(button.dataset.step));
});
const shown = () => gallery.querySelector("[popover]:popover-open");

gallery.addEventListener("keydown", ({ key }) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (by && shown()) step(shown().closest(".gallery > li"), by);
});

// A finger that goes mostly sideways turns the page.
let began = null;
gallery.addEventListener("pointerdown", ({ target, pointerType, isPrimary, clientX, clientY }) => {
  began = pointerType !== "mouse" && isPrimary && target.closest("[popover]") ? [clientX, clientY] : null;
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
