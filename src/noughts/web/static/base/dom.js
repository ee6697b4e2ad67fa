// Builds elements. Text given here stays text: nothing is ever read as markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Sets attributes, properties and listeners: `onclick` listens, `--name` is a custom property of the style, a boolean or
 * an object is a property where the element has one, anything else an attribute; null and undefined are left out.
 * @param {Element} element
 * @param {Record<string, unknown>} given
 */
export function set(element, given) {
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    if (name.startsWith("on") && typeof value === "function")
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name.startsWith("--")) /** @type {HTMLElement} */ (element).style.setProperty(name, String(value));
    else if (name === "value" || ((typeof value === "boolean" || typeof value === "object") && name in element)) {
      Object.assign(element, { [name]: value }); // also what only a custom element has
    } else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
}

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Adds children; lists are flattened, and null, undefined and false are left out.
 * @param {Element} element
 * @param {(Child | Child[])[]} children
 */
function add(element, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [given]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, given = {}, ...children) {
  const element = document.createElement(tag);
  add(element, children); // a select takes its value only from options that it has
  set(element, given);
  return element;
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [given]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function s(tag, given = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  set(element, given);
  add(element, children);
  return element;
}

/**
 * A drawing from the sheet of icons; decoration only, its button must say what it does.
 * @param {string} name
 */
export function icon(name) {
  const use = s("use", {});
  use.setAttribute("href", `/static/icons/icons.svg#${name}`);
  return s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, use);
}

/**
 * A button with an icon and words; on narrow screens `quiet` ones show the icon alone and keep the words for readers.
 * @param {string} name of the icon
 * @param {string} words
 * @param {(event: MouseEvent) => void} action
 * @param {Record<string, unknown>} [given]
 */
export function button(name, words, action, given = {}) {
  const { quiet, ...rest } = given;
  return h(
    "button",
    { type: "button", onclick: action, title: quiet ? words : null, ...rest, class: `button ${rest.class ?? ""}` },
    name && icon(name),
    h("span", { class: quiet ? "words unseen" : "words" }, words),
  );
}

/**
 * Replaces what an element holds.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  add(element, children);
}

/**
 * A label with its field.
 * @param {string} words
 * @param {HTMLElement} input
 * @param {string} [help]
 */
export function field(words, input, help = "") {
  return h(
    "label",
    { class: "field" },
    h("span", { class: "field-name" }, words),
    input,
    help && h("small", { class: "field-help" }, help),
  );
}

/**
 * A box to tick, with what that means.
 * @param {string} words
 * @param {boolean} checked
 * @param {(checked: boolean) => void} changed
 */
export function check(words, checked, changed) {
  const box = h("input", { type: "checkbox", checked, onchange: () => changed(box.checked) });
  return h("label", { class: "check" }, box, h("span", {}, words));
}

/**
 * One of a few choices, as radio buttons that look like one switch.
 * @template {string} Value
 * @param {string} words what is chosen
 * @param {[Value, string, string?][]} choices value, words, and what a pointer is told
 * @param {Value} chosen
 * @param {(value: Value) => void} changed
 */
export function choice(words, choices, chosen, changed) {
  const name = `choice-${Math.random().toString(36).slice(2)}`;
  return h(
    "fieldset",
    { class: "choice" },
    h("legend", { class: "field-name" }, words),
    h(
      "div",
      { class: "choice-row" },
      choices.map(([value, shown, about]) =>
        h(
          "label",
          { class: "choice-one", title: about },
          h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => changed(value) }),
          h("span", {}, shown),
        ),
      ),
    ),
  );
}

/**
 * The same function, called at most once a frame, and not while a button is pressed: one that is drawn anew between press
 * and release is not clicked.
 * @param {() => void} draw
 * @returns {() => void}
 */
export function calmly(draw) {
  let waits = false;
  const attempt = () => {
    if (document.querySelector("button:active")) {
      requestAnimationFrame(attempt);
      return;
    }
    waits = false;
    draw();
  };
  return () => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(attempt);
  };
}
