// The keys: what each does, the dialog that says so, and who is asked first: the area that is shown.

import { button, h } from "./dom.js";

/** @type {[string, [string, string][]][]} */
const KEYS = [
  [
    "Everywhere",
    [
      ["?", "show these keys"],
      ["n", "new game"],
      ["1 … 4", "go to an area"],
      ["t", "light or dark"],
      ["Esc", "close"],
    ],
  ],
  [
    "On the board",
    [
      ["← ↑ ↓ →", "move between cells"],
      ["Enter", "play there"],
      ["Home End", "first and last cell of the row"],
    ],
  ],
  [
    "While playing",
    [
      ["u", "undo"],
      ["r", "redo"],
      ["h", "a hint, while it is held"],
      ["s", "swap sides"],
      ["a", "analyse"],
    ],
  ],
  [
    "While analysing",
    [
      ["u r", "one move back, one forward"],
      ["← →", "the same, outside the board"],
      ["a", "analyse the whole game"],
      ["o", "next overlay"],
      ["p", "play from here"],
    ],
  ],
  [
    "Watching the search",
    [
      ["→", "next phase"],
      ["Space", "run and pause"],
      ["← ", "one iteration back"],
    ],
  ],
];

/** Shows the dialog. */
export function showKeys() {
  const old = document.querySelector("dialog.keys");
  if (old) {
    /** @type {HTMLDialogElement} */ (old).close();
    return;
  }
  const dialog = h(
    "dialog",
    { class: "keys", "aria-label": "Keys", onclose: () => dialog.remove() },
    h(
      "div",
      { class: "dialog-head" },
      h("h2", {}, "Keys"),
      button("close", "Close", () => dialog.close(), { quiet: true, class: "plain" }),
    ),
    h(
      "div",
      { class: "key-groups" },
      KEYS.map(([title, keys]) =>
        h(
          "section",
          {},
          h("h3", {}, title),
          h(
            "dl",
            {},
            keys.flatMap(([name, does]) => [
              h(
                "dt",
                {},
                name.split(" ").map((each) => h("kbd", {}, each)),
              ),
              h("dd", {}, does),
            ]),
          ),
        ),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * Whether a key is meant for what has the focus: text being typed, a menu, a button.
 * @param {KeyboardEvent} event
 */
export function isTyping(event) {
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (!target) return false;
  if (target.isContentEditable || target.matches("textarea, select, input:not([type=radio], [type=checkbox])"))
    return true;
  const moves = event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End";
  if (moves && target.matches("input, [role=slider]")) return true;
  return (event.key === " " || event.key === "Enter") && target.matches("button, a, summary, input");
}
