// Finds pages in the index that `search-index.js` holds: [title, address, kind, words].
"use strict";
(() => {
  const MOST = 60;
  const form = document.querySelector(".search-form");
  const list = document.querySelector(".found");
  const field = form.elements.q;
  const fold = (text) => text.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "");
  const entries = window.SEARCH_INDEX.map(([title, address, kind, words]) => ({
    title, address, kind, words, in: fold(title), all: fold(`${title} ${words}`),
  }));

  // A title that is what was asked for comes first, then titles that begin with a word, then all others.
  function score(entry, asked, words) {
    if (!words.every((word) => entry.all.includes(word))) return 0;
    if (entry.in === asked || entry.in.startsWith(`${asked}:`)) return 5;
    if (entry.in.startsWith(asked)) return 4;
    if (words.every((word) => entry.in.includes(word))) return 3;
    return words.some((word) => entry.in.includes(word)) ? 2 : 1;
  }

  function excerpt(entry, words) {
    const folded = fold(entry.words);
    const at = words.map((word) => folded.indexOf(word)).find((place) => place >= 0) ?? 0;
    const from = at < 60 ? 0 : entry.words.indexOf(" ", at - 60) + 1;
    const to = entry.words.length <= from + 200 ? entry.words.length : entry.words.lastIndexOf(" ", from + 200);
    return (from ? "… " : "") + entry.words.slice(from, to > from ? to : from + 200) + (to < entry.words.length ? " …" : "");
  }

  function show() {
    const asked = fold(field.value.trim());
    const words = asked.split(/\s+/).filter(Boolean);
    const found = words.length
      ? entries.map((entry) => [score(entry, asked, words), entry]).filter(([points]) => points)
        .sort(([a], [b]) => b - a)
      : [];
    list.replaceChildren(...found.slice(0, MOST).map(([, entry]) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = entry.address;
      link.textContent = entry.title;
      const kind = document.createElement("span");
      kind.className = "kind";
      kind.textContent = entry.kind;
      const words_ = document.createElement("p");
      words_.className = "small dim";
      words_.textContent = excerpt(entry, words);
      item.append(link, " ", kind, words_);
      return item;
    }));
    form.querySelector("output").textContent = !words.length ? ""
      : found.length > MOST ? `${found.length} found, the first ${MOST} shown`
      : `${found.length} found`;
  }

  function ask() {
    const address = new URL(location.href);
    if (field.value.trim()) address.searchParams.set("q", field.value.trim());
    else address.searchParams.delete("q");
    history.replaceState(null, "", address);
    show();
  }

  document.documentElement.classList.add("scripted");
  field.value = new URLSearchParams(location.search).get("q") ?? "";
  for (const box of document.querySelectorAll(".site-bar input")) box.value = field.value;
  form.addEventListener("input", ask);
  form.addEventListener("submit", (event) => { event.preventDefault(); ask(); });
  show();
  field.focus();
})();
