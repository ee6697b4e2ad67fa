// Light or dark, before the first paint: as the system has it, until the visitor chooses. A classic script, so that it runs first.

(() => {
  try {
    const chosen = localStorage.getItem("noughts-theme")?.replaceAll('"', "");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // a browser that keeps nothing shows what the system has
  }
})();
