// Shows only the checks with a result, a rule, a feature, a reason or a text. The page says everything without it.
"use strict";
(() => {
  document.documentElement.classList.add("scripted");
  const form = document.querySelector(".filter");
  const output = form.querySelector("output");
  const every = document.querySelector("[data-every]");
  const checks = Array.from(document.querySelectorAll("[data-check]"));
  const groups = Array.from(document.querySelectorAll("[data-group]"));
  const texts = new Map();
  const textOf = (one) => texts.get(one) ?? (texts.set(one, one.textContent.toLowerCase()), texts.get(one));
  const has = (words, wanted) => (words ?? "").split(" ").includes(wanted);
  const below = (rule, wanted) =>
    rule.startsWith(wanted) && !(/\d$/.test(wanted) && /^\d/.test(rule.slice(wanted.length)));
  const fits = {
    result: (one, wanted) => has(one.dataset.check, wanted),
    rule: (one, wanted) => one.dataset.rules.split(" ").some((cited) => below(cited, wanted)),
    feature: (one, wanted) => has(one.dataset.features, wanted),
    reason: (one, wanted) => one.dataset.reason === wanted,
    text: (one, wanted) => textOf(one).includes(wanted.toLowerCase()),
  };
  const fields = Object.keys(fits).filter((name) => form.elements[name]);

  function filter() {
    const wanted = fields.map((name) => [name, form.elements[name].value.trim()]).filter(([, value]) => value);
    let shown = 0;
    for (const one of checks) {
      one.hidden = !wanted.every(([name, value]) => fits[name](one, value));
      if (!one.hidden && one.closest("[data-every]")) shown += 1;
    }
    for (const group of groups) {
      group.hidden = !group.querySelector("[data-check]:not([hidden])");
      if (group.tagName === "DETAILS") group.open = wanted.length > 0;
    }
    output.textContent = wanted.length ? `${shown} ${shown === 1 ? "check" : "checks"}` : "";
    if (every?.tagName === "DETAILS") every.open = wanted.length > 0;
    const query = new URLSearchParams(wanted).toString();
    history.replaceState(null, "", query ? `#${query}` : location.pathname + location.search);
  }

  // The address has what is chosen, so that it can be sent to somebody.
  const asked = new URLSearchParams(location.hash.slice(1));
  for (const name of fields) if (asked.has(name)) form.elements[name].value = asked.get(name);
  if (fields.some((name) => asked.has(name))) filter();

  form.addEventListener("input", filter);
  form.addEventListener("reset", () => setTimeout(filter));
  form.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-filter-rule]");
    if (!button) return;
    form.reset();
    form.elements.rule.value = button.dataset.filterRule;
    filter();
    form.scrollIntoView();
    form.elements.rule.focus();
  });
})();
