// Loads the page again when our server has drawn it anew.
"use strict";
(() => {
  const changes = new EventSource("changes");
  changes.onmessage = (event) => {
    if (event.data !== document.body.dataset.version) location.reload();
  };
  changes.onerror = () => document.documentElement.classList.add("ended");
  changes.onopen = () => document.documentElement.classList.remove("ended");
})();
