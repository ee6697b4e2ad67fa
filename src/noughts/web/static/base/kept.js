// What the browser keeps between visits: choices, and the game on the table. Without storage the page works, and forgets.

/** @param {string} name @returns {unknown} what was kept, null if nothing or if it cannot be read */
export function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(`noughts-${name}`) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} name @param {unknown} value */
export function keep(name, value) {
  try {
    localStorage.setItem(`noughts-${name}`, JSON.stringify(value));
  } catch {
    // full or forbidden: nothing that the page cannot do without
  }
}

/**
 * Choices as they were kept; what was not kept is as in `defaults`.
 * @template {object} Choices
 * @param {string} name
 * @param {Choices} defaults
 * @returns {Choices}
 */
export function keptChoices(name, defaults) {
  return { ...defaults, .../** @type {Partial<Choices>|null} */ (kept(name)) };
}

/** Remembers, as long as the tab is open, the token with which this page was asked for. */
export function keepToken() {
  const token = new URLSearchParams(location.search).get("token");
  try {
    if (token) sessionStorage.setItem("noughts-token", token);
  } catch {
    // then addresses that are shared lack it
  }
}

/** The address of what is on the screen, for somebody else: with the token, if this server asks for one. */
export function wholeAddress() {
  let token = null;
  try {
    token = sessionStorage.getItem("noughts-token");
  } catch {
    // forbidden
  }
  const asked = token === null ? "" : `?token=${encodeURIComponent(token)}`;
  return location.origin + location.pathname + asked + location.hash;
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
