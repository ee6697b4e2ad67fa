// Code that all views share. Views use lit: a view returns its current content, and lit updates the parts that differ.

import { Directive, directive, html, LitElement, live, noChange, nothing } from "../vendored/lit.js";

export { html, keyed, live, nothing, render, repeat, svg, until } from "../vendored/lit.js";

/** The result of a template. @typedef {import("../vendored/lit.js").TemplateResult} TemplateResult */

/** Optional methods of a view: called when it enters the page, and when it leaves. @typedef {HTMLElement & {arrive?: () => void, depart?: () => void}} Hooks */

/**
 * A part of the page. It renders into the page, not into a shadow root, so that the page's style sheets apply. A change of
 * a field that is not private renders it again.
 */
export class View extends LitElement {
  #inherited = new Set(Object.keys(this)); // names of fields, before subclasses add theirs
  #gone = new AbortController();

  createRenderRoot() {
    return this;
  }

  /** @override */
  connectedCallback() {
    const kind = /** @type {typeof View} */ (this.constructor);
    const fields = this.renderRoot ? [] : Object.keys(this).filter((name) => !this.#inherited.has(name));
    for (const name of fields) {
      if (!kind.elementProperties.has(name)) kind.createProperty(name, { attribute: false });
      const value = Reflect.get(this, name);
      Reflect.deleteProperty(this, name); // it hides lit's accessor, which gets its value in the next line
      Reflect.set(this, name, value);
    }
    super.connectedCallback();
    /** @type {Hooks} */ (this).arrive?.();
  }

  /** @override */
  disconnectedCallback() {
    super.disconnectedCallback();
    /** @type {Hooks} */ (this).depart?.();
    this.#gone.abort();
    this.#gone = new AbortController();
  }

  /** Listens while the view is in the page. Call it in `arrive`. @param {EventTarget} target @param {string} type @param {(event: CustomEvent) => void} react */
  listen(target, type, react) {
    target.addEventListener(type, /** @type {EventListener} */ (react), { signal: this.#gone.signal });
  }
}

/** Sets custom CSS properties by script, because the page's policy forbids style attributes: `<td ${vars({ share: 0.4 })}>`. */
export const vars = directive(
  class extends Directive {
    /** @override @param {{element: HTMLElement}} part @param {[Record<string, string|number>]} values */
    update({ element }, [values]) {
      for (const [name, value] of Object.entries(values)) element.style.setProperty(`--${name}`, String(value));
      return noChange;
    }

    /** @override @param {Record<string, string|number>} _values */
    render(_values) {
      return noChange;
    }
  },
);

/** An icon from the sheet. It is hidden from screen readers, so its button needs words. @param {string} name */
export const icon = (name) =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><use href=${`/static/icons/icons.svg#${name}`}></use></svg>`;

/**
 * The look and the attributes of a button, in addition to its icon and words.
 * @typedef {object} Looks
 * @property {string} [kind] classes such as primary, plain, large
 * @property {boolean} [quiet] whether its words are for screen readers only
 * @property {string} [label] for screen readers, in place of its words
 * @property {string} [title]
 * @property {boolean} [disabled]
 * @property {boolean} [pressed] of a switch
 * @property {"button"|"submit"} [type]
 */

/**
 * @param {string} name of the icon; empty for none
 * @param {string} words
 * @param {((event: Event) => unknown)|null} action
 * @param {Looks} [looks]
 */
export const button = (
  name,
  words,
  action,
  { kind = "", quiet = false, label, title, pressed, ...is } = {},
) => html`<button
    type=${is.type ?? "button"} class="button ${kind}" title=${title ?? (quiet ? words : nothing)}
    aria-label=${label ?? nothing} aria-pressed=${pressed ?? nothing}
    ?disabled=${is.disabled ?? false} @click=${action}
    >${name ? icon(name) : nothing}<span class=${quiet ? "words unseen" : "words"}>${words}</span></button>`;

/** A link that looks like a button. @param {string} href @param {string} words @param {string} [kind] */
export const linkButton = (href, words, kind = "") => html`<a class="button ${kind}" href=${href}>${words}</a>`;

/** A label with its field. @param {string} words @param {unknown} input @param {string} [help] */
export const field = (words, input, help = "") => html`<label class="field">
    <span class="field-name">${words}</span>${input}${help ? html`<small class="muted">${help}</small>` : nothing}
  </label>`;

/** A checkbox with its label. @param {string} words @param {boolean} checked @param {(checked: boolean) => void} changed */
export const check = (words, checked, changed) => html`<label class="check">
    <input type="checkbox" .checked=${live(checked)} @change=${(/** @type {Event} */ event) => changed(inputOf(event).checked)}>
    <span>${words}</span>
  </label>`;

/** A label, and its tooltip. @typedef {string|[string, string?]} Words */

/**
 * One of a few choices, as radio buttons that look like one switch.
 * @template {string} Value
 * @param {string} words the label of the group
 * @param {Partial<Record<Value, Words>>} choices the labels and tooltips by value
 * @param {Value} chosen
 * @param {(value: Value) => void} changed
 */
export const choice = (words, choices, chosen, changed) => html`<fieldset class="choice">
    <legend class="field-name">${words}</legend>
    <div class="choice-row">
      ${
        /** @type {[Value, Words][]} */ (Object.entries(choices)).map(([value, given]) => {
          const [shown, about = nothing] = typeof given === "string" ? [given] : given;
          return html`<label class="choice-one" title=${about}>
          <input type="radio" name=${words} value=${value} .checked=${live(value === chosen)} @change=${() => changed(value)}>
          <span>${shown}</span>
        </label>`;
        })
      }
    </div>
  </fieldset>`;

/** A menu. @template {string} Value @param {(Value|[Value, string])[]} choices values, each optionally with a label @param {Value} chosen @param {(value: Value) => void} changed */
export function menu(choices, chosen, changed) {
  const option = (/** @type {Value|[Value, string]} */ choice) => {
    const [value, words] = typeof choice === "string" ? [choice, choice] : choice;
    return html`<option value=${value} .selected=${live(value === chosen)}>${words}</option>`;
  };
  const picked = (/** @type {Event} */ event) => changed(/** @type {Value} */ (inputOf(event).value));
  return html`<select @change=${picked}>${choices.map(option)}</select>`;
}

/** A table with a header row. @param {string} kind its class @param {unknown[]} heads @param {unknown} rows */
export const table = (kind, heads, rows) => html`<table class=${kind}>
    <thead><tr>${heads.map((words) => html`<th scope="col">${words}</th>`)}</tr></thead>
    <tbody>${rows}</tbody>
  </table>`;

/** The heading of an area. @param {string} title @param {unknown} lead */
export const areaHead = (title, lead) =>
  html`<header class="area-head"><h1>${title}</h1><p class="lead">${lead}</p></header>`;

/** The input that sent an event. @param {Event} event */
export const inputOf = (event) => /** @type {HTMLInputElement} */ (event.target);

/** Whether the details element that sent an event is open. @param {Event} event */
export const isOpen = (event) => /** @type {HTMLDetailsElement} */ (event.target).open;

/** Handles the submission of a form in the page, without a request of the browser. @param {() => unknown} send */
export const submitted = (send) => (/** @type {Event} */ event) => {
  event.preventDefault();
  void send();
};

/**
 * Wraps a function so that it runs at most once a frame, and not while a button is pressed, because a button that moves
 * between press and release gets no click.
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
