// Names for what unfold and select2 draw without one. Screen readers would say "combobox" or nothing.
const name = (root) => {
  for (const box of root.querySelectorAll(".select2-container")) {
    const select = box.previousElementSibling;
    const label = select?.labels?.[0]?.textContent.trim().replace(/\*$/, "") || select?.getAttribute("aria-label");
    const shown = box.querySelector(".select2-selection");
    if (!label || !shown || shown.hasAttribute("aria-label")) continue;
    shown.removeAttribute("aria-labelledby");
    shown.setAttribute("aria-label", label);
    box.querySelector(".select2-selection__rendered")?.setAttribute("aria-label", label);
  }
  for (const field of root.querySelectorAll(".select2-search__field:not([aria-label])")) field.setAttribute("aria-label", "Search");
  // It contains a button beside its entries, which a list must not.
  for (const list of root.querySelectorAll("ul.select2-selection__rendered")) {
    list.setAttribute("role", "group");
    for (const entry of list.querySelectorAll("li")) entry.setAttribute("role", "none");
  }
  for (const tip of root.querySelectorAll(".help-tooltip[aria-label]")) tip.setAttribute("role", "img");
  for (const field of root.querySelectorAll(".selector-filter input:not([aria-label])")) field.setAttribute("aria-label", field.placeholder);
  // Lists side by side would all be called "scrollable content".
  for (const region of root.querySelectorAll('[role="region"][aria-label="scrollable content"]')) {
    const title = document.getElementById(region.closest("[aria-labelledby]")?.getAttribute("aria-labelledby"));
    if (title) region.setAttribute("aria-label", title.textContent.trim());
  }
  for (const head of root.querySelectorAll("#result_list thead th:empty")) head.innerHTML = '<span class="admin-hidden">Order</span>';
};

// Without scripts, some rows are empty and cleared ones are removed.
const addAndRemove = (rows) => {
  const template = rows.querySelector("template");
  const add = rows.querySelector("[data-add]");
  let next = rows.querySelectorAll("[data-row]").length;
  const count = () => {
    for (const button of rows.querySelectorAll("[data-remove]")) button.hidden = false;
    add.hidden = rows.querySelectorAll("[data-row]").length >= Number(rows.dataset.most);
  };
  add.addEventListener("click", () => {
    template.insertAdjacentHTML("beforebegin", template.innerHTML.replaceAll("__row__+1", next + 1).replaceAll("__row__", next));
    next += 1;
    count();
    template.previousElementSibling.querySelector("input, select").focus();
  });
  rows.addEventListener("click", (event) => {
    const row = event.target.closest("[data-remove]")?.closest("[data-row]");
    if (!row) return;
    row.remove();
    count();
    (add.hidden ? rows.querySelector("input, select") : add).focus();
  });
  count();
};

window.addEventListener("load", () => {
  name(document);
  for (const rows of document.querySelectorAll(".admin-rows")) addAndRemove(rows);
  // select2 and "Add another" draw more later.
  new MutationObserver(() => name(document)).observe(document.body, { childList: true, subtree: true });
});
