// The buttons that copy a command. Where the browser does not let us, the command is selected instead.
"use strict";
(() => {
  document.documentElement.classList.add("scripted");
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const text = button.parentElement.querySelector("pre");
    let says = "Copied";
    try {
      await navigator.clipboard.writeText(text.textContent);
    } catch {
      getSelection().selectAllChildren(text);
      says = "Selected";
    }
    button.textContent = says;
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
})();
