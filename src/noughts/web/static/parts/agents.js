// <agent-picker>: an agent by menu, with its options and its budget; event "pick" when its text changed.
//
// The text is put together from the menus; the server says whether it stands for an agent, and what it is called in full.

import * as api from "../base/api.js";
import { fill, h } from "../base/dom.js";

/** @typedef {import("../base/api-types.js").AgentAnswer} AgentKind */
/** @typedef {import("../base/api-types.js").AgentOption} AgentOption */

const CHECK_AFTER = 250; // milliseconds without typing
/** What a budget is called for people, by the option's name. */
const BUDGETS = /** @type {Record<string, string>} */ ({
  sims: "Simulations a move",
  depth: "Plies to look ahead",
  nodes: "Positions a move may cost",
});

/**
 * The name, the target and the options of an agent's text.
 * @param {string} text
 * @param {AgentKind[]} kinds
 */
export function splitAgent(text, kinds) {
  const [name, rest = ""] = text.split(/:(.*)/s);
  const kind = kinds.find((each) => each.name === name);
  /** @type {Map<string, string>} */
  const options = new Map();
  let target = "";
  for (const part of rest.split(",").filter(Boolean)) {
    const [option, value] = part.split(/=(.*)/s);
    const known = kind?.options.some((each) => each.name === option);
    const last = [...options.keys()].at(-1);
    if (value !== undefined && known && !(last === "inside")) options.set(option, value);
    else if (last)
      options.set(last, `${options.get(last)},${part}`); // an agent among the options has options of its own
    else target = part;
  }
  return { name, target, options };
}

/**
 * An agent's text with a comparable budget changed, for lists.
 * @param {AgentKind} kind
 * @param {string} target
 * @param {Map<string, string>} options
 */
function join(kind, target, options) {
  const written = kind.options
    .filter((option) => options.has(option.name) && options.get(option.name) !== option.default)
    .map((option) => `${option.name}=${options.get(option.name)}`);
  const inside = [target, ...written].filter(Boolean).join(",");
  return inside ? `${kind.name}:${inside}` : kind.name;
}

export class AgentPicker extends HTMLElement {
  /** @type {AgentKind[]} */
  #kinds = [];
  #text = "mcts:sims=1000";
  #ready = false;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer;
  /** Further choices above the agents, by value: words. @type {[string, string][]} */
  extra = [];
  /** What is chosen here. */
  label = "Agent";
  /** Which kinds may be chosen. @type {(kind: AgentKind) => boolean} */
  only = () => true;

  connectedCallback() {
    if (!this.#ready) void this.#load();
  }

  get value() {
    return this.#text;
  }

  set value(text) {
    this.#text = text;
    if (this.#ready) this.#draw();
  }

  async #load() {
    fill(this, h("p", { class: "muted" }, "Loading agents …"));
    try {
      this.#kinds = await api.agents();
      this.#ready = true;
      this.#draw();
    } catch (error) {
      fill(this, h("p", { class: "problem" }, /** @type {Error} */ (error).message));
    }
  }

  #draw() {
    const extra = this.extra.find(([value]) => value === this.#text);
    const { name, target, options } = splitAgent(this.#text, this.#kinds);
    const kind = extra ? undefined : this.#kinds.find((each) => each.name === name);
    const menu = h(
      "select",
      {
        value: this.#text in Object.fromEntries(this.extra) ? this.#text : name,
        onchange: () => this.#kindChosen(menu.value),
      },
      this.extra.map(([value, words]) => h("option", { value }, words)),
      this.#kinds.filter(this.only).map((each) => {
        const none = each.targets !== null && each.targets.length === 0;
        return h("option", { value: each.name, disabled: none }, `${each.name}${none ? " (no run yet)" : ""}`);
      }),
    );
    const about = extra ? "" : (kind?.about ?? "");
    fill(
      this,
      h(
        "div",
        { class: "picker-row" },
        h("label", { class: "field" }, h("span", { class: "field-name" }, this.label), menu),
        kind && this.#targets(kind, target, options),
        kind && this.#budget(kind, target, options),
      ),
      about && h("p", { class: "muted about" }, about),
      kind && this.#more(kind, target, options),
      h("p", { class: "problem", hidden: true }),
    );
  }

  /** @param {AgentKind} kind @param {string} target @param {Map<string, string>} options */
  #targets(kind, target, options) {
    if (!kind.targets) return null;
    const menu = h(
      "select",
      { value: target || kind.targets[0]?.text, onchange: () => this.#changed(join(kind, menu.value, options)) },
      kind.targets.map((each) => h("option", { value: each.text, title: each.about }, each.text)),
      target && !kind.targets.some((each) => each.text === target) && h("option", { value: target }, target),
    );
    return h("label", { class: "field" }, h("span", { class: "field-name" }, "Training run"), menu);
  }

  /** @param {AgentKind} kind @param {string} target @param {Map<string, string>} options */
  #budget(kind, target, options) {
    const option = kind.options.find((each) => each.name in BUDGETS);
    return option ? this.#input(kind, option, target, options, BUDGETS[option.name]) : null;
  }

  /** @param {AgentKind} kind @param {string} target @param {Map<string, string>} options */
  #more(kind, target, options) {
    const rest = kind.options.filter((option) => !(option.name in BUDGETS));
    if (!rest.length) return null;
    const open = rest.some((option) => options.has(option.name) && options.get(option.name) !== option.default);
    return h(
      "details",
      { open: open || rest.some((option) => option.default === null) },
      h("summary", {}, "More options"),
      h(
        "div",
        { class: "picker-row" },
        rest.map((option) => this.#input(kind, option, target, options, option.name)),
      ),
    );
  }

  /**
   * @param {AgentKind} kind
   * @param {AgentOption} option
   * @param {string} target
   * @param {Map<string, string>} options
   * @param {string} words
   */
  #input(kind, option, target, options, words) {
    const value = options.get(option.name) ?? option.default ?? "";
    /** @type {HTMLInputElement|HTMLSelectElement} */
    const input = option.choices
      ? h(
          "select",
          { value, title: option.about },
          option.choices.map((each) => h("option", { value: each }, each)),
        )
      : h("input", {
          type: "text",
          value,
          title: `${option.about}: ${option.allowed}`,
          inputmode: option.default?.match(/^\d+$/) ? "numeric" : null,
          spellcheck: "false",
          autocomplete: "off",
        });
    const changed = () => {
      options.set(option.name, input.value.trim());
      this.#changed(join(kind, target, options));
    };
    input.addEventListener(option.choices ? "change" : "input", changed);
    return h("label", { class: "field" }, h("span", { class: "field-name" }, words), input);
  }

  /** @param {string} name */
  #kindChosen(name) {
    const kind = this.#kinds.find((each) => each.name === name);
    if (!kind) {
      this.#changed(name);
    } else {
      const options = new Map(kind.options.filter((o) => o.default === null).map((o) => [o.name, "minimax:depth=2"]));
      this.#changed(join(kind, kind.targets?.[0]?.text ?? "", options), 0);
    }
    this.#draw();
    this.querySelector("select")?.focus();
  }

  /** @param {string} text @param {number} [after] */
  #changed(text, after = CHECK_AFTER) {
    this.#text = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check(text), after);
  }

  /** @param {string} text */
  async #check(text) {
    const place = /** @type {HTMLElement} */ (this.querySelector(".problem"));
    try {
      const agent = this.extra.some(([value]) => value === text) ? text : await api.canonical(text);
      if (this.#text !== text) return;
      this.#text = agent;
      place.hidden = true;
      this.dispatchEvent(new CustomEvent("pick", { detail: agent }));
    } catch (error) {
      if (this.#text !== text) return;
      place.hidden = false;
      place.textContent = /** @type {Error} */ (error).message;
    }
  }
}

customElements.define("agent-picker", AgentPicker);

/**
 * @param {string} label
 * @param {string} value
 * @param {(agent: string) => void} picked
 * @param {[string, string][]} [extra]
 */
export function agentPicker(label, value, picked, extra = []) {
  const picker = new AgentPicker();
  picker.label = label;
  picker.extra = extra;
  picker.value = value;
  picker.addEventListener("pick", (event) => picked(/** @type {CustomEvent} */ (event).detail));
  return picker;
}
