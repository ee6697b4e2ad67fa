// Dialogs: ask for confirmation before an action that is hard to undo, and show an address to copy.

import { copy } from "../base/news.js";
import { button, html, render } from "../base/view.js";

/**
 * Shows a modal dialog.
 * @template Answer
 * @param {string} title
 * @param {(leave: (answer: Answer|null) => void) => unknown} content the content; `leave` closes the dialog
 * @param {string} [kind] the class of the dialog
 * @returns {Promise<Answer|null>} null if it was closed in another way
 */
export function question(title, content, kind = "question") {
  return new Promise((answered) => {
    /** @type {Answer|null} */
    let answer = null;
    const dialog = document.createElement("dialog");
    dialog.className = kind;
    dialog.setAttribute("aria-label", title);
    dialog.addEventListener("close", () => {
      dialog.remove();
      answered(answer);
    });
    const leave = (/** @type {Answer|null} */ given) => {
      answer = given;
      dialog.close();
    };
    render(content(leave), dialog);
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Asks for confirmation.
 * @param {string} title the question
 * @param {string} words the object of the action, or its consequences
 * @param {string} yes the label of the button that confirms
 */
export async function confirmed(title, words, yes) {
  const answer = await question(
    title,
    (leave) => html`<h2>${title}</h2><p>${words}</p>
    <div class="tools">
      ${button("", yes, () => leave(true), { kind: "primary" })}
      <button type="button" class="button" autofocus @click=${() => leave(null)}>Cancel</button>
    </div>`,
  );
  return answer === true;
}

/** An address, with a button that copies it. @param {string} address */
export const addressField = (address) => html`<div class="address-field">
    <input type="text" .value=${address} readonly aria-label="Address"> ${button("copy", "Copy", () => copy(address, "Copied the address."))}
  </div>`;
