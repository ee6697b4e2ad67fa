// Notifications: announcements to screen readers, and slips of paper that disappear after a while.

import { button, html, nothing, render, repeat, View } from "./view.js";

const STAYS = 6000; // milliseconds
const MOST = 3; // slips at a time

/** @typedef {{error?: boolean, act?: [string, () => void]}} How `act` is a button: its words and its action */

/** @type {{words: string, how: How}[]} */
let slips = [];

/** Announces a text to screen readers only. @param {string} words */
export function announce(words) {
  const place = document.getElementById("announcements");
  if (!place) return;
  place.textContent = ""; // otherwise the same words would not be announced twice
  requestAnimationFrame(() => (place.textContent = words));
}

/** Shows a message for a while, and announces it. @param {string} words @param {How} [how] */
export function tell(words, how = {}) {
  const slip = { words, how };
  slips = [...slips, slip].slice(-MOST);
  drawSlips();
  setTimeout(() => drop(slip), how.error || how.act ? STAYS * 2 : STAYS);
  announce(words);
}

/** @param {typeof slips[0]} slip */
function drop(slip) {
  slips = slips.filter((each) => each !== slip);
  drawSlips();
}

function drawSlips() {
  const place = document.getElementById("slips");
  const drawn = repeat(slips, (slip) => slip, drawSlip);
  if (place) render(drawn, place);
}

/** @param {typeof slips[0]} slip */
function drawSlip(slip) {
  const { words, how } = slip;
  const act = () => {
    drop(slip);
    how.act?.[1]();
  };
  return html`<div class=${how.error ? "slip slip-error" : "slip"}>
    <span>${words}</span>
    ${how.act ? button("", how.act[0], act) : nothing}
    ${button("close", "Close", () => drop(slip), { quiet: true, kind: "plain" })}
  </div>`;
}

/** Shows an error, except that of a request that was aborted on purpose. @param {unknown} error */
export function tellError(error) {
  const [name, words] = error instanceof Error ? [error.name, error.message] : ["", String(error)];
  if (name !== "AbortError") tell(words, { error: true });
}

/** Copies a text, or shows it if the browser forbids copying. @param {string} text @param {string} words the message after copying */
export async function copy(text, words) {
  try {
    await navigator.clipboard.writeText(text);
    tell(words);
  } catch {
    tell(`Your browser blocks copying. Copy it from here: ${text}`);
  }
}

/** A panel that explains why there is no content yet, and what to do. @param {string} title @param {unknown} words @param {unknown} [actions] */
export const emptiness = (title, words, actions = nothing) =>
  html`<div class="empty"><h1>${title}</h1><p>${words}</p>${actions}</div>`;

/** A view that loads its content. It shows a note if that takes long, and a button to try again if it fails. */
export class LoadedView extends View {
  /** @type {() => unknown} */
  content = () => nothing;
  #loading = 0;

  /** Loads the content. @param {() => Promise<() => unknown>} load returns the function that draws it at every update */
  async load(load) {
    const loading = ++this.#loading;
    const show = (/** @type {() => unknown} */ content) => {
      if (loading === this.#loading) this.content = content;
    };
    const before = this.content;
    const note = setTimeout(() => this.content === before && show(() => html`<p class="muted">Loading …</p>`), 150);
    try {
      show(await load());
    } catch (error) {
      const { name, message } = /** @type {Error} */ (error);
      const again = button("redo", "Try again", () => void this.load(load));
      if (name !== "AbortError") show(() => emptiness("This could not be loaded", message, again));
    } finally {
      clearTimeout(note);
    }
  }

  render() {
    return this.content();
  }
}
