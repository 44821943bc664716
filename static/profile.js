// Counts the bio's characters while they are typed, as the server counts them, and says that a photo is too large
// before it travels. The page works without this file.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const KEPT = "\n\t\u200d\u200c";

const count = (text) => {
  const clean = text.normalize("NFC").replace(/\r\n?/g, "\n").replace(HIDDEN, (sign) => (KEPT.includes(sign) ? sign : ""));
  return [...clean.trim()].length;
};

for (const note of document.querySelectorAll("[data-count-of]")) {
  const field = document.getElementById(note.dataset.countOf);
  const [least, most] = [Number(note.dataset.least), Number(note.dataset.most)];
  const show = () => {
    const used = count(field.value);
    note.textContent = `${used.toLocaleString("en-US")}/${most.toLocaleString("en-US")}${least ? ` (minimum ${least})` : ""}`;
    note.classList.toggle("over", used > most);
  };
  field.addEventListener("input", show);
  show();
}

for (const field of document.querySelectorAll("[data-most-bytes]")) {
  const most = Number(field.dataset.mostBytes);
  const told = document.createElement("p");
  told.className = "error";
  told.role = "alert";
  told.hidden = true;
  field.after(told);
  field.addEventListener("change", () => {
    const [file] = field.files;
    const isTooLarge = file !== undefined && file.size > most;
    told.textContent = isTooLarge ? `The file is ${Math.ceil((file.size / 2 ** 20) * 10) / 10} MB. Use one of up to ${most / 2 ** 20} MB.` : "";
    told.hidden = !isTooLarge;
    if (isTooLarge) field.value = "";
  });
}
