// <position-note>: the note on a position: shown under the board's state, and changed there.

import { session } from "../base/session.js";
import { html, inputOf, isOpen, nothing, View } from "../base/view.js";

const LONGEST = 2000; // characters, as the server takes them

export class Note extends View {
  /** @type {import("../base/game.js").Node|null} */
  node = null;
  // While it is open the note stands in it alone, so that nothing moves away from under a pointer when it is written.
  open = false;

  render() {
    const node = this.node;
    if (!node) return nothing;
    const toggled = (/** @type {Event} */ event) => (this.open = isOpen(event));
    const write = (/** @type {Event} */ event) => {
      node.note = inputOf(event).value.trim();
      this.requestUpdate();
      session.changed();
    };
    return html`<p class="annotation" ?hidden=${!node.note || this.open}>${node.note}</p>
      <details class="annotation-editor" .open=${this.open} @toggle=${toggled}>
        <summary>${node.note ? "Change the note" : "Write a note"}</summary>
        <textarea rows="4" maxlength=${LONGEST} aria-label="Note on this position" .value=${node.note} @change=${write}></textarea>
      </details>`;
  }
}

customElements.define("position-note", Note);
