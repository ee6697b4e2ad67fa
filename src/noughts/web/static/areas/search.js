// <search-area>: the search of an agent, one simulation at a time, phase by phase, as a tree that grows. Any agent may search
// here that grows a tree, with random games or with a network; what differs comes with the trace.

import * as api from "../base/api.js";
import { button, choice, field, fill, h } from "../base/dom.js";
import { whole } from "../base/format.js";
import { announce, emptiness, tellError } from "../base/news.js";
import { go, movesOf, routeTo } from "../base/route.js";
import { session } from "../base/session.js";
import { agentPicker } from "../parts/agents.js";
import { ghosts, playBoard } from "../parts/board.js";
import { address } from "../parts/files.js";
import { SearchTree } from "../parts/search-tree.js";
import { boardChoices, childrenTable, FORMULAS, PHASES, stepCells, told } from "../parts/steps.js";

/** @typedef {import("../base/api-types.js").PositionAnswer} Position */
/** @typedef {import("../base/api-types.js").Steps} Steps */

const LAST = Infinity; // the phase after which the next simulation begins
const START = "tic-tac-toe";
const TICK = 900; // milliseconds a phase while it runs

export class SearchArea extends HTMLElement {
  #iterations = 0;
  #phase = LAST; // of the last simulation
  #agent = "mcts";
  #seed = 0;
  #show = "mean";
  /** @type {Steps|null} */
  #steps = null;
  /** @type {Position|null} */
  #position = null;
  #board = playBoard("Board", (square) => {
    session.game?.play(square);
    session.changed();
  });
  #phases = h("ol", { class: "phases" });
  #count = h("h2", { "aria-live": "off" });
  #words = h("p", { class: "muted" });
  #children = h("div", { class: "scroll" });
  #tree = new SearchTree();
  #shows = h("div", {});
  #formula = h("p", { class: "formula" });
  #judge = "";
  #run = button("play", "Run", () => this.#turn(), {});
  /** @type {ReturnType<typeof setInterval>|undefined} */
  #timer;
  /** @type {AbortController|undefined} */
  #asked;
  #gone = new AbortController();

  connectedCallback() {
    this.#gone = new AbortController();
    session.addEventListener("change", () => void this.#restart(), { signal: this.#gone.signal });
  }

  disconnectedCallback() {
    this.#gone.abort();
    this.#halt();
  }

  /** @param {URLSearchParams} params */
  async show(params) {
    try {
      const rules = params.get("rules") ?? session.game?.rules ?? START;
      this.#iterations = Number(params.get("n")) || 0;
      this.#agent = params.get("agent") ?? this.#agent;
      if (params.get("rules") || !session.game)
        await session.open(rules, movesOf(params), {}, params.has("at") ? Number(params.get("at")) : Infinity, null);
    } catch (error) {
      fill(
        this,
        emptiness(
          "No position to search",
          /** @type {Error} */ (error).message,
          button("new", "New game", () => go(routeTo("new")), { class: "primary" }),
        ),
      );
      return;
    }
    if (!this.querySelector(".table")) this.#build();
    await this.#restart();
  }

  #build() {
    const seed = h("input", {
      type: "number",
      min: 0,
      step: 1,
      value: this.#seed,
      onchange: () => {
        this.#seed = Math.max(0, Math.floor(Number(seed.value)));
        void this.#to(this.#iterations, LAST);
      },
    });
    const picker = agentPicker("Who searches", this.#agent, (text) => {
      if (text === this.#agent) return;
      this.#agent = text;
      this.#steps = null;
      void this.#to(0, LAST);
    });
    picker.only = (kind) => kind.traces;
    fill(
      this,
      h(
        "header",
        { class: "area-head" },
        h("h1", {}, "Watch the search"),
        h(
          "p",
          { class: "lead" },
          "How a program looks ahead, one simulation at a time. Click a cell to search from another position.",
        ),
      ),
      h(
        "div",
        { class: "table" },
        h(
          "div",
          { class: "table-board" },
          this.#shows,
          this.#board,
          this.#words,
          h(
            "section",
            { class: "panel tree-panel" },
            h("h2", {}, "The tree"),
            h("p", { class: "muted tree-legend" }),
            this.#tree.element,
          ),
        ),
        h(
          "div",
          { class: "table-side" },
          h("div", { class: "panel" }, this.#count, this.#phases),
          h(
            "div",
            { class: "search-tools", role: "toolbar", "aria-label": "Search" },
            button("forward", "Next phase", () => void this.#nextPhase(), { class: "primary" }),
            this.#run,
            button("back", "One simulation back", () => void this.#to(this.#iterations - 1, LAST), { quiet: true }),
            button("", "+1", () => void this.#to(this.#iterations + 1, LAST), { "aria-label": "One simulation" }),
            button("", "+10", () => void this.#to(this.#iterations + 10, LAST), { "aria-label": "Ten simulations" }),
            button("", "+100", () => void this.#to(this.#iterations + 100, LAST), {
              "aria-label": "A hundred simulations",
            }),
            button("first", "Begin again", () => void this.#to(0, LAST), { quiet: true }),
          ),
          h("section", { class: "panel" }, h("h2", {}, "The moves from here"), this.#formula, this.#children),
          h(
            "details",
            { class: "panel" },
            h("summary", {}, "Who searches"),
            picker,
            h("div", { class: "search-tools" }, field("Seed", seed)),
          ),
        ),
      ),
    );
  }

  /** Another position, or the first: the search begins anew. */
  async #restart() {
    const game = session.game;
    if (!game || !this.isConnected || !this.querySelector(".table")) return;
    try {
      const position = await api.position(game.rules, game.current.moves);
      const same = this.#position?.text === position.text;
      this.#position = position;
      this.#board.show({ position, overlay: new Map(), ghosts: new Map(), rings: new Map() });
      await this.#to(same || this.#steps === null ? this.#iterations : 0, LAST);
    } catch (error) {
      tellError(error);
    }
  }

  /** Shows the search after so many iterations, at a phase of the last one. @param {number} iterations @param {number} phase */
  async #to(iterations, phase) {
    const [game, position] = [session.game, this.#position];
    if (!game || !position) return;
    iterations = Math.max(0, iterations);
    this.#asked?.abort();
    this.#asked = new AbortController();
    try {
      if (position.outcome === "ongoing") {
        iterations = Math.min(iterations, this.#steps?.budget ?? iterations);
        this.#count.textContent ||= "Thinking …";
        this.#steps = await api.steps(
          { rules: game.rules, moves: position.moves, agent: this.#agent, seed: this.#seed, iterations },
          this.#asked.signal,
        );
      } else {
        this.#steps = null;
      }
      this.#iterations = this.#steps?.iterations ?? 0;
      this.#phase = phase;
      const who = this.#agent === "mcts" ? "" : `&agent=${encodeURIComponent(this.#agent)}`;
      go(`${address("search")}${who}${iterations ? `&n=${iterations}` : ""}`, { replace: true });
      await this.#draw();
    } catch (error) {
      this.#halt();
      tellError(error);
    }
  }

  async #nextPhase() {
    const steps = this.#steps;
    const last = steps ? PHASES[steps.judge].length - 1 : 0;
    if (steps?.trace && this.#phase < last) {
      this.#phase++;
      await this.#draw();
    } else if (!steps || steps.iterations < steps.budget) await this.#to(this.#iterations + 1, 0);
    else this.#halt();
  }

  #turn() {
    if (this.#timer) {
      this.#halt();
      return;
    }
    this.#timer = setInterval(() => void this.#nextPhase(), TICK);
    this.#run.querySelector(".words")?.replaceChildren("Pause");
    void this.#nextPhase();
  }

  #halt() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#run.querySelector(".words")?.replaceChildren("Run");
  }

  async #draw() {
    const [steps, position] = [this.#steps, this.#position];
    if (!position) return;
    if (!steps) {
      this.#words.textContent = "The game is over: take a move back to search.";
      return;
    }
    const phases = PHASES[steps.judge];
    const at = Math.min(this.#phase, phases.length - 1);
    const played = steps.iterations === steps.budget ? `: it plays ${steps.move}` : ` of ${whole(steps.budget)}`;
    this.#count.textContent = steps.iterations ? `Simulation ${whole(steps.iterations)}${played}` : "No simulation yet";
    const traced = steps.trace ? { ...steps, trace: steps.trace } : null;
    fill(
      this.#phases,
      phases.map(({ key, name, about }, index) =>
        h(
          "li",
          { class: "phase", "aria-current": traced && index === at ? "step" : null },
          h("h3", {}, name),
          h("p", {}, traced && index <= at ? told(key, traced, position) : about),
        ),
      ),
    );
    fill(this.#children, childrenTable(steps));
    this.#formula.textContent = FORMULAS[steps.formula][1];
    if (this.#judge !== steps.formula) this.#offer(steps);
    this.#tree.show(steps, traced && phases[at].key, position);
    if (traced)
      announce(`Simulation ${steps.iterations}, ${phases[at].name}: ${told(phases[at].key, traced, position)}`);
    await this.#drawBoard(steps, position, phases[at].key);
  }

  /** What may be seen of this kind of search. @param {Steps} steps */
  #offer(steps) {
    this.#judge = steps.formula;
    const choices = boardChoices(steps);
    if (!choices.some(([value]) => value === this.#show)) this.#show = "mean";
    fill(
      this.#shows,
      choice("Show on the board", choices, this.#show, (value) => {
        this.#show = value;
        void this.#draw();
      }),
    );
    const legend = this.querySelector(".tree-legend");
    if (legend)
      legend.textContent =
        "A box is a position: the move into it, how often it was visited (N), and its mean value for who made that move (Q)" +
        (steps.judge === "network" ? ", then the network's prior (P)." : ".");
  }

  /** @param {Steps} steps @param {Position} position @param {import("../parts/steps.js").PhaseKey} phase */
  async #drawBoard(steps, position, phase) {
    const cells = stepCells(steps, this.#show);
    const trace = steps.trace;
    const rings = new Map();
    /** @type {string[]} */
    let line = [];
    if (trace) {
      const tree = [...trace.select, ...(trace.expand ? [trace.expand] : [])];
      line = { select: trace.select, expand: tree, rollout: [...tree, ...trace.rollout], backup: [] }[phase];
      if (phase !== "select" && trace.expand)
        rings.set(trace.expand, { sign: "+", tone: "right", words: "added to the tree" });
      if (phase === "backup")
        for (const [index, move] of tree.entries())
          rings.set(move, { sign: String(index + 1), tone: "right", words: "updated" });
    }
    const from = position.moves.length;
    const positions = line.length ? await api.line(position.rules, [...position.moves, ...line]).catch(() => []) : [];
    if (this.#steps !== steps) return;
    this.#board.show({ overlay: cells, rings, ghosts: positions.length ? ghosts(positions, from) : new Map() });
    this.#words.textContent =
      {
        visits: "N: how often each move was tried.",
        mean: "Q: the mean result of each move, for the side to move.",
        prior: "P: how likely the network takes each move to be, before any search, in percent.",
        score: `${FORMULAS[steps.formula][0]}: what selection compares the moves by.`,
      }[this.#show] ?? "";
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "ArrowRight") void this.#nextPhase();
    else if (event.key === "ArrowLeft") void this.#to(this.#iterations - 1, LAST);
    else if (event.key === " ") this.#turn();
    else if (event.key === "u" && session.game?.current.parent) {
      session.game.goTo(session.game.current.parent);
      session.changed();
    } else return false;
    return true;
  }
}

customElements.define("search-area", SearchArea);
