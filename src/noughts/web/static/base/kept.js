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

/** Stores the token in the page's address, as long as the tab is open. */
export function keepToken() {
  const token = new URLSearchParams(location.search).get("token");
  if (token) ifAllowed(() => sessionStorage.setItem("noughts-token", token));
}

/** The address of the current view, for sharing, with the token if the server requires one. */
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

/** Switches between light and dark, and stores the choice. */
export function turnTheme() {
  const next = theme() === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  keep("theme", next);
}
