// Everything works without this file. A logo whose file is lost gives way to the generated mark beneath it; a field that
// is there to be copied is selected by one click.
const isLogo = (node) => node instanceof HTMLImageElement && node.closest(".logo");

document.addEventListener("error", ({ target }) => isLogo(target) && target.remove(), true);
for (const image of document.images) {
  if (isLogo(image) && image.complete && !image.naturalWidth) image.remove();
}

document.addEventListener("click", ({ target }) => target instanceof HTMLInputElement && "select" in target.dataset && target.select());

// Browsers tell us by a link's ping of a click that leads out; since not all of them do, this takes its place.
function tellOfVisit({ target, button }) {
  const link = target instanceof Element && target.closest("a[ping], a[data-ping]");
  if (!link || button > 1) return;
  if (link.hasAttribute("ping")) link.dataset.ping = link.getAttribute("ping");
  link.removeAttribute("ping");
  navigator.sendBeacon(link.dataset.ping);
}

document.addEventListener("click", tellOfVisit);
document.addEventListener("auxclick", tellOfVisit);

// Arrow keys walk through the suggestions under a search field, and Escape closes them.
document.addEventListener("keydown", (event) => {
  const form = event.target instanceof Element && event.target.closest("form[data-suggest]");
  if (!form) return;
  const stops = [form.querySelector("input"), ...form.querySelectorAll("li a")];
  if (event.key === "Escape" && stops.length > 1) {
    stops[0].focus();
    form.querySelector(".suggestions").replaceChildren();
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    const next = stops.indexOf(event.target) + (event.key === "ArrowDown" ? 1 : -1);
    stops[(next + stops.length) % stops.length].focus();
  } else return;
  event.preventDefault();
});
