// What somebody wrote about a position: read under the board's state, and changed there.

import { h } from "../base/dom.js";
import { session } from "../base/session.js";

/** @typedef {import("../base/game.js").Node} Node */

const LONGEST = 2000; // characters, as the server takes them

export class Notes {
  #shown = h("p", { class: "annotation" });
  #summary = h("summary", {});
  #text = h("textarea", {
    rows: 4,
    maxlength: LONGEST,
    "aria-label": "Note on this position",
    onchange: () => this.#write(),
  });
  // While it is open the note stands in it alone, so that nothing moves away from under a pointer when it is written.
  #editor = h(
    "details",
    { class: "annotation-editor", ontoggle: () => this.#node && this.show(this.#node) },
    this.#summary,
    this.#text,
  );
  element = h("div", { class: "annotations" }, this.#shown, this.#editor);
  /** @type {Node|null} */
  #node = null;

  /** Shows the note of a position; what is being written about another one has been kept. @param {Node} node */
  show(node) {
    if (node !== this.#node) {
      this.#node = node;
      this.#editor.open = false;
      this.#text.value = node.note;
    }
    this.#shown.textContent = node.note;
    this.#shown.hidden = !node.note || this.#editor.open;
    this.#summary.textContent = node.note ? "Change the note" : "Write a note";
  }

  #write() {
    if (!this.#node) return;
    this.#node.note = this.#text.value.trim();
    this.show(this.#node);
    session.changed();
  }
}
