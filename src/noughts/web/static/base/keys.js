// Keyboard shortcuts: the list, the dialog that shows it, and whether a key belongs to the focused element.

import { question } from "../parts/asking.js";
import { button, html } from "./view.js";

/** The effect of each key, by place. @type {Record<string, Record<string, string>>} */
const KEYS = {
  Everywhere: { "?": "show these keys", n: "new game", "1 … 4": "go to an area", t: "light or dark", Esc: "close" },
  "On the board": {
    "← ↑ ↓ →": "move between cells",
    Enter: "play there",
    "Home End": "first and last cell of the row",
  },
  "While playing": { "u r": "undo, redo", h: "a hint, or none", s: "swap sides", a: "analyse" },
  "While analysing": {
    "u r": "one move back, one forward",
    "← →": "the same, outside the board",
    a: "analyse the whole game",
    o: "next overlay",
    p: "play from here",
  },
  "Watching a search": { "→": "next phase", Space: "run and pause", "←": "one simulation back" },
};

/** Opens or closes the dialog. */
export function showKeys() {
  const open = /** @type {HTMLDialogElement|null} */ (document.querySelector("dialog.keys"));
  if (open) open.close();
  else void question("Keys", dialog, "keys");
}

/** @param {(answer: null) => void} leave */
const dialog = (leave) => html`<div class="head-row">
    <h2>Keys</h2>
    ${button("close", "Close", () => leave(null), { quiet: true, kind: "plain" })}
  </div>
  <div class="key-groups">
    ${Object.entries(KEYS).map(
      ([title, keys]) => html`<section>
        <h3>${title}</h3>
        <dl>${Object.entries(keys).map(([name, does]) => html`<dt>${name.split(" ").map((each) => html`<kbd>${each}</kbd>`)}</dt><dd class="muted">${does}</dd>`)}</dl>
      </section>`,
    )}
  </div>`;

/** Whether a key belongs to the focused element, such as a text field, a menu or a button. @param {KeyboardEvent} event */
export function isTyping(event) {
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (!target) return false;
  if (target.isContentEditable || target.matches("textarea, select, input:not([type=radio], [type=checkbox])"))
    return true;
  const moves = event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End";
  if (moves && target.matches("input, [role=slider]")) return true;
  return (event.key === " " || event.key === "Enter") && target.matches("button, a, summary, input");
}
