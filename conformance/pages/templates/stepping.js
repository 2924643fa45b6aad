// Steps through moments and layers, and shows what touches one object. The page says everything without it.
"use strict";
(() => {
  const root = document.documentElement;
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  root.classList.add("scripted");

  // ---------------------------------------------------------------------------- layers, step by step
  const places = new Map(all(".layers").map((layers) => [layers, Number(layers.dataset.steps)]));

  function goTo(layers, wanted) {
    const last = Number(layers.dataset.steps);
    const place = Math.max(0, Math.min(last, wanted));
    places.set(layers, place);
    for (const part of all("[data-step]", layers)) {
      const step = Number(part.dataset.step);
      part.classList.toggle("later", step > place && place < last);
      part.classList.toggle("now", step === place && place > 0 && place < last);
    }
    for (const looks of all(".looks", layers)) {
      const each = Array.from(looks.children);
      const shown = each.filter((look) => Number(look.dataset.from) <= place).pop() ?? each[0];
      for (const look of each) look.classList.toggle("shown", look === shown);
    }
    const when = place === last ? "After all layers" : place === 0 ? "As printed" : "After this step";
    for (const heading of all(".when", layers)) heading.textContent = when;
    const at = layers.querySelector(".at");
    if (!at) return;
    const card = layers.querySelector(`.effect[data-step="${place}"]`);
    const layer = card?.closest("td").querySelector(".in-layer .label").textContent;
    at.textContent =
      place === last ? "after all layers"
      : place === 0 ? "as printed, before all layers"
      : `step ${place} of ${last}: ${card?.querySelector(".by").textContent ?? "…"} in layer ${layer ?? "…"}`;
    for (const button of all("[data-go]", layers)) {
      button.disabled = { first: place === 0, back: place === 0, on: place === last, last: place === last }[button.dataset.go];
    }
  }

  const moved = (layers, how) => {
    const place = places.get(layers);
    goTo(layers, { first: 0, back: place - 1, on: place + 1, last: Infinity }[how]);
    layers.querySelector(".effect.now")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };

  const shownLayers = () => document.querySelector(".view.shown .layers") ?? document.querySelector(".layers");

  // ------------------------------------------------------------------------- moments of a script
  const scenes = all(".scene");
  let moment = scenes.length - 1;

  function show(number) {
    if (!scenes.length) return;
    moment = Math.max(0, Math.min(scenes.length - 1, number));
    const scene = scenes[moment];
    for (const other of scenes) {
      other.classList.toggle("shown-now", other === scene);
      const button = other.querySelector(".moment-button");
      if (other === scene) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    for (const view of all(".view")) {
      const shown = view.id === scene.dataset.board || view.id === scene.dataset.layers;
      view.classList.toggle("shown", shown);
      if (view.tagName === "DETAILS") view.open = shown;
    }
    const of = document.querySelector(".moments");
    of.querySelector(".at").textContent = `after ${moment}: ${scene.querySelector(".moment-button bdi").textContent}`;
    for (const button of all("[data-step-moment]", of)) {
      button.disabled = moment === (button.dataset.stepMoment === "1" ? scenes.length - 1 : 0);
    }
  }

  // The address is that of the moment, so that it can be sent to somebody.
  function choose(number) {
    show(number);
    history.replaceState(null, "", `#moment-${moment}`);
  }

  // ----------------------------------------------------------------------------- one object alone
  const touching = new Map();
  for (const part of all("[data-touch]")) {
    for (const number of part.dataset.touch.split(" ").filter(Boolean)) {
      if (!touching.has(number)) touching.set(number, []);
      touching.get(number).push(part);
    }
  }
  let pinned = null;

  function pick(number) {
    for (const part of all(".touched")) part.classList.remove("touched");
    root.classList.toggle("picking", number !== null);
    for (const part of touching.get(number) ?? []) {
      part.classList.add("touched");
      // What the object touches stays readable with everything around and in it.
      for (let up = part.parentElement?.closest("[data-touch]"); up; up = up.parentElement?.closest("[data-touch]")) up.classList.add("touched");
      if (part.matches("tr, .tile")) for (const inside of all("[data-touch]", part)) inside.classList.add("touched");
    }
  }

  function pin(number) {
    pinned = pinned === number ? null : number;
    for (const button of all("[data-pick]")) {
      button.setAttribute("aria-pressed", String(button.dataset.pick === pinned));
    }
    pick(pinned);
  }

  // ------------------------------------------------------------------------------- what people do
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.go) moved(button.closest(".layers"), button.dataset.go);
    if (button.dataset.pick) pin(button.dataset.pick);
    if (button.dataset.moment) {
      choose(Number(button.dataset.moment));
      // Where the board is not beside the script, it is far below.
      const scenery = document.querySelector(".scenery");
      if (scenery.offsetLeft < button.offsetWidth) scenery.scrollIntoView();
    }
    if (button.dataset.stepMoment) choose(moment + Number(button.dataset.stepMoment));
  });
  document.addEventListener("pointerover", (event) => {
    if (pinned === null) pick(event.target.closest?.("[data-pick]")?.dataset.pick ?? null);
  });
  document.addEventListener("focusin", (event) => {
    if (pinned === null) pick(event.target.dataset?.pick ?? null);
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape" && pinned !== null) pin(pinned);
    const layers = shownLayers();
    if (layers && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      if (event.target.closest?.("pre")) return;
      moved(layers, event.key === "ArrowLeft" ? "back" : "on");
      event.preventDefault();
    }
    if ((event.key === "ArrowUp" || event.key === "ArrowDown") && event.target.closest?.(".timeline")) {
      choose(moment + (event.key === "ArrowDown" ? 1 : -1));
      scenes[moment].querySelector(".moment-button").focus();
      event.preventDefault();
    }
  });

  for (const layers of places.keys()) goTo(layers, Infinity);
  const asked = /^#moment-(\d+)$/.exec(location.hash);
  if (scenes.length) show(asked ? Number(asked[1]) : moment);
  const opens = document.querySelector("[data-opens-with]");
  if (opens) pin(opens.dataset.opensWith);
})();
