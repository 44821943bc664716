// A remote logo that does not load gives way to the generated mark beneath it. Everything else works without this file.
const isLogo = (node) => node instanceof HTMLImageElement && node.parentElement?.classList.contains("logo");

document.addEventListener("error", ({ target }) => isLogo(target) && target.remove(), true);
for (const image of document.images) {
  if (isLogo(image) && image.complete && !image.naturalWidth) image.remove();
}
