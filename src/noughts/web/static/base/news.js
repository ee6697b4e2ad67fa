// Tells people what happened: aloud to screen readers, and on a slip of paper that goes away by itself.

import { button, fill, h } from "./dom.js";

const STAYS = 6000; // milliseconds

/**
 * Says something to screen readers only.
 * @param {string} words
 */
export function announce(words) {
  const place = document.getElementById("announcements");
  if (!place) return;
  place.textContent = ""; // the same words twice are two announcements
  requestAnimationFrame(() => (place.textContent = words));
}

/**
 * Shows a line for a while, and says it.
 * @param {string} words
 * @param {{error?: boolean, undo?: () => void, act?: [string, () => void]}} [how] `act` is a button, its words and what it does
 */
export function tell(words, how = {}) {
  const place = document.getElementById("slips");
  if (!place) return;
  const slip = h("div", { class: how.error ? "slip slip-error" : "slip" }, h("span", {}, words));
  const leave = () => slip.remove();
  const undo = () => {
    leave();
    how.undo?.();
  };
  const act = how.act;
  if (act)
    slip.append(
      button("", act[0], () => {
        leave();
        act[1]();
      }),
    );
  if (how.undo) slip.append(button("undo", "Undo", undo, {}));
  slip.append(button("close", "Close", leave, { quiet: true, class: "plain" }));
  if (place.childElementCount > 2) place.firstElementChild?.remove();
  place.append(slip);
  setTimeout(leave, how.error || how.undo || how.act ? STAYS * 2 : STAYS);
  announce(words);
}

/**
 * Shows what went wrong; a request that was called off is nothing that went wrong.
 * @param {unknown} error
 */
export function tellError(error) {
  const [name, words] = error instanceof Error ? [error.name, error.message] : ["", String(error)];
  if (name !== "AbortError") tell(words, { error: true });
}

/**
 * A panel that says there is nothing yet, and what to do about it.
 * @param {string} title
 * @param {string} words
 * @param {...Node} actions
 */
export function emptiness(title, words, ...actions) {
  return h("div", { class: "empty" }, h("h2", {}, title), h("p", {}, words), ...actions);
}

/**
 * Fills a place with what `load` gives, a note while it loads, and what went wrong if it fails.
 * @param {HTMLElement} place
 * @param {() => Promise<(Node|string)[]>} load
 */
export async function filled(place, load) {
  const note = setTimeout(() => fill(place, h("p", { class: "muted" }, "Loading …")), 150);
  try {
    const content = await load();
    clearTimeout(note);
    fill(place, content);
  } catch (error) {
    clearTimeout(note);
    if (/** @type {Error} */ (error).name === "AbortError") return;
    const again = button("redo", "Try again", () => void filled(place, load));
    fill(place, emptiness("This could not be loaded", /** @type {Error} */ (error).message, again));
  }
}
