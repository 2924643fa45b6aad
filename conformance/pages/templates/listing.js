// Shows only the entries of a list that are about a rule or have a text. The page says everything without it.
"use strict";
(() => {
  document.documentElement.classList.add("scripted");
  const form = document.querySelector(".filter");
  if (!form) return;
  const entries = Array.from(document.querySelectorAll("[data-listed]"));
  const groups = Array.from(document.querySelectorAll("[data-group]"));
  const texts = new Map(entries.map((entry) => [entry, entry.textContent.toLowerCase()]));
  const below = (rule, wanted) =>
    rule.startsWith(wanted) && !(/\d$/.test(wanted) && /^\d/.test(rule.slice(wanted.length)));

  function filter() {
    const rule = form.elements.rule?.value.trim() ?? "";
    const text = form.elements.text.value.trim().toLowerCase();
    for (const entry of entries)
      entry.hidden =
        (rule && !entry.dataset.listed.split(" ").some((cited) => below(cited, rule))) ||
        (text && !texts.get(entry).includes(text));
    for (const group of groups) group.hidden = !group.querySelector("[data-listed]:not([hidden])");
    const shown = entries.filter((entry) => !entry.hidden).length;
    form.querySelector("output").textContent = rule || text ? `${shown} of ${entries.length}` : "";
  }
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
})();
