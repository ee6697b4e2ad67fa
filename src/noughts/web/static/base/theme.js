// Applies the visitor's theme before the first paint; until one is chosen, the system's. A classic script, because it must run first.

(() => {
  try {
    const chosen = localStorage.getItem("noughts-theme")?.replaceAll('"', "");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // without storage, the system's theme applies
  }
})();
