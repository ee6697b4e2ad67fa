// What the browser keeps between visits: choices, and the game on the table. Without storage the page works, and forgets.

/**
 * @param {string} name
 * @returns {any} what was kept, null if nothing or if it cannot be read
 */
export function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(`noughts-${name}`) ?? "null");
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {any} value
 */
export function keep(name, value) {
  try {
    localStorage.setItem(`noughts-${name}`, JSON.stringify(value));
  } catch {
    // full or forbidden: nothing that the page cannot do without
  }
}

/** The theme in use, "light" or "dark". */
export function theme() {
  const chosen = document.documentElement.dataset.theme;
  if (chosen) return /** @type {"light"|"dark"} */ (chosen);
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** Changes from light to dark or back, and keeps that. */
export function turnTheme() {
  const next = theme() === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem("noughts-theme", next);
  } catch {
    // then it lasts as long as the page
  }
  return next;
}
