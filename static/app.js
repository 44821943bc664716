// Everything works without this file. A remote logo that does not load gives way to the generated mark beneath it, and
// a small picture of a website to nothing; a field that is there to be copied is selected by one click.
const isRemote = (node) => node instanceof HTMLImageElement && node.parentElement?.matches(".logo, .shots");

document.addEventListener("error", ({ target }) => isRemote(target) && target.remove(), true);
for (const image of document.images) {
  if (isRemote(image) && image.complete && !image.naturalWidth) image.remove();
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
