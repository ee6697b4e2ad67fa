// <position-note>: shows the note on a position, and edits it.

import { session } from "../base/session.js";
import { html, inputOf, isOpen, nothing, View } from "../base/view.js";

const LONGEST = 2000; // characters; the server's limit

export class Note extends View {
  /** @type {import("../base/game.js").Node|null} */
  node = null;
  // While the editor is open, the note is shown only there, so that saving it moves nothing under the pointer.
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
