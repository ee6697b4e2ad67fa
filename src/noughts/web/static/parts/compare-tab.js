// The analysis tab that compares two programs, or a program and exact values, on one position: two boards, and a sentence about both.

import { exactWords, percent, signed, stateWords } from "../base/format.js";
import { Inquiry } from "../base/inquiry.js";
import { keep, keptChoices } from "../base/kept.js";
import { called } from "../base/names.js";
import { bestMoves, overlay } from "../base/overlay.js";
import { TRUTH } from "../base/session.js";
import { choice, html } from "../base/view.js";
import { agentPicker } from "./agents.js";
import { address } from "./files.js";

/** @import { AnalyseArea, Looked } from "../areas/analyse.js" */
/** @import { PositionAnswer as Position, Result } from "../base/api-types.js" */
/** @import { Cell } from "../base/overlay.js" */
/** @typedef {"choice"|"value"|"exact"} Shown */

const SECONDS = 10;
const WITH_TRUTH = { extra: /** @type {[string, string][]} */ ([[TRUTH, "exact truth"]]) };
const DEFAULT = { a: "mcts:sims=1000", b: TRUTH, show: /** @type {Shown} */ ("choice") };
const SIDES = /** @type {const} */ (["a", "b"]);
/** @type {Record<Shown, [string, string]>} */
const KINDS = {
  choice: ["Choice", "how each divides its choice among the moves, in percent"],
  value: ["Value", "what each expects of every move"],
  exact: ["Exact", "what is proved of each move"],
};

/**
 * A program's distribution over the moves: by visits, else by its prior, else uniform over the best. For `TRUTH` it is empty
 * until the position is solved.
 * @param {string} agent
 * @param {Result|undefined} result
 * @returns {Map<string, number>}
 */
export function shares(agent, result) {
  const found = new Map();
  if (!result || (agent === TRUTH && result.kind !== "exact")) return found;
  /** @param {(m: import("../base/api-types.js").MoveResultAnswer) => number} weight */
  const divide = (weight) => {
    const total = result.moves.reduce((sum, m) => sum + weight(m), 0);
    for (const m of result.moves) if (weight(m) > 0) found.set(m.move, weight(m) / total);
  };
  if (result.kind === "exact") {
    const best = bestMoves(result);
    for (const move of best) found.set(move, 1 / best.length);
  } else if (result.moves.some((m) => m.visits > 0)) divide((m) => m.visits);
  else if (result.moves.some((m) => m.prior !== null)) divide((m) => m.prior ?? 0);
  else if (result.move) found.set(result.move, 1);
  return found;
}

export class CompareTab {
  #settings = keptChoices("minds", DEFAULT);
  #area;
  #inquiry;

  /** @param {AnalyseArea} area */
  constructor(area) {
    this.#area = area;
    this.#inquiry = new Inquiry(() => area.requestUpdate());
  }

  get address() {
    const { a, b } = this.#settings;
    return address("minds", { a, b });
  }

  /** Reads the parameters of an address. @param {URLSearchParams} params */
  take(params) {
    for (const side of SIDES) this.#settings[side] = params.get(side) ?? this.#settings[side];
  }

  stop() {
    this.#inquiry.stop();
  }

  /** Called when another position is on the board. */
  moved() {
    const looked = this.#area.looked;
    if (!looked) return;
    const { game, node, position } = looked;
    const agents = new Set(position.outcome === "ongoing" ? SIDES.map((side) => this.#settings[side]) : []);
    this.#inquiry.look(game, node, [...agents], { seconds: SECONDS });
  }

  /** @param {Partial<typeof DEFAULT>} changed */
  #set(changed) {
    Object.assign(this.#settings, changed);
    keep("minds", this.#settings);
    this.#area.follow();
    this.moved();
    this.#area.requestUpdate();
  }

  /** @param {Looked} looked */
  render({ node, position }) {
    const { a, b } = this.#settings;
    const show = this.#settings.show in KINDS ? this.#settings.show : DEFAULT.show; // older versions stored other values
    const results = [a, b].map((agent) => /** @type {Result|undefined} */ (node.analysis[agent]));
    return html`<div class="compare-head">
        <h1 class="state">${stateWords(position)}</h1>
        <p class="headline" role="status">${position.outcome === "ongoing" ? sentence([a, b], results) : ""}</p>
        ${choice("Show on the boards", KINDS, show, (kind) => this.#set({ show: kind }))} ${this.#area.controls()}
      </div>
      <div class="minds">
        ${SIDES.map((side, index) => {
          const label = index ? "Second program" : "First program";
          const agent = this.#settings[side];
          return html`<section class="mind panel" aria-label=${label}>
            ${agentPicker(label, agent, (text) => this.#set({ [side]: text }), WITH_TRUTH)}
            <div class="mind-says">${this.#words(agent, results[index], position)}</div>
            ${this.#area.board({ label, overlay: cells(show, agent, results[index]) })}
          </section>`;
        })}
      </div>`;
  }

  /** @param {string} agent @param {Result|undefined} result @param {Position} position */
  #words(agent, result, position) {
    if (position.outcome !== "ongoing") return html`<p class="muted">The game is over.</p>`;
    const problem = this.#inquiry.problems.get(agent);
    if (problem) return html`<p class="problem">${problem}</p>`;
    if (!result) return html`<p class="muted">Thinking …</p>`;
    const busy = this.#inquiry.busy.includes(agent) ? " …" : "";
    if (agent === TRUTH && result.kind !== "exact")
      return html`<p class="muted">${busy ? "Being proved …" : `Not proved in ${SECONDS} seconds; some moves may be.`}</p>`;
    if (agent === TRUTH)
      return html`<p><b>${bestMoves(result).slice(0, 5).join(", ")}</b>: ${exactWords(result)}.${busy}</p>`;
    const value = result.value === null ? "" : result.kind === "exact" ? exactWords(result) : signed(result.value);
    return html`<p><b>${result.move ?? "–"}</b> ${value}${busy}</p>`;
  }
}

/** The cells of a board. @param {Shown} show @param {string} agent @param {Result|undefined} result @returns {Map<string, Cell>} */
function cells(show, agent, result) {
  if (show === "exact") return overlay("exact", result?.moves.some((m) => m.kind !== "estimate") ? result : null, null);
  if (show === "value") return overlay("value", null, result);
  const all = shares(agent, result);
  const top = Math.max(0, ...all.values()) || 1;
  /** @param {[string, number]} share @returns {[string, Cell]} */
  const cell = ([square, share]) => {
    const best = square === result?.move || result?.kind === "exact";
    const text = percent(share).replace("%", "");
    return [square, { tone: "visits", share: share / top, text, words: `${percent(share)} of its choice`, best }];
  };
  return new Map([...all].filter(([, share]) => share >= 0.005).map(cell));
}

/** A sentence about the two choices, and which of them is proved wrong. @param {string[]} agents @param {(Result|undefined)[]} results */
function sentence([first, second], [a, b]) {
  const [mineA, mineB] = [shares(first, a), shares(second, b)];
  if (!mineA.size || !mineB.size) return "Waiting for both.";
  const truth = first === TRUTH ? a : second === TRUTH ? b : null;
  const [agent, other] = first === TRUTH ? [second, b] : [first, a];
  const judged = truth?.moves.find((m) => m.move === other?.move);
  if (truth?.kind !== "exact" || judged?.kind !== "exact") {
    const squares = new Set([...mineA.keys(), ...mineB.keys()]);
    let apart = 0;
    for (const square of squares) apart += Math.abs((mineA.get(square) ?? 0) - (mineB.get(square) ?? 0));
    const moves = a?.move === b?.move ? `Both choose ${a?.move}` : `${a?.move} against ${b?.move}`;
    return `${moves}; their choices are ${percent(apart / 2)} apart.`;
  }
  const does = judged.value === 0 ? "draws" : exactWords(judged);
  const move = `${called(agent)}’s ${judged.move}`;
  if (Number(judged.value) < Number(truth.value)) return `${move} is a mistake: it ${does}.`; // a slower win still wins
  return `${move} ${bestMoves(truth).includes(judged.move) ? "is one of the best" : "gives nothing away"}: it ${does}.`;
}
