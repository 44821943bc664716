// Gives every copyable field and snippet its button; without this file they are there to be selected by hand.
const SHOWN_MS = 2000;

async function copy(source) {
  const text = "value" in source ? source.value : source.textContent;
  // The clipboard is closed to plain http on anything but this machine.
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  if ("value" in source) source.select();
  else getSelection().selectAllChildren(source);
  if (!document.execCommand("copy")) throw new Error("not copied");
}

function show(button) {
  const label = button.firstChild;
  const [name, source] = [label.data, button.parentElement.querySelector("input, code")];
  const told = document.createElement("span");
  told.className = "hidden-text";
  told.role = "status";
  button.after(told);
  button.hidden = false;
  button.addEventListener("click", async () => {
    label.data = told.textContent = await copy(source).then(() => "Copied", () => "Press Ctrl+C");
    setTimeout(() => {
      label.data = name;
      told.textContent = "";
    }, SHOWN_MS);
  });
}

const showAll = () => document.querySelectorAll("[data-copy][hidden]").forEach(show);
showAll();
// For what arrives later, such as on an order's page that asks whether the payment came.
document.addEventListener("htmx:load", showAll);
