// Asks before something is done that is not easily undone, and for a line of text.

import { button, fill, h } from "../base/dom.js";

/**
 * Shows a question over the page.
 * @template Answer
 * @param {string} title
 * @param {(leave: (answer: Answer|null) => void) => HTMLElement[]} content what stands below it; `leave` closes it
 * @returns {Promise<Answer|null>} null if it was closed otherwise
 */
function question(title, content) {
  return new Promise((answered) => {
    /** @type {Answer|null} */
    let answer = null;
    const dialog = h("dialog", { class: "question", "aria-label": title });
    const leave = (/** @type {Answer|null} */ given) => {
      answer = given;
      dialog.close();
    };
    dialog.addEventListener("close", () => {
      dialog.remove();
      answered(answer);
    });
    fill(dialog, h("h2", {}, title), content(leave));
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Whether something is really meant.
 * @param {string} title the question
 * @param {string} words what is meant, or what comes of it
 * @param {string} yes what the button says that does it
 */
export async function confirmed(title, words, yes) {
  const answer = await question(title, (leave) => [
    h("p", {}, words),
    h(
      "div",
      { class: "tools" },
      button("", yes, () => leave(true), { class: "primary" }),
      button("", "Cancel", () => leave(null), { autofocus: true }),
    ),
  ]);
  return answer === true;
}

/**
 * A line of text; null if none is given.
 * @param {string} title
 * @param {string} label of the field
 * @param {string} value
 * @param {number} most characters
 * @returns {Promise<string|null>}
 */
export function askedText(title, label, value, most) {
  return question(title, (leave) => {
    const input = h("input", { type: "text", value, maxlength: most, autocomplete: "off", autofocus: true });
    return [
      h(
        "form",
        {
          class: "question-form",
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            leave(input.value);
          },
        },
        h("label", { class: "field" }, h("span", { class: "field-name" }, label), input),
        h(
          "div",
          { class: "tools" },
          h("button", { type: "submit", class: "button primary" }, "Save"),
          button("", "Cancel", () => leave(null)),
        ),
      ),
    ];
  });
}

/** An address in a field, with a button that copies it. @param {string} address */
export function addressField(address) {
  const input = h("input", { type: "text", value: address, readonly: true, "aria-label": "Address" });
  const said = h("span", { class: "muted", role: "status" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      said.textContent = "Copied.";
    } catch {
      input.select();
      said.textContent = "Selected: copy it with Ctrl+C.";
    }
  };
  return h(
    "div",
    { class: "address-field" },
    input,
    button("copy", "Copy", () => void copy()),
    said,
  );
}
