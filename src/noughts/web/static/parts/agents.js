// <agent-picker>: chooses an agent from a menu, with its options and its budget. Event "pick" when its text changed.
//
// The menus determine the agent's text. The server validates it, and returns its canonical form.

import * as api from "../base/api.js";
import { kindName } from "../base/names.js";
import { field, html, inputOf, menu, nothing, View } from "../base/view.js";

/** @import { AgentAnswer as AgentKind, AgentOption } from "../base/api-types.js" */
/** The parts of an agent's text. @typedef {{name: string, target: string, options: Map<string, string>}} Parts */

const CHECK_AFTER = 250; // milliseconds without typing
const INSIDE = "minimax:depth=2"; // the start value of a required option, which is an agent
/** The labels of budgets, by the option's name. @type {Record<string, string>} */
const BUDGETS = {
  sims: "Simulations a move",
  depth: "Moves to look ahead",
  nodes: "Positions a move may cost",
};

/** @param {string} text @param {AgentKind[]} kinds @returns {Parts} */
function splitAgent(text, kinds) {
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
      options.set(last, `${options.get(last)},${part}`); // an agent that is an option's value has its own options
    else target = part;
  }
  return { name, target, options };
}

/** Makes an agent's text, without options that have their default. @param {AgentKind} kind @param {string} target @param {Map<string, string>} options */
function join(kind, target, options) {
  const written = kind.options
    .filter(({ name, default: usual }) => options.has(name) && options.get(name) !== usual)
    .map(({ name }) => `${name}=${options.get(name)}`);
  const inside = [target, ...written].filter(Boolean).join(",");
  return inside ? `${kind.name}:${inside}` : kind.name;
}

export class AgentPicker extends View {
  label = "Program"; // of the menu
  value = "mcts:sims=1000"; // the agent's text, perhaps not validated yet
  /** Additional choices above the agents: values and labels. @type {[string, string][]} */
  extra = [];
  /** Which kinds may be chosen; all if undefined. @type {((kind: AgentKind) => boolean)|undefined} */
  only = undefined;
  /** @type {AgentKind[]} */
  kinds = [];
  problem = "";
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer;

  arrive() {
    api.agents().then(
      (kinds) => (this.kinds = kinds),
      (error) => (this.problem = error.message),
    );
  }

  /** @param {string} text */
  #isExtra(text) {
    return this.extra.some(([value]) => value === text);
  }

  render() {
    const problem = this.problem ? html`<p class="problem">${this.problem}</p>` : nothing;
    if (!this.kinds.length) return this.problem ? problem : html`<p class="muted">Loading programs …</p>`;
    const parts = splitAgent(this.value, this.kinds);
    const kind = this.#isExtra(this.value) ? undefined : this.kinds.find((each) => each.name === parts.name);
    const playable = this.kinds.filter(
      (each) => (this.only?.(each) ?? true) && !this.#isExtra(each.name) && each.targets?.length !== 0,
    );
    const kinds = playable.map((each) => /** @type {[string, string]} */ ([each.name, kindName(each.name)]));
    const choices = menu([...this.extra, ...kinds], kind?.name ?? this.value, (name) => this.#choose(name));
    const budget = kind?.options.find(({ name }) => name in BUDGETS);
    return html`<div class="picker-row">
        ${field(this.label, choices)} ${kind?.targets ? field("Training run", this.#targets(kind, parts)) : nothing}
        ${kind && budget ? this.#input(kind, budget, parts, BUDGETS[budget.name]) : nothing}
      </div>
      ${kind ? html`<p class="muted about">${kind.about}</p>${this.#more(kind, parts)}` : nothing} ${problem}`;
  }

  /** @param {AgentKind} kind @param {Parts} parts */
  #targets(kind, { target, options }) {
    const known = kind.targets ?? [];
    const texts = target && !known.includes(target) ? [...known, target] : known;
    return menu(texts, target || known[0], (text) => this.#changed(join(kind, text, options)));
  }

  /** The options except the budget. @param {AgentKind} kind @param {Parts} parts */
  #more(kind, parts) {
    const rest = kind.options.filter(({ name }) => !(name in BUDGETS));
    if (!rest.length) return nothing;
    const isSet = (/** @type {AgentOption} */ { name, default: usual }) =>
      usual === null || (parts.options.get(name) ?? usual) !== usual;
    return html`<details ?open=${rest.some(isSet)}>
      <summary>More options</summary>
      <div class="picker-row">${rest.map((option) => this.#input(kind, option, parts, option.name))}</div>
    </details>`;
  }

  /** @param {AgentKind} kind @param {AgentOption} option @param {Parts} parts @param {string} words */
  #input(kind, { name, choices, default: usual, about, allowed }, { target, options }, words) {
    const value = options.get(name) ?? usual ?? "";
    const changed = (/** @type {string} */ given) =>
      this.#changed(join(kind, target, new Map([...options, [name, given.trim()]])));
    // An older spelling is accepted, so the menu includes it if it is the current value.
    if (choices.length) return field(words, menu([...new Set([...choices, value])], value, changed));
    return field(
      words,
      html`<input type="text" .value=${value} title=${`${about}: ${allowed}`} spellcheck="false" autocomplete="off"
        inputmode=${usual?.match(/^\d+$/) ? "numeric" : nothing} @input=${(/** @type {Event} */ event) => changed(inputOf(event).value)}>`,
    );
  }

  /** @param {string} name */
  #choose(name) {
    const kind = this.kinds.find((each) => each.name === name);
    if (!kind || this.#isExtra(name)) return this.#changed(name, 0);
    const needed = kind.options.filter((option) => option.default === null);
    this.#changed(join(kind, kind.targets?.[0] ?? "", new Map(needed.map((option) => [option.name, INSIDE]))), 0);
  }

  /** @param {string} text @param {number} [after] */
  #changed(text, after = CHECK_AFTER) {
    this.value = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check(text), after);
  }

  /** @param {string} text */
  async #check(text) {
    try {
      const agent = this.#isExtra(text) ? text : await api.ask("POST /api/agent", { body: { agent: text } });
      if (this.value !== text) return;
      this.value = agent;
      this.problem = "";
      this.dispatchEvent(new CustomEvent("pick", { detail: agent }));
    } catch (error) {
      if (this.value === text) this.problem = /** @type {Error} */ (error).message;
    }
  }
}

customElements.define("agent-picker", AgentPicker);

// The same array each time, so that a picker renders again only when something changed.
const NONE = /** @type {[string, string][]} */ ([]);

/**
 * @param {string} label
 * @param {string} value
 * @param {(agent: string) => void} picked
 * @param {{extra?: [string, string][], only?: (kind: AgentKind) => boolean}} [which] see the picker's properties
 */
export const agentPicker = (label, value, picked, { extra = NONE, only } = {}) =>
  html`<agent-picker .label=${label} .value=${value} .extra=${extra} .only=${only}
    @pick=${(/** @type {CustomEvent} */ event) => picked(event.detail)}></agent-picker>`;
