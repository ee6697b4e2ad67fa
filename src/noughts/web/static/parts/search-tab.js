// The analysis tab that shows a program's search, one simulation at a time, phase by phase, as a growing tree. It works for every
// program that grows a tree, with rollouts or with a network; the trace contains the differences.

import * as api from "../base/api.js";
import { stateWords, whole } from "../base/format.js";
import { announce, tellError } from "../base/news.js";
import { button, choice, html, nothing } from "../base/view.js";
import { agentPicker } from "./agents.js";
import { ghosts } from "./board.js";
import { address } from "./files.js";
import "./search-tree.js";
import { boardChoices, childrenTable, FORMULAS, PHASES, phaseWords, stepCells } from "./steps.js";

/** @import { AnalyseArea, Looked } from "../areas/analyse.js" */
/** @import { PositionAnswer as Position, Steps } from "../base/api-types.js" */
/** @import { Phase } from "./steps.js" */

const LAST = Infinity; // the last phase of a simulation
const TICK = 900; // milliseconds for each phase while it runs

export class SearchTab {
  #area;
  #iterations = 0;
  #phase = LAST; // of the last simulation
  #agent = "mcts";
  #show = "mean";
  /** @type {Steps|null} */
  #steps = null;
  #text = ""; // of the position that is searched
  /** The moves of the last simulation on the board. @type {Map<string, import("./board.js").Ghost>} */
  #ghosts = new Map();
  /** @type {ReturnType<typeof setInterval>|undefined} */
  #timer;
  /** @type {AbortController|undefined} */
  #asked;

  /** @param {AnalyseArea} area */
  constructor(area) {
    this.#area = area;
  }

  get address() {
    return address("search", { agent: this.#agent === "mcts" ? null : this.#agent, n: this.#iterations || null });
  }

  /** Reads the parameters of an address. @param {URLSearchParams} params */
  take(params) {
    this.#iterations = Number(params.get("n")) || 0;
    this.#agent = params.get("agent") ?? this.#agent;
    this.#steps = null;
  }

  stop() {
    this.#halt();
    this.#asked?.abort();
  }

  /** Called when a position is on the board: starts a new search. */
  moved() {
    const text = this.#area.looked?.position.text ?? "";
    const same = this.#steps === null || this.#text === text;
    this.#text = text;
    void this.#to(same ? this.#iterations : 0, LAST);
  }

  /** Shows the search after a number of simulations, at a phase of the last one. @param {number} iterations @param {number} phase */
  async #to(iterations, phase) {
    const position = this.#area.looked?.position;
    if (!position) return;
    this.#asked?.abort();
    this.#asked = new AbortController();
    const most = this.#steps?.budget ?? iterations;
    const asked = { rules: position.rules, moves: position.moves, agent: this.#agent, seed: 0 };
    const body = { ...asked, iterations: Math.max(0, Math.min(iterations, most)) };
    const over = position.outcome !== "ongoing";
    try {
      this.#steps = over ? null : await api.ask("POST /api/steps", { body, signal: this.#asked.signal });
    } catch (error) {
      this.#halt();
      tellError(error);
      return;
    }
    this.#iterations = this.#steps?.simulations ?? 0;
    this.#area.follow();
    await this.#at(phase);
  }

  /** Shows a phase of the last simulation. @param {number} phase */
  async #at(phase) {
    this.#phase = phase;
    const [steps, position] = [this.#steps, this.#area.looked?.position];
    this.#ghosts = new Map();
    if (steps?.simulations && position) {
      const { key, name } = this.#current(steps);
      announce(`Simulation ${steps.simulations}, ${name}: ${phaseWords(key, steps, position)}`);
      const { select, expand, rollout } = steps;
      const tree = [...select, ...(expand ? [expand] : [])];
      const line = { select, expand: tree, rollout: [...tree, ...rollout], backup: [] }[key];
      const positions = line.length ? await api.line(position.rules, [...position.moves, ...line]).catch(() => []) : [];
      if (this.#steps !== steps || this.#phase !== phase) return;
      if (positions.length) this.#ghosts = ghosts(positions, position.moves.length);
    }
    this.#area.requestUpdate();
  }

  /** The phase of the last simulation that is shown. @param {Steps} steps */
  #current({ judge }) {
    return PHASES[judge][Math.min(this.#phase, PHASES[judge].length - 1)];
  }

  async #nextPhase() {
    const steps = this.#steps;
    const last = steps ? PHASES[steps.judge].length - 1 : 0;
    if (steps?.simulations && this.#phase < last) await this.#at(this.#phase + 1);
    else if (!steps || steps.simulations < steps.budget) await this.#to(this.#iterations + 1, 0);
    else this.#halt();
  }

  /** Runs or pauses. */
  #turn() {
    if (this.#timer) {
      this.#halt();
      return;
    }
    this.#timer = setInterval(() => void this.#nextPhase(), TICK);
    void this.#nextPhase();
  }

  #halt() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#area.requestUpdate();
  }

  /** @param {Looked} looked */
  render({ position }) {
    const steps = this.#steps;
    const choices = boardChoices(steps);
    const show = this.#show in choices ? this.#show : "mean";
    const [name, about] = choices[show];
    const shown = (/** @type {string} */ value) => {
      this.#show = value;
      this.#area.requestUpdate();
    };
    const over = position.outcome !== "ongoing";
    return html`<div class="table searching">
      <div class="table-board">
        ${choice("Show on the board", choices, show, shown)}
        ${this.#area.board({ overlay: steps ? stepCells(steps, show) : new Map(), rings: this.#rings(), ghosts: this.#ghosts })}
        <p class="muted">${over ? "The game is over: take a move back to search." : about && `${name}: ${about}.`}</p>
        ${this.#area.controls()}
        <section class="panel tree-panel">
          <h2>The tree</h2>
          <p class="muted tree-legend">
            A box is a position: the move into it, how often it was visited (N), and its mean value for who made that move
            (Q)${steps?.judge === "network" ? ", then the network's prior (P)" : ""}.
          </p>
          <search-tree .steps=${steps} .phase=${steps?.simulations ? this.#current(steps).key : null} .position=${position}></search-tree>
        </section>
      </div>
      <div class="table-side stack">
        <h1 class="state">${stateWords(position)}</h1>
        <div class="panel">${steps ? this.#phases(steps, position) : over ? nothing : html`<h2>Thinking …</h2>`}</div>
        ${this.#tools()}
        ${
          steps
            ? html`<section class="panel">
                <h2>The moves from here</h2>
                <p class="formula muted">${FORMULAS[steps.formula][1]}</p>
                <div class="scroll">${childrenTable(steps)}</div>
              </section>`
            : nothing
        }
        <details class="panel">
          <summary>Which program</summary>
          ${agentPicker("Program", this.#agent, (text) => this.#choose(text), { only: canTrace })}
        </details>
      </div>
    </div>`;
  }

  /** @param {string} agent */
  #choose(agent) {
    if (agent === this.#agent) return;
    this.#agent = agent;
    this.#steps = null;
    void this.#to(0, LAST);
  }

  /** @param {Steps} steps @param {Position} position */
  #phases(steps, position) {
    const { simulations, budget, move, judge } = steps;
    const of = simulations === budget ? `: it plays ${move}` : ` of ${whole(budget)}`;
    const at = PHASES[judge].indexOf(this.#current(steps));
    const phase = (/** @type {Phase} */ { key, name, about }, /** @type {number} */ index) => html`<li
        class="phase" aria-current=${simulations && index === at ? "step" : nothing}>
        <h3>${name}</h3>
        <p>${simulations && index <= at ? phaseWords(key, steps, position) : about}</p>
      </li>`;
    return html`<h2>${simulations ? `Simulation ${whole(simulations)}${of}` : "No simulation yet"}</h2>
      <ol class="phases">
        ${PHASES[judge].map(phase)}
      </ol>`;
  }

  #tools() {
    const more = (/** @type {string} */ words, /** @type {string} */ label, /** @type {number} */ count) =>
      button("", words, () => this.#to(this.#iterations + count, LAST), { label });
    return html`<div class="search-tools" role="toolbar" aria-label="Search">
      ${button("forward", "Next phase", () => this.#nextPhase(), { kind: "primary" })}
      ${button(this.#timer ? "pause" : "play", this.#timer ? "Pause" : "Run", () => this.#turn())}
      ${button("back", "One simulation back", () => this.#to(this.#iterations - 1, LAST), { quiet: true })}
      ${button("first", "Begin again", () => this.#to(0, LAST), { quiet: true })}
      ${more("+1", "One simulation", 1)} ${more("+10", "Ten simulations", 10)} ${more("+100", "A hundred simulations", 100)}
    </div>`;
  }

  /** Marks the moves that the last simulation added and updated. */
  #rings() {
    const found = new Map();
    const steps = this.#steps;
    if (!steps?.simulations) return found;
    const { select, expand } = steps;
    const { key } = this.#current(steps);
    if (key !== "select" && expand) found.set(expand, { sign: "+", tone: "right", words: "added to the tree" });
    if (key === "backup")
      for (const [index, move] of [...select, ...(expand ? [expand] : [])].entries())
        found.set(move, { sign: String(index + 1), tone: "right", words: "updated" });
    return found;
  }

  /** @param {KeyboardEvent} event @returns {boolean} whether the key was used */
  key(event) {
    if (event.key === "ArrowRight") void this.#nextPhase();
    else if (event.key === "ArrowLeft") void this.#to(this.#iterations - 1, LAST);
    else if (event.key === " ") this.#turn();
    else return false;
    return true;
  }
}

/** @param {import("../base/api-types.js").AgentAnswer} kind */
const canTrace = (kind) => kind.traces;
