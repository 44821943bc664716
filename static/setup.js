// Says how readable white text is on a color while it is chosen, by the formula of the server (apps/core/web/colors.py).
// The page works without this file.
const LEAST = 4.5;

const channel = (hex) => {
  const value = parseInt(hex, 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};

const contrast = (color) => {
  const [red, green, blue] = [1, 3, 5].map((place) => channel(color.slice(place, place + 2)));
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
};

for (const field of document.querySelectorAll("[data-color]")) {
  const note = field.closest(".field").querySelector(".help");
  if (!note) continue;
  note.setAttribute("aria-live", "polite");
  field.addEventListener("input", () => {
    const ratio = contrast(field.value);
    const shown = Math.floor(ratio * 10) / 10;
    note.textContent = ratio < LEAST ? `White text on it: ${shown}:1. Use a darker shade (minimum ${LEAST}:1).` : `White text on it: ${shown}:1 (minimum ${LEAST}:1).`;
    note.classList.toggle("over", ratio < LEAST);
  });
}
