// Asks before something is done that is not easily undone, and shows an address to be copied.

import { copy } from "../base/news.js";
import { button, html, render } from "../base/view.js";

/**
 * Shows a question over the page.
 * @template Answer
 * @param {string} title
 * @param {(leave: (answer: Answer|null) => void) => unknown} content what stands below it; `leave` closes it
 * @param {string} [kind] class of the dialog
 * @returns {Promise<Answer|null>} null if it was closed otherwise
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
 * Whether something is really meant.
 * @param {string} title the question
 * @param {string} words what is meant, or what comes of it
 * @param {string} yes on the button that does it
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
