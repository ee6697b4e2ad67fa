// What the browser keeps between visits: choices, and the game on the table. Without storage the page works, and forgets.

/** What an access to the storage gives; null where it is full or forbidden. @template Found @param {() => Found} access */
function ifAllowed(access) {
  try {
    return access();
  } catch {
    return null;
  }
}

/** @param {string} name @returns {unknown} what was kept, null if nothing or if it cannot be read */
export const kept = (name) => ifAllowed(() => JSON.parse(localStorage.getItem(`noughts-${name}`) ?? "null"));

/** @param {string} name @param {unknown} value */
export const keep = (name, value) => ifAllowed(() => localStorage.setItem(`noughts-${name}`, JSON.stringify(value)));

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
  if (token) ifAllowed(() => sessionStorage.setItem("noughts-token", token));
}

/** The address of what is on the screen, to be shared: with the token, if this server asks for one. */
export function wholeAddress() {
  const token = ifAllowed(() => sessionStorage.getItem("noughts-token"));
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
  keep("theme", next);
}
