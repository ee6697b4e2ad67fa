// Data that the browser stores between visits: choices, and the current game. Without storage the page works, but forgets them.

/** Returns the result of an access to the storage; null if the storage is full or forbidden. @template Found @param {() => Found} access */
function ifAllowed(access) {
  try {
    return access();
  } catch {
    return null;
  }
}

/** @param {string} name @returns {unknown} the stored value, null if there is none or it is unreadable */
export const kept = (name) => ifAllowed(() => JSON.parse(localStorage.getItem(`noughts-${name}`) ?? "null"));

/** @param {string} name @param {unknown} value */
export const keep = (name, value) => ifAllowed(() => localStorage.setItem(`noughts-${name}`, JSON.stringify(value)));

/**
 * The stored choices; `defaults` for those that are missing.
 * @template {object} Choices
 * @param {string} name
 * @param {Choices} defaults
 * @returns {Choices}
 */
export function keptChoices(name, defaults) {
  return { ...defaults, .../** @type {Partial<Choices>|null} */ (kept(name)) };
}

/** The guests' token. @type {string|null} */
let guestsToken = null;

/** Stores the guests' token for shared addresses; null if there are no guests. @param {string|null} token */
export function keepToken(token) {
  guestsToken = token;
}

/** The address of the current view, for sharing: with the guests' token if the server has one, never with the visitor's own. */
export function wholeAddress() {
  const asked = guestsToken === null ? "" : `?token=${encodeURIComponent(guestsToken)}`;
  return location.origin + location.pathname + asked + location.hash;
}

/** The theme in use, "light" or "dark". */
export function theme() {
  const chosen = document.documentElement.dataset.theme;
  if (chosen) return /** @type {"light"|"dark"} */ (chosen);
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** Switches between light and dark, and stores the choice. */
export function turnTheme() {
  const next = theme() === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  keep("theme", next);
}
